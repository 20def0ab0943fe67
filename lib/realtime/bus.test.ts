import { afterAll, beforeAll, expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createDemo } from "../agents/demo/demo.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type PostgresProxy, postgresProxy } from "../db/test-postgres-proxy.ts";
import { readRows } from "../db/test-sql.ts";
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
/** Between the second node and PostgreSQL. */
let proxy: PostgresProxy;
let nodes: TestServer[];
beforeAll(async () => {
  database = await testDatabase("postgresql");
  proxy = await postgresProxy(database.url);
  const agents = [createDemo({ wordsPerSecond: 5_000 }), writer];
  nodes = [await testServer(database.url, { agents }), await testServer(proxy.url, { agents })];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await proxy.close();
  await database.drop();
});

test("two nodes, one thread: who watches at one sees what happens at the other", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const conversation_id = await here.hub.createConversation(byAgent(), { agent: "demo" });
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
  for (const client of [near, far]) await expect.poll(() => client.messages().at(-1)?.type).toBe("complete");
  expect(far.messages()).toEqual(near.messages());
  for (const client of [near, far]) {
    expect(client.complaints).toEqual([]);
    client.close();
  }
  expect(nodes.flatMap((node) => node.errors)).toEqual([]);
});

test("an answer at one node immediately wakes a wait at the other", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const conversation_id = await here.hub.createConversation(byAgent(), {});
  await here.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
  const waiting = here.hub.wait(byAgent(), { conversation_id, tool_use_id: "t", seconds: 50 });
  await there.hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" });
  expect((await waiting).result?.outcome).toBe("answered");
});

test("what a person puts away at one node leaves their inbox at the other, and comes back there", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const { inbox_item_id } = await here.hub.ask(byAgent(), { session_key: "away", tool_use_id: "away", ...CHOICE });
  const far = await new TestClient(there.url).connected();
  await far.send("inbox.subscribe", {});
  const until = Date.now() + 5_000;
  await here.hub.snooze(byPerson(), [inbox_item_id], until);
  const heard = (snoozed_until: string | null) =>
    far.until(({ type, payload }) => {
      const item =
        type === "inbox.changed" ? (payload.item as { inbox_item_id: string; snoozed_until: unknown }) : null;
      return item?.inbox_item_id === inbox_item_id && item.snoozed_until === snoozed_until;
    });
  await heard(new Date(until).toISOString());
  await heard(null);
  far.close();
});

test("stop and close at one node end the agent at the other, and nothing half-written stays", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  for (const end of ["interrupt", "close"] as const) {
    const conversation_id = await here.hub.createConversation(byAgent(), { agent: "writer" });
    const client = await new TestClient(here.url, { conversation_id }).connected();
    await here.hub.sendMessage(byPerson(), conversation_id, "go");
    await client.until((envelope) => envelope.type === "assistant.chunk");
    await there.hub[end](byPerson(), conversation_id);
    await expect.poll(() => stopped).toContain(conversation_id);
    const ended = end === "close" ? "closed" : "interrupted";
    await client.until(({ type, payload }) => type === "conversation.state" && payload.status === ended);
    client.close();
    const later = await new TestClient(here.url, { conversation_id }).connected();
    const state = await later.until((envelope) => envelope.type === "conversation.state");
    expect(state.payload).toMatchObject({ status: ended, turn_id: null, queued: 0, streaming: null });
    later.close();
  }
});

test("what happens while a node cannot hear is found when it can, in the thread and in the inbox", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const conversation_id = await here.hub.createConversation(byAgent(), {});
  await here.hub.ask(byAgent(), { conversation_id, tool_use_id: "asked", ...CHOICE });
  await here.hub.ask(byAgent(), { conversation_id, tool_use_id: "extended", timeout_s: 600, ...CHOICE });
  const far = await new TestClient(there.url).connected();
  await far.send("inbox.subscribe", {});
  // A subscription that is still being read when the database goes away is refused.
  expect(await far.send("conversation.subscribe", { conversation_id })).toMatchObject({ ok: true });
  expect(far.messages()).toHaveLength(2);
  proxy.set("down");
  await here.hub.extend(byPerson(), { conversation_id, tool_use_id: "extended" }, { deadline_at: null });
  await here.hub.answer(byPerson(), { conversation_id, question_id: "asked", answer: "a" });
  await here.hub.ask(byAgent(), { conversation_id, tool_use_id: "new", ...CHOICE });
  await here.hub.sendMessage(byPerson(), conversation_id, "And another thing.");
  proxy.set("up");
  type Item = { status: string; tool_use_id: string; deadline_at: string | null };
  const changed =
    (status: string, tool_use_id: string, holds: (item: Item) => boolean = () => true) =>
    (envelope: (typeof far.envelopes)[number]) => {
      const { item } = envelope.payload as { item?: Item };
      if (envelope.type !== "inbox.changed" || item?.tool_use_id !== tool_use_id) return false;
      return item.status === status && holds(item);
    };
  await far.until(changed("closed", "asked"));
  await far.until(changed("open", "new"));
  await far.until(changed("open", "extended", (item) => item.deadline_at === null));
  const messages = await here.hub.readMessages(byPerson(), { conversation_id, after: 0, limit: 100 });
  await expect.poll(() => far.messages()).toEqual(messages.messages);
  expect(far.complaints).toEqual([]);
  far.close();
});

test("a link that broke on one side only is made again, and both directions work", async () => {
  const [here, there] = nodes as [TestServer, TestServer];
  const conversation_id = await here.hub.createConversation(byAgent(), {});
  const [near, far] = await Promise.all(
    [here, there].map((node) => new TestClient(node.url, { conversation_id }).connected()),
  );
  if (!near || !far) throw new Error("both connect");
  await far.until((envelope) => envelope.type === "message.replay");
  const db = await database.open();
  const held = () =>
    readRows(
      db,
      `select application_name as name, count(*) as connections, count(l.pid) as locks from pg_stat_activity a
       left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.granted
       where datname = current_database() and application_name in ('parley-node', 'parley-lock') group by 1 order by 1`,
      [],
    );
  const healthy = [
    { name: "parley-lock", connections: 2, locks: 2 },
    { name: "parley-node", connections: 2, locks: 0 },
  ];
  // The link may have been down before.
  await expect.poll(held).toEqual(healthy);
  // PostgreSQL considers both connections alive, and keeps holding the node's lock.
  expect(proxy.breakOneSide("parley-node")).toBe(1);
  expect(proxy.breakOneSide("parley-lock")).toBe(1);
  await here.hub.sendMessage(byPerson(), conversation_id, "from here");
  await there.hub.sendMessage(byPerson(), conversation_id, "from there");
  for (const client of [near, far]) {
    await expect.poll(() => client.messages().map(({ content }) => content.text)).toEqual(["from here", "from there"]);
    expect(client.complaints).toEqual([]);
    client.close();
  }
  // PostgreSQL has ended what it believed in, and the node has its lock again.
  await expect.poll(held).toEqual(healthy);
});
