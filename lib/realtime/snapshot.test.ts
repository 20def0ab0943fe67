import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemo } from "../agents/demo/demo.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { applyEnvelope, EMPTY_THREAD, type LiveThread, lastSequence } from "../domain/views/live-thread.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import type { Call } from "../protocol/actor.ts";
import { type Envelope, ServerEventType } from "../protocol/events.ts";
import type { InboxItem } from "../protocol/inbox.ts";
import { TestClient } from "./test-client.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url, { agents: [createDemo({ wordsPerSecond: 2_000 })], limits: { maxDepth: 3 } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Everything that can happen in a conversation, one after the other. */
async function live(conversation_id: string): Promise<void> {
  const { hub } = server;
  const quiet = () =>
    expect.poll(async () => (await hub.readState(byPerson(), conversation_id)).status).not.toBe("streaming");
  const open = async () => {
    await expect.poll(async () => (await hub.readState(byPerson(), conversation_id)).pending.length).toBe(1);
    return String((await hub.readState(byPerson(), conversation_id)).pending[0]?.tool_use_id);
  };
  await hub.sendMessage(byPerson(), conversation_id, "fail");
  await quiet();
  await hub.sendMessage(byPerson(), conversation_id, "port");
  await hub.answer(byPerson(), { conversation_id, question_id: await open(), answer: "8080" });
  await quiet();
  await hub.sendMessage(byPerson(), conversation_id, "port");
  await open();
  await hub.interrupt(byPerson(), conversation_id);
  await hub.ask(byAgent(), { conversation_id, tool_use_id: "late", timeout_s: 0.01, ...CHOICE });
  await expect.poll(async () => (await hub.readState(byPerson(), conversation_id)).pending.length).toBe(0);
  await hub.reopen(byPerson(), { conversation_id, tool_use_id: "late" });
  await hub.extend(byPerson(), { conversation_id, tool_use_id: "late" }, { timeout_s: 600 });
  await hub.cancel(byPerson(), { conversation_id, tool_use_id: "late" }, "enough");
  await hub.ask(byAgent(), { conversation_id, tool_use_id: "words", ...CHOICE });
  await hub.reply(byPerson(), { conversation_id, tool_use_id: "words", text: "Neither." });
  await hub.close(byPerson(), conversation_id);
}

test("any earlier snapshot and the events since are the same as a fresh snapshot, for every type of event", async () => {
  const conversation_id = await server.hub.createConversation(byAgent(), { agent: "demo" });
  const watcher = await new TestClient(server.url, { conversation_id }).connected();
  await watcher.send("inbox.subscribe", {});
  await live(conversation_id);
  await watcher.until(({ type, payload }) => type === "conversation.state" && payload.status === "closed");
  // Who is looking at a question is never stored, so no snapshot has it; gateway.test.ts covers it.
  const types = ServerEventType.options.filter((type) => type !== "presence.changed");
  expect(new Set(watcher.envelopes.map((envelope) => envelope.type))).toEqual(new Set(types));
  expect(watcher.complaints).toEqual([]);

  const fresh = await snapshot(conversation_id, 0);
  const envelopes = watcher.envelopes.filter((envelope) => envelope.type !== "inbox.changed");
  for (let cut = 0; cut <= envelopes.length; cut++) {
    const before = envelopes.slice(0, cut).reduce(applyEnvelope, EMPTY_THREAD);
    expect(envelopes.slice(cut).reduce(applyEnvelope, before)).toEqual(fresh);
    // What came before comes again, as after a reconnect: nothing doubles.
    expect(envelopes.slice(Math.max(0, cut - 5)).reduce(applyEnvelope, before)).toEqual(fresh);
  }
  for (const have of [1, 7, lastSequence(fresh)]) {
    const old: LiveThread = { ...fresh, messages: fresh.messages.slice(0, have) };
    expect(await snapshot(conversation_id, have, old)).toEqual(fresh);
  }
  watcher.close();
});

test("who has a question: the events since any snapshot lead to a fresh one, step by step, and the inbox agrees", async () => {
  const { hub } = server;
  const conversation_id = await hub.createConversation(byAgent(), { agent: "external" });
  const { inbox_item_id } = await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
  const watcher = await new TestClient(server.url, { conversation_id }).connected();
  await watcher.send("inbox.subscribe", {});
  const by = (name: string): Call => {
    const { actor, now } = byPerson();
    return { actor: { ...actor, name, id: `per_${name}` }, now };
  };
  const steps: Array<[string | undefined, () => Promise<unknown>]> = [
    ["ann", () => hub.claim(by("ann"), [inbox_item_id])],
    ["ann", () => hub.claim(by("bob"), [inbox_item_id])],
    ["bob", () => hub.claim(by("bob"), [inbox_item_id], true)],
    [undefined, () => hub.release(by("ann"), [inbox_item_id])],
    ["cat", () => hub.claim(by("cat"), [inbox_item_id])],
    [undefined, () => hub.answer(by("cat"), { conversation_id, question_id: "t", answer: "a" })],
  ];
  const holderInInbox = () => {
    const changes = watcher.envelopes.filter(({ type }) => type === "inbox.changed");
    const items = changes.map(({ payload }) => (payload as { item: InboxItem }).item);
    return items.findLast((item) => item.inbox_item_id === inbox_item_id)?.claim?.by.name;
  };
  const seen: LiveThread[] = [];
  for (const [holder, step] of steps) {
    await step();
    const fresh = await snapshot(conversation_id, 0);
    const holders = fresh.state?.pending.map(({ claim }) => claim?.by.name);
    expect(holders).toEqual(steps.at(-1)?.[1] === step ? [] : [holder]);
    const thread = () => watcher.envelopes.filter(({ type }) => type !== "inbox.changed");
    await expect.poll(() => thread().reduce(applyEnvelope, EMPTY_THREAD)).toEqual(fresh);
    await expect.poll(holderInInbox).toBe(holder);
    // A client that joined at any earlier step ends up here too.
    for (const earlier of seen) expect(thread().reduce(applyEnvelope, earlier)).toEqual(fresh);
    seen.push(fresh);
  }
  expect(watcher.complaints).toEqual([]);
  watcher.close();
});

async function snapshot(
  conversation_id: string,
  last_sequence: number,
  from: LiveThread = EMPTY_THREAD,
): Promise<LiveThread> {
  const client = await new TestClient(server.url, {
    conversation_id,
    last_sequence: String(last_sequence),
  }).connected();
  await client.until(({ type, payload }: Envelope) => type === "message.replay" && payload.done === true);
  client.close();
  return client.envelopes.reduce(applyEnvelope, from);
}
