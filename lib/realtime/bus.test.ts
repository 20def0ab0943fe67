import { afterAll, beforeAll, expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createDemo } from "../agents/demo/demo.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import { TestClient } from "./test-client.ts";

/** Writes until it is stopped, and a little longer. */
const stopped: string[] = [];
const writer: Agent = {
  name: "writer",
  about: "never ends",
  run: async (run) => {
    run.own.stream("text", "half a", "half a");
    await new Promise<void>((resolve) => run.signal.addEventListener("abort", () => resolve()));
    run.own.stream("text", " word", "half a word");
    stopped.push(run.conversation_id);
  },
};

let database: TestDatabase;
let nodes: TestServer[];
beforeAll(async () => {
  database = await testDatabase("postgresql");
  const agents = [createDemo({ wordsPerSecond: 5_000 }), writer];
  nodes = [await testServer(database.url, { agents }), await testServer(database.url, { agents })];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await database.drop();
  expect(nodes.flatMap((node) => node.errors)).toEqual([]);
});

test("two nodes, one thread: who watches at one sees what happens at the other", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const conversation_id = await here.hub.createSession(byAgent(), { agent: "demo" });
  const [near, far] = await Promise.all(
    [here, there].map((node) => new TestClient(node.url, { conversation_id }).connected()),
  );
  if (!near || !far) throw new Error("both connect");
  await far.send("inbox.subscribe", {});
  await near.send("user.message", { conversation_id, text: "port" });
  await expect.poll(() => far.messages().some((message) => message.type === "ask_user_question")).toBe(true);
  const question = far.messages().find((message) => message.type === "ask_user_question");
  await far.until((envelope) => envelope.type === "inbox.changed");
  const reply = await far.send("user.input_response", {
    conversation_id,
    question_id: String(question?.content.tool_use_id),
    answer: "8080",
  });
  expect(reply).toMatchObject({ ok: true, status: "answered" });
  for (const client of [near, far])
    await expect.poll(() => client.messages().at(-1)?.type, { timeout: 10_000 }).toBe("complete");
  expect(far.messages()).toEqual(near.messages());
  for (const client of [near, far]) {
    expect(client.complaints).toEqual([]);
    client.close();
  }
});

test("an answer at one node wakes who waits at the other at once", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const session_id = await here.hub.createSession(byAgent(), {});
  await here.hub.ask(byAgent(), { session_id, tool_use_id: "t", ...CHOICE });
  const waiting = here.hub.wait(byAgent(), { session_id, tool_use_id: "t", seconds: 50 });
  await there.hub.answer(byPerson(), { session_id, question_id: "t", answer: "a" });
  expect((await waiting).result?.outcome).toBe("answered");
});

test("stop and close at one node end the agent at the other, and nothing half-written stays", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  for (const end of ["interrupt", "close"] as const) {
    const conversation_id = await here.hub.createSession(byAgent(), { agent: "writer" });
    const client = await new TestClient(here.url, { conversation_id }).connected();
    await here.hub.sendMessage(byPerson(), conversation_id, "go");
    await client.until((envelope) => envelope.type === "assistant.chunk");
    await there.hub[end](byPerson(), conversation_id);
    await expect.poll(() => stopped, { timeout: 10_000 }).toContain(conversation_id);
    const ended = end === "close" ? "closed" : "interrupted";
    await client.until(({ type, payload }) => type === "conversation.state" && payload.status === ended);
    client.close();
    const later = await new TestClient(here.url, { conversation_id }).connected();
    const state = await later.until((envelope) => envelope.type === "conversation.state");
    expect(state.payload).toMatchObject({ status: ended, turn_id: null, queued: 0, streaming: null });
    later.close();
  }
});
