import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { byAgent, byPerson } from "../hub/test-hub.ts";
import type { Envelope } from "../protocol/events.ts";
import type { MessageView } from "../protocol/message.ts";
import { type TestServer, testServer } from "./test-server.ts";

const MESSAGES = 80;
let database: TestDatabase;
let server: TestServer;
/** More than 4 MiB. */
let session_id: string;
const responses: ServerResponse[] = [];
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
  server.server.on("request", (_req, res) => responses.push(res));
  const lines = Array.from({ length: MESSAGES }, (_, n) => ({
    type: "user",
    uuid: `u${n}`,
    message: { role: "user", content: `${n} ${"x".repeat(50_000)}` },
  }));
  const imported = await server.hub.importConversation(byAgent(), lines.map((line) => JSON.stringify(line)).join("\n"));
  session_id = imported.conversation_id;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  expect(server.errors).toEqual([]);
});
beforeEach(() => {
  responses.length = 0;
});

/** Opens an event stream, and leaves when at least this many bytes have arrived. */
async function leaveAfter(bytes: number): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket: Socket = connect(Number(port), hostname);
  let received = 0;
  const request = `GET /api/sessions/${session_id}/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`;
  await new Promise<void>((resolve) => {
    const leave = () => {
      socket.destroy();
      resolve();
    };
    socket.write(request, () => bytes === 0 && leave());
    socket.on("data", (chunk) => {
      received += chunk.length;
      if (received >= bytes) leave();
    });
  });
}

test("nothing is left of readers who leave at any moment", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const moments = [0, 0, 0, 0, 1, 50_000, 400_000, 2_000_000];
  await Promise.all(Array.from({ length: 3 }, () => moments).flatMap((all) => all.map(leaveAfter)));
  await expect.poll(() => responses.filter((res) => res.closed).length).toBe(3 * moments.length);
  await expect.poll(() => server.connections().readers).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("HEAD gets headers and no stream", async () => {
  const head = (id: string) => fetch(`${server.url}/api/sessions/${id}/events`, { method: "HEAD" });
  const reply = await head(session_id);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect((await head("ses_none")).status).toBe(404);
  expect(server.connections().readers).toBe(0);
});

test("a long thread arrives from its beginning, in pages of a bounded size, up to the latest message", async () => {
  const thread: MessageView[] = [];
  let largest = 0;
  const seen: string[] = [];
  for await (const { type, payload } of follow(session_id)) {
    seen.push(type);
    if (type === "user.message") break;
    if (type !== "message.replay") continue;
    const messages = payload.messages ?? [];
    largest = Math.max(largest, JSON.stringify(messages).length);
    thread.push(...messages);
    if (payload.done) await server.hub.sendMessage(byPerson(), session_id, "Are you there?");
  }
  expect(thread.map(({ uuid }) => uuid)).toEqual(Array.from({ length: MESSAGES }, (_, n) => `u${n}`));
  expect(largest).toBeLessThan(300_000);
  expect(seen.filter((type) => type === "conversation.state").length).toBe(1);
  await expect.poll(() => server.connections().readers).toBe(0);
});

test("little is buffered for a reader who does not read, and it gets the rest when it reads again", async () => {
  const id = await server.hub.createConversation(byAgent(), {});
  const reading = follow(id);
  await reading.next();
  let most = 0;
  for (let n = 1; n <= 100; n++) {
    await server.hub.sendMessage(byPerson(), id, "x".repeat(90_000));
    most = Math.max(most, responses[0]?.writableLength ?? 0);
  }
  expect(most).toBeLessThan(1024 * 1024);
  const got: number[] = [];
  for await (const { payload } of reading) {
    const messages = typeof payload.message === "object" ? [payload.message] : (payload.messages ?? []);
    got.push(...messages.map(({ sequence_num }) => sequence_num));
    if (got.at(-1) === 100) break;
  }
  expect(got).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
});

/** Takes from the network only what it is asked for. */
async function* follow(id: string): AsyncGenerator<Envelope> {
  const response = await new Promise<IncomingMessage>((resolve) => {
    get(`${server.url}/api/sessions/${id}/events`, resolve);
  });
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data) as Envelope;
    }
  }
}
