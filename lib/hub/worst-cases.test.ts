import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { execute } from "../db/test-sql.ts";
import { readJson } from "../domain/read-input.ts";
import { expectLinear } from "../domain/test-growth.ts";
import { lengthProblem } from "../protocol/characters.ts";
import type { Hub } from "./hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

// Any input, up to the limits, costs time in proportion to its size. Tested on SQLite, whose reads run in this process.

const FAMILY = "👨‍👩‍👧‍👦";
const families = (units: number) => FAMILY.repeat(units / FAMILY.length);
const refused = (promise: Promise<unknown>) => expect(promise).rejects.toMatchObject({ code: expect.any(String) });

let database: TestDatabase;
let db: Database;
let hub: Hub;
let conversation_id: string;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  db = await database.open();
  hub = testHub(db, { limits: { textMax: 100_000 } });
  const ask = await hub.ask(byAgent(), { question_text: "What does the log say?", type: "text", tool_use_id: "t" });
  conversation_id = ask.conversation_id;
});
afterAll(async () => {
  await hub.stop();
  await database.drop();
});

const tooLong = (units: number) => ({
  conversation_id,
  question_id: "t",
  answer: families(units) + "a".repeat(100_000),
});

test("a long answer", () => expectLinear(100_000, (units) => refused(hub.answer(byPerson(), tooLong(units)))));

test("a refused answer is measured once", async () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
  const calls = async (work: () => unknown) => {
    segment.mockClear();
    await work();
    return segment.mock.calls.length;
  };
  const once = await calls(() => lengthProblem(tooLong(100_000).answer, 100_000));
  expect(once).toBeGreaterThan(10);
  expect(await calls(() => refused(hub.answer(byPerson(), tooLong(100_000))))).toBe(once);
  segment.mockRestore();
});

test("a long question", () =>
  expectLinear(250_000, (units) => refused(hub.ask(byAgent(), { question_text: families(units), type: "text" }))));

test("a batch of long answers", () =>
  expectLinear(2, (count) =>
    hub.answerMany(
      byPerson(),
      Array.from({ length: count }, () => tooLong(100_000)),
    ),
  ));

test("a body of many values, and one long text", async () => {
  await expectLinear(4_500, (count) =>
    readJson(z.unknown(), JSON.stringify(Array(count).fill({ ü: 1 }).slice(0, 9_000))),
  );
  await expectLinear(250_000, (units) => readJson(z.unknown(), JSON.stringify("e\u0301".repeat(units / 2))));
});

test("an import, by its lines and by its rounds", async () => {
  await expectLinear(1_000, (lines) =>
    hub.importConversation(byAgent(), '{"type":"user","message":{"content":"a"}}\n'.repeat(lines)),
  );
  const round = (nth: number) => {
    const call = { type: "tool_use", id: `t${nth}`, name: "ask_user_question", input: CHOICE };
    return JSON.stringify({ type: "assistant", message: { role: "assistant", content: [call] } });
  };
  await expectLinear(100, (rounds) =>
    hub.importConversation(byAgent(), Array.from({ length: rounds }, (_, nth) => round(nth)).join("\n")),
  );
});

test("a search takes the same few reads however much is settled", async () => {
  const database = await testDatabase("sqlite");
  const db = await database.open();
  const hub = testHub(db);
  await hub.begin(byAgent());
  const { conversation_id } = await hub.ask(byAgent(), { question_text: "Open?", type: "text" });
  const insert = async (from: number, to: number) => {
    const numbers = "with recursive n(i) as (select ? union all select i + 1 from n where i < ?)";
    const text = "'question ' || printf('%05d', i)";
    const spaced = `' ' || ${text} || ' '`;
    await execute(
      db,
      `insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question,
         similar_key) ${numbers}
       select 'inb_' || printf('%08d', i), ?, 't' || i, 'closed', 0, i, i, 'agent', 1, ${text}, 'k' from n`,
      [from, to, conversation_id],
    );
    await execute(
      db,
      `insert into search_entry (seq, inbox_item_id, conversation_id, closed_at, created_at, took_ms, agent, similar_key) ${numbers}
       select 1000 + i, 'inb_' || printf('%08d', i), ?, i, i, 0, 'agent', 'k' from n`,
      [from, to, conversation_id],
    );
    await execute(db, `insert into search_text (seq, settled, text) ${numbers} select 1000 + i, 1, ${spaced} from n`, [
      from,
      to,
    ]);
    await execute(db, `insert into search_index (rowid, text) ${numbers} select 1000 + i, ${spaced} from n`, [
      from,
      to,
    ]);
  };
  const reads = vi.spyOn(db, "readAside");
  const search = async (q: string) => {
    reads.mockClear();
    const { items } = await hub.inbox(byPerson(), { status: "closed", q });
    return [items.length, reads.mock.calls.length];
  };
  await hub.inbox(byPerson(), { q: "prepares the index" });
  await insert(1, 20_000);
  const few = [await search("zebra"), await search("question")];
  await insert(20_001, 80_000);
  expect([await search("zebra"), await search("question")]).toEqual(few);
  expect(few.map(([found]) => found)).toEqual([0, 50]);
  reads.mockRestore();
  // Every item is still found, wherever it is.
  for (const q of ["question 00001", "question 39999", "question 80000"])
    expect((await hub.inbox(byPerson(), { status: "closed", q })).items.map((item) => item.question)).toEqual([q]);
  await hub.stop();
  await database.drop();
});
