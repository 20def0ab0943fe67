import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import { readRows } from "../../db/test-sql.ts";
import { removeUnfinished } from "../background/remove-unfinished.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const TABLES = ["conversation", "message", "ask", "question", "answer", "inbox_item", "audit_event", "turn"];
const A_DAY = 86_400_000;

/** A thread of so many rounds, of five messages each: too long for one commit. */
const thread = (rounds: number) =>
  Array.from({ length: rounds }, (_, n) => [
    { type: "user", message: { role: "user", content: `Go on with ${n}, please.` } },
    { type: "assistant", message: { role: "assistant", content: [{ type: "thinking", thinking: "hm" }] } },
    { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "I have a question." }] } },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${n}`, name: "ask_user_question", input: CHOICE }],
      },
    },
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: "B" }] },
      toolUseResult: { answer: "b" },
    },
  ])
    .flat()
    .map((line, n) => ({ ...line, uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}`, sessionId: "long" }));
const jsonl = (lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join("\n");
const LONG = thread(150);

describe.each(DATABASES)("a conversation that is written page by page on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  beforeAll(() => {
    hub = testHub(database.db);
  });
  afterAll(() => hub.stop());

  const counts = async () => {
    const rows = TABLES.map((table) => readRows<{ n: number }>(database.db, `select count(*) as n from ${table}`, []));
    return (await Promise.all(rows)).map(([row]) => Number(row?.n));
  };
  const seen = async () => {
    const { sessions } = await hub.listConversations(byPerson(), {});
    const { items } = await hub.inbox(byPerson(), { status: "all", limit: 200 });
    return [sessions.length, items.length];
  };
  /** A hub whose database does something else with the nth commit. */
  const hubWith = (nth: number, instead: () => Promise<undefined>) => {
    let commits = 0;
    return testHub({ ...database.db, write: (change) => (++commits === nth ? instead() : database.db.write(change)) });
  };

  test("appears complete: every message, round and answer has its number, and the record is intact", async () => {
    const { conversation_id, messages, rounds } = await hub.importConversation(byAgent(), jsonl(LONG));
    expect([messages, rounds]).toEqual([750, 150]);
    let text = "";
    for await (const part of (await hub.exportConversation(byPerson(), conversation_id)).lines) text += part;
    expect(text.trimEnd()).toBe(jsonl(LONG));
    const state = await hub.readConversation(byPerson(), conversation_id);
    expect(state).toMatchObject({ status: "active", current_round: 150, last_sequence: 750, pending: [] });
    expect(state.dialog_history.map(({ round, answer }) => [round, answer])).toEqual(
      LONG.slice(0, 150).map((_, n) => [n + 1, "B"]),
    );
    const { chain } = await hub.audit(byPerson(), { conversation_id });
    expect(chain.intact).toBe(true);

    const forked = await hub.continueFrom(byPerson(), conversation_id, 149);
    const copy = await hub.readConversation(byPerson(), forked);
    expect(copy).toMatchObject({ status: "waiting_input", current_round: 149, last_sequence: 744 });
    expect(copy.pending).toMatchObject([{ tool_use_id: "t148", round: 149 }]);
    expect(copy.dialog_history.slice(0, 148)).toMatchObject(
      state.dialog_history.slice(0, 148).map(({ answer }) => ({ answer })),
    );
    const answered = await hub.answer(byPerson(), { conversation_id: forked, question_id: "t148", answer: "a" });
    expect(answered).toMatchObject({ status: "answered", round: 149 });
  });

  test("does not appear at all if a commit fails", async () => {
    const [before, visible] = [await counts(), await seen()];
    const failing = hubWith(3, () => Promise.reject(new Error("no more")));
    await expect(failing.importConversation(byAgent(), jsonl(LONG))).rejects.toThrow("no more");
    await failing.stop();
    expect([await counts(), await seen()]).toEqual([before, visible]);
  });

  test("does not appear at all if the process dies, and its leftovers are removed", async () => {
    const [before, visible] = [await counts(), await seen()];
    const written = await new Promise<Hub>((resolve) => {
      const dying: Hub = hubWith(3, () => new Promise(() => resolve(dying)));
      void dying.importConversation(byAgent(), jsonl(LONG));
    });
    expect((await counts())[1]).toBeGreaterThan(before[1] ?? 0);
    expect(await seen()).toEqual(visible);
    await removeUnfinished(database, Date.now());
    expect((await counts())[1]).toBeGreaterThan(before[1] ?? 0);
    await removeUnfinished(database, Date.now() + A_DAY);
    expect(await counts()).toEqual(before);
    await written.stop();
  });

  test("delays nobody: other questions are asked and answered while it is written", async () => {
    let done = false;
    const importing = hub.importConversation(byAgent(), jsonl(thread(400))).then(() => {
      done = true;
    });
    await new Promise(setImmediate);
    const { conversation_id } = await hub.ask(byAgent(), { tool_use_id: "meanwhile", ...CHOICE });
    await hub.answer(byPerson(), { conversation_id, question_id: "meanwhile", answer: "a" });
    expect(done).toBe(false);
    await importing;
  });
});
