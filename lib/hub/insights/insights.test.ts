import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import type { Insights, InsightsQuery } from "../../protocol/insights.ts";
import type { Hub } from "../hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Monday, at 22:00 in UTC: Tuesday morning in Tokyo. */
const START = Date.UTC(2026, 0, 5, 22);

describe.each(DATABASES)("insights on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  let hub: Hub;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
    hub = testHub(db, { clock: () => START, limits: { maxDepth: 1_000 } });
    await hub.begin(byAgent(START));
    const settle = async (id: string, agent: string, at: number, tookMs: number, name: string) => {
      const { conversation_id } = await hub.ask(byAgent(at), { agent, tool_use_id: id, ...CHOICE });
      await hub.answer(byPerson(at + tookMs, name), { conversation_id, question_id: id, answer: "a" });
    };
    await settle("one", "builder", START, 10 * MINUTE, "Ann");
    await settle("two", "builder", START + HOUR, 20 * MINUTE, "Ann");
    await settle("three", "builder", START + 3 * HOUR, 30 * MINUTE, "Bo");
    await settle("four", "writer", START + 26 * HOUR, 40 * MINUTE, "Bo");
    const { conversation_id } = await hub.ask(byAgent(START), { agent: "writer", tool_use_id: "five", ...CHOICE });
    await hub.cancel(byPerson(START + 2 * HOUR, "Cy"), { conversation_id, question_id: "five" }, "no");
    await hub.ask(byAgent(START), { agent: "writer", tool_use_id: "open", ...CHOICE });
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });

  const NOW = START + 48 * HOUR;
  const read = (query: InsightsQuery = {}) => hub.insights(byPerson(NOW), query);
  const about = (ms: number) => expect.toSatisfy((value: number) => Math.abs(value - ms) <= ms * 0.01);

  test("count what was settled, by day, agent, person, outcome, hour and question", async () => {
    const found = await read();
    expect(found.now).toEqual({ open: 1, overdue: 1 });
    expect(found.total).toEqual({
      settled: 5,
      answered: 4,
      median_ms: about(20 * MINUTE),
      p90_ms: about(40 * MINUTE),
      waiting_ms: 220 * MINUTE,
    });
    expect(found.by_day.map(({ day, settled, answered }) => [day, settled, answered])).toEqual([
      ["2026-01-05", 2, 2],
      ["2026-01-06", 2, 1],
      ["2026-01-07", 1, 1],
    ]);
    expect(found.by_agent).toMatchObject([
      { agent: "builder", settled: 3, open: 0, waiting_ms: 60 * MINUTE },
      { agent: "writer", settled: 2, open: 1, answered: 1, median_ms: about(40 * MINUTE) },
    ]);
    expect(found.by_person.map(({ person, settled }) => [person, settled])).toEqual([
      ["Ann", 2],
      ["Bo", 2],
      ["Cy", 1],
    ]);
    expect(found.outcomes).toEqual([
      { outcome: "answered", settled: 4 },
      { outcome: "cancelled", settled: 1 },
    ]);
    expect(found.by_hour).toEqual([
      { weekday: 1, hour: 22, asked: 2 },
      { weekday: 1, hour: 23, asked: 1 },
      { weekday: 2, hour: 1, asked: 1 },
      { weekday: 3, hour: 0, asked: 1 },
    ]);
    expect(found.questions.map(({ question, agent, settled }) => [question, agent, settled])).toEqual([
      ["Which way?", "builder", 3],
      ["Which way?", "writer", 2],
    ]);
  });

  test("in a time zone, of an agent, in a span of time", async () => {
    const tokyo = await read({ time_zone: "Asia/Tokyo" });
    expect(tokyo.by_day.map(({ day, settled }) => [day, settled])).toEqual([
      ["2026-01-06", 4],
      ["2026-01-07", 1],
    ]);
    expect(tokyo.by_hour[0]).toEqual({ weekday: 2, hour: 7, asked: 2 });
    const writer = await read({ agent: "writer" });
    expect([writer.total.settled, writer.now.open, writer.by_agent.length]).toEqual([2, 1, 1]);
    expect((await read({ agent: ["builder", "nobody"] })).now.open).toBe(0);
    const early = await read({ to: new Date(START + HOUR).toISOString() });
    expect(early.total.settled).toBe(1);
    expect((await read({ from: new Date(START + 26 * HOUR).toISOString() })).total.settled).toBe(1);
    const none = await read({ from: new Date(NOW).toISOString() });
    expect([none.total.median_ms, none.by_day, none.questions]).toEqual([null, [], []]);
  });

  test("refuses what is no time zone, and who may not read", async () => {
    await expect(read({ time_zone: "Mars/Olympus" })).rejects.toMatchObject({ code: "invalid_request" });
    const call = { actor: { ...AGENT, rights: ["ask" as const] }, now: NOW };
    await expect(hub.insights(call, {})).rejects.toMatchObject({ code: "forbidden" });
  });

  test("export each table as CSV", async () => {
    const { content, file } = await hub.exportInsights(byPerson(NOW), { table: "by_person" });
    let text = "";
    for await (const piece of content) text += piece;
    expect(file).toBe("parley-by-person-2026-01-07.csv");
    const [header, first] = text.split("\r\n");
    expect(header).toBe("\ufeffperson,settled,answered,median_ms,p90_ms,waiting_ms");
    expect(first).toMatch(/^Ann,2,2,\d+,\d+,1800000$/);
  });

  test("are the same from chunks as from entries, also after one of them has changed", async () => {
    const count = 10_000;
    const number = kind === "sqlite" ? "i" : "i::int";
    const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)";
    await execute(
      db,
      `insert into search_entry (seq, inbox_item_id, conversation_id, closed_at, created_at, took_ms, agent, outcome, person, similar_key)
       ${numbers.replace("?", String(count))} select 100 + ${number}, 'inb_x' || i, 'ses_x', ${START} + i * 7, ${START}, i * 7, 'agent' || i % 3,
         case when i % 5 = 0 then 'timeout' else 'answered' end, case when i % 5 = 0 then null else 'person' || i % 4 end, 'k' || i % 100 from n`,
    );
    await execute(db, "update search_state set seq = ?", [100 + count]);
    const chunks = async () => (await readRows<{ n: number }>(db, "select count(*) as n from insight_chunk"))[0]?.n;
    const withoutQuestions = ({ questions: _, ...rest }: Insights) => rest;
    // Read before the background has written any chunk, or after: both must be the same.
    const before = withoutQuestions(await read());
    expect(before.total.settled).toBe(count + 5);
    const ask = async (id: string) =>
      hub.ask(byAgent(START), { agent: "late", tool_use_id: id, timeout_s: 60, ...CHOICE });
    const { conversation_id } = await ask("late");
    await read();
    await expect.poll(chunks).toBe(2);
    expect(withoutQuestions(await read())).toEqual({ ...before, now: { open: 2, overdue: 2 } });
    // An entry in a chunk is settled again: its chunk is dropped and written again.
    await execute(db, "delete from search_entry where seq > ?", [100 + count]);
    await execute(
      db,
      "update search_entry set inbox_item_id = (select inbox_item_id from ask where tool_use_id = 'late') where seq = 101",
    );
    await hub.answer(byPerson(START + MINUTE), { conversation_id, question_id: "late", answer: "a" });
    expect((await read()).total.settled).toBe(count + 5);
    await expect.poll(chunks).toBe(2);
    expect((await read()).total.settled).toBe(count + 5);
    expect((await read()).by_agent.find(({ agent }) => agent === "late")?.settled).toBe(1);
  });
});
