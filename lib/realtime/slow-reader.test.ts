import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson } from "../hub/test-hub.ts";
import { TestClient } from "./test-client.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Takes nothing more from the network, as a page that hangs. */
function stopReading(client: TestClient): void {
  const { transport } = client.socket.io.engine as unknown as { transport: { ws: { _socket: { pause: () => void } } } };
  transport.ws._socket.pause();
}

test("who does not read is cut off at a limit, harms nobody, and catches up by replay", async () => {
  const conversation_id = await server.hub.createSession(byAgent(), {});
  const [slow, quick] = await Promise.all(
    [1, 2].map(() => new TestClient(server.url, { conversation_id }).connected()),
  );
  if (!slow || !quick) throw new Error("both connect");
  await Promise.all([slow, quick].map((client) => client.until(({ type }) => type === "message.replay")));
  stopReading(slow);
  const text = "x".repeat(50_000);
  let most = 0;
  for (let n = 0; n < 400; n++) {
    await server.hub.sendMessage(byPerson(), conversation_id, text);
    most = Math.max(most, server.connections().buffered);
    if (server.connections().sockets === 1) break;
  }
  expect(server.connections().sockets).toBe(1);
  expect(most).toBeLessThan(6 * 1024 * 1024);
  await expect
    .poll(() => quick.last, { timeout: 20_000 })
    .toBe((await server.hub.readState(byPerson(), conversation_id)).last_sequence);
  expect(quick.complaints).toEqual([]);

  const again = await new TestClient(server.url, { conversation_id, last_sequence: String(slow.last) }).connected();
  await again.until(({ type, payload }) => type === "message.replay" && payload.done === true);
  expect([...slow.messages(), ...again.messages()]).toEqual(quick.messages());
  for (const client of [slow, quick, again]) client.close();
});
