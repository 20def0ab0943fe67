import { get } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../hub/test-hub.ts";
import { Feed } from "./feed.ts";
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
  expect(server.errors).toEqual([]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** How often JSON with all of these words is written while `work` runs. */
async function timesWritten(words: string[], work: () => Promise<void>): Promise<number> {
  const stringify = vi.spyOn(JSON, "stringify");
  await work();
  const texts = stringify.mock.results.map(({ value }) => String(value));
  stringify.mockRestore();
  return texts.filter((text) => words.every((word) => text.includes(word))).length;
}

async function openSockets(count: number, query: Record<string, string>): Promise<TestClient[]> {
  return Promise.all(Array.from({ length: count }, () => new TestClient(server.url, query).connected()));
}

/** An event stream; `text` is what it has received. */
async function openStream(conversation_id: string) {
  const stream = { text: "", close: () => {} };
  const request = get(`${server.url}/api/sessions/${conversation_id}/events`, (response) => {
    response.setEncoding("utf8").on("data", (chunk) => {
      stream.text += chunk;
    });
  });
  request.on("error", () => {});
  stream.close = () => request.destroy();
  await expect.poll(() => stream.text).toContain("message.replay");
  return stream;
}

test("a live message is serialised once for all sockets and event streams", async () => {
  const conversation_id = await server.hub.createConversation(byAgent(), {});
  const sockets = await openSockets(30, { conversation_id });
  await Promise.all(sockets.map((socket) => socket.until(({ type }) => type === "message.replay")));
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(conversation_id)));
  const times = await timesWritten(['"message_sequence"', "for everyone"], async () => {
    await server.hub.sendMessage(byPerson(), conversation_id, "for everyone");
    await Promise.all(sockets.map((socket) => socket.until(({ type }) => type === "user.message")));
    for (const stream of streams) await expect.poll(() => stream.text.includes("for everyone")).toBe(true);
  });
  expect(times).toBe(1);
  for (const reader of [...sockets, ...streams]) reader.close();
});

test("a change of the inbox is serialised once for all who watch it", async () => {
  const sockets = await openSockets(30, {});
  await Promise.all(sockets.map((socket) => socket.send("inbox.subscribe", {})));
  const times = await timesWritten(['"payload":{"item":{'], async () => {
    await server.hub.ask(byAgent(), { session_key: "k", tool_use_id: "t", ...CHOICE });
    await Promise.all(sockets.map((socket) => socket.until(({ type }) => type === "inbox.changed")));
  });
  expect(times).toBe(1);
  for (const socket of sockets) socket.close();
});

test("a message of another node is read once for all watchers, and they share its announcement", async () => {
  const hub = testHub(await database.open());
  const readMessages = vi.fn(hub.readMessages);
  const feed = new Feed({ ...hub, readMessages, subscribe: () => () => {} }, byPerson, (error) => {
    throw error;
  });
  const conversation_id = await hub.createConversation(byAgent(), {});
  const received = new Set<unknown>();
  let deliveries = 0;
  const watching = Array.from({ length: 30 }, () =>
    feed.watch(byPerson(), conversation_id, 0, (announcement) => {
      if (announcement.type !== "message.replay" || announcement.payload.last_sequence === 0) return undefined;
      received.add(announcement);
      deliveries += 1;
      return undefined;
    }),
  );
  await Promise.all(watching.map(({ caughtUp }) => caughtUp));
  readMessages.mockClear();
  const { message_sequence } = await hub.sendMessage(byPerson(), conversation_id, "from there");
  feed.onRemoteChange(conversation_id, message_sequence);
  await expect.poll(() => deliveries).toBe(30);
  expect(readMessages).toHaveBeenCalledTimes(1);
  expect(received.size).toBe(1);
  for (const { stop } of watching) stop();
  feed.stop();
  await hub.stop();
});
