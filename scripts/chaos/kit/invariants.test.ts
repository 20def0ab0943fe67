import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../lib/db/test-databases.ts";
import { askView } from "../../../lib/domain/views/ask-view.ts";
import { createHub } from "../../../lib/hub/hub.ts";
import { AUDIT_KEY } from "../../../lib/hub/test-hub.ts";
import type { Call } from "../../../lib/protocol/actor.ts";
import { DEFAULT_LIMITS } from "../../../lib/protocol/limits.ts";
import { keyOf, Ledger, missingFrom, unknownIn } from "../kill/ledger.ts";
import { violationsIn } from "./invariants.ts";
import { type Row, readTables, type Tables } from "./tables.ts";

let good: Tables;
let database: TestDatabase;
const ledger = new Ledger();

/** A short conversation with asks answered in two steps, cancelled, timed out and reopened, and left open. */
beforeAll(async () => {
  database = await testDatabase("sqlite");
  const db = await database.open();
  let now = Date.parse("2026-01-01T00:00:00Z");
  const hub = createHub({
    db,
    auditKey: AUDIT_KEY,
    maxQueue: 8,
    skillsFolder: ".claude/skills",
    limits: DEFAULT_LIMITS,
    clock: () => now,
    onError: () => {},
    sweepMs: 3_600_000,
  });
  const call = (name = "Mia"): Call => ({
    actor: { kind: "person", name, surface: "rest", rights: ["ask", "answer", "read"] },
    now,
  });
  const conversation_id = await hub.createConversation(call(), {});
  ledger.sessions.add(conversation_id);
  const ask = async (tool_use_id: string, body: Record<string, unknown>) => {
    const asked = askView(await hub.ask(call(), { conversation_id, tool_use_id, ...body }));
    ledger.acknowledgeAsk(asked, body);
  };
  const answer = async (question_id: string, value: string) => {
    const key = `key of ${question_id}`;
    ledger.observe(askView(await hub.answer(call(), { conversation_id, question_id, answer: value }, key)));
    ledger.acknowledgeAnswer(conversation_id, question_id, { value, by: "Mia", key });
  };
  await ask("two", { questions: ["A?", "B?"].map((question) => ({ question, options: [{ label: "x" }] })) });
  await answer("two#1", "option_1");
  await answer("two#2", "option_1");
  await ask("gone", { question: "Still?" });
  await hub.cancel(call("Bo"), { conversation_id, tool_use_id: "gone" }, "no need");
  ledger.cancels.set(keyOf(conversation_id, "gone"), { by: "Bo", reason: "no need" });
  await ask("late", { question: "Soon?", timeout_s: 1 });
  now += 2_000;
  await hub.expire(now);
  await hub.reopen(call(), { conversation_id, tool_use_id: "late" });
  await ask("open", { question: "Well?", timeout_s: 60 });
  await ask("over", { question: "Now?", timeout_s: 1 });
  now += 2_000;
  await hub.expire(now);
  await hub.stop();
  good = await readTables(database.url);
  // The reopened ask has lost its deadline, but the ledger holds the first one.
  ledger.asks.delete(keyOf(conversation_id, "late"));
});
afterAll(() => database.drop());

test("a correct database has no violation", () => {
  expect(good.ask).toHaveLength(5);
  expect(violationsIn(good)).toEqual([]);
  expect(missingFrom(good, ledger)).toEqual([]);
});

type Plant = (tables: Tables) => void;
const of = (rows: Row[], tool_use_id: string): Row => {
  const row = rows.find((one) => one.tool_use_id === tool_use_id);
  if (!row) throw new Error(`There is no ${tool_use_id}.`);
  return row;
};
const all = (rows: Row[], patch: Row) => {
  for (const row of rows) Object.assign(row, patch);
};
const without = (rows: Row[], index: number) => rows.splice(index, 1);

