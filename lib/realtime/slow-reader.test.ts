import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import { EVERYONE } from "../protocol/space.ts";
import { TestClient } from "./test-client.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url, { limits: { maxDepth: 1_000 } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Takes nothing more from the network, as a page that hangs, until it reads on. */
function stopReading(client: TestClient): () => void {
  type Engine = { transport: { ws: { _socket: { pause: () => void; resume: () => void } } } };
  const { _socket } = (client.socket.io.engine as unknown as Engine).transport.ws;
  _socket.pause();
  return () => _socket.resume();
}

const follower = async (conversation_id: string) => {
  const client = await new TestClient(server.url, { conversation_id }).connected();
  await client.until(({ type }) => type === "message.replay");
  return client;
};

test("little is buffered for a client that does not read, and it gets the rest when it reads again", async () => {
  const conversation_id = await server.hub.createConversation(byAgent(), {});
  const [slow, quick] = [await follower(conversation_id), await follower(conversation_id)];
  const readOn = stopReading(slow);
  let most = 0;
  for (let n = 0; n < 200; n++) {
    await server.hub.sendMessage(byPerson(), conversation_id, "x".repeat(50_000));
    most = Math.max(most, server.connections().buffered);
  }
  expect(most).toBeGreaterThan(500_000);
  expect(most).toBeLessThan(2 * 1024 * 1024);
  await expect.poll(() => quick.last).toBe(200);
  readOn();
  await expect.poll(() => slow.last).toBe(200);
  expect(slow.messages()).toEqual(quick.messages());
  for (const client of [slow, quick]) {
    expect(client.complaints).toEqual([]);
    client.close();
  }
  await expect.poll(() => server.connections().readers).toBe(0);
});

test("a long thread arrives in pages of a bounded size, without states in between, while more is said", async () => {
  const conversation_id = await server.hub.createConversation(byAgent(), {});
  for (let n = 0; n < 100; n++) await server.hub.sendMessage(byPerson(), conversation_id, "x".repeat(90_000));
  const client = await follower(conversation_id);
  const readOn = stopReading(client);
  for (let n = 0; n < 10; n++) await server.hub.sendMessage(byPerson(), conversation_id, "And then?");
  readOn();
  await expect.poll(() => client.last).toBe(110);
  expect(client.complaints).toEqual([]);
  const types = client.envelopes.map(({ type }) => type);
  const replayed = types.slice(types.indexOf("message.replay"), types.lastIndexOf("message.replay"));
  expect(new Set(replayed)).toEqual(new Set(["message.replay"]));
  for (const { type, payload } of client.envelopes)
    if (type === "message.replay") expect(JSON.stringify(payload).length).toBeLessThan(300_000);
  client.close();
});

test("a client that lets anything else pile up is cut off", async () => {
  const client = await new TestClient(server.url).connected();
  await client.send("inbox.subscribe", {});
  stopReading(client);
  const label = vi
    .spyOn(server.hub, "labelOf")
    .mockResolvedValue({ agent: "a", title: "x".repeat(200_000), space_id: EVERYONE, api_key_id: null });
  for (let n = 0; n < 200 && server.connections().sockets > 0; n++)
    await server.hub.ask(byAgent(), { session_key: "busy", tool_use_id: `t${n}`, ...CHOICE });
  label.mockRestore();
  await expect.poll(() => server.connections().sockets).toBe(0);
});