const halfWritten: Record<string, Plant> = {
  "a message is missing": (t) => without(t.message, 2),
  "a message is there twice": (t) => t.message.push({ ...t.message[0], sequence_num: t.message.length + 1 }),
  "the count of messages is too high": (t) => all(t.conversation, { last_sequence: 99 }),
  "an audit event is missing": (t) => without(t.audit_event, 3),
  "the last audit event is missing": (t) => void t.audit_event.pop(),
  "a round is numbered twice": (t) => (of(t.ask, "open").round = 1),
  "the count of pending asks is off": (t) => all(t.conversation, { pending_asks: 0 }),
  "an ask has no question": (t) => (t.question = t.question.filter((row) => row.tool_use_id !== "gone")),
  "a question of two is missing": (t) => without(t.question, 0),
  "an ask has no inbox item": (t) => without(t.inbox_item, 0),
  "an inbox item stays open": (t) => (of(t.inbox_item, "gone").status = "open"),
  "an inbox item closes too early": (t) => (of(t.inbox_item, "open").status = "closed"),
  "an inbox item is due at another time": (t) => (of(t.inbox_item, "open").due_at = 5),
  "an answer is missing": (t) => without(t.answer, 0),
  "an answer is not the one of the result": (t) => (t.answer[1] = { ...t.answer[1], value: '{"value":"y"}' }),
  "an answer has no question": (t) => t.answer.push({ ...t.answer[0], question_id: "nobody asked" }),
  "an ask is answered without a result": (t) => (of(t.ask, "two").result = null),
  "an ask has two outcomes": (t) => t.audit_event.push({ ...of(t.audit_event, "gone"), action: "question.timeout" }),
  "an outcome has no result message": (t) =>
    (t.message = t.message.filter((row) => !String(row.content).includes('"outcome":"cancelled"'))),
  "an ask times out early": (t) => (of(t.ask, "over").decided_at = Number(of(t.ask, "over").deadline_at) - 1),
  "a row belongs to no conversation": (t) => t.audit_seal.push({ conversation_id: "ses_x", number: 1, hash: "" }),
};

test.each(Object.entries(halfWritten))("detects that %s", (_, plant) => {
  const bad = structuredClone(good);
  plant(bad);
  expect(violationsIn(bad)).not.toEqual([]);
});

const lost: Record<string, Plant> = {
  "the conversation is gone": (t) => (t.conversation = []),
  "an acknowledged ask is gone": (t) => (t.ask = t.ask.filter((row) => row.tool_use_id !== "open")),
  "the question was changed": (t) => (of(t.ask, "open").content_hash = "other"),
  "the text of the question was changed": (t) =>
    (t.message = t.message.map((row) => ({ ...row, content: String(row.content).replace("Well?", "Bad?") }))),
  "an acknowledged answer is gone": (t) => t.answer.pop(),
  "someone else answered": (t) => all(t.answer, { answered_by: '{"name":"Eve"}' }),
  "a cancel is undone": (t) => (of(t.ask, "gone").status = "pending"),
  "a result that was read is another now": (t) => (of(t.ask, "two").result = "{}"),
};

test.each(Object.entries(lost))("detects that %s", (_, plant) => {
  const bad = structuredClone(good);
  plant(bad);
  expect(missingFrom(bad, ledger)).not.toEqual([]);
});

test("detects rows of refused calls and rows that no client knows of", () => {
  const strict = new Ledger();
  expect(unknownIn(good, strict)).toHaveLength(good.ask.length + good.answer.length);
  strict.refusedAsks.add("open");
  strict.refusedAnswers.add("key of two#1");
  expect(missingFrom(good, strict)).toHaveLength(2);
});

test("detects two contradictory acknowledgements", () => {
  const strict = new Ledger();
  strict.acknowledgeAnswer("s", "q", { value: 1, by: "a", key: "k1" });
  strict.acknowledgeAnswer("s", "q", { value: 1, by: "a", key: "k1" });
  expect(strict.violations).toEqual([]);
  strict.acknowledgeAnswer("s", "q", { value: 1, by: "b", key: "k2" });
  expect(strict.violations).toHaveLength(1);
});
