import { expect, test } from "vitest";
import { type Column, cut, padded, table, widthOf } from "./columns.ts";
import { age, clockTime, due, dueFormat, duration } from "./when.ts";

type Row = { id: string; agent: string; text: string };
const COLUMNS: Column<Row>[] = [
  { title: "Agent", text: ({ agent }) => agent, grows: true },
  { title: "Question", text: ({ text }) => text, grows: true, format: () => "bold" },
  { title: "Id", text: ({ id }) => id, from: 60 },
];
const ROWS: Row[] = [
  { id: "ask_1", agent: "claude", text: "Deploy?" },
  { id: "ask_22", agent: "编译", text: "どのデータベースを使いますか？\n選んでください" },
];
const plain = (_format: unknown, text: string) => text;
const marked = (format: unknown, text: string) => `<${format}>${text}</>`;

test("columns are aligned by what is seen, and one row is one line", () => {
  expect(table(COLUMNS, ROWS, undefined, plain)).toEqual([
    "AGENT   QUESTION                                       ID",
    "claude  Deploy?                                        ask_1",
    "编译    どのデータベースを使いますか？ 選んでください  ask_22",
  ]);
});

test("on a narrow screen texts are cut, ids are left out whole, and no line is wider", () => {
  const lines = table(COLUMNS, ROWS, 30, plain);
  expect(lines).toEqual(["AGENT   QUESTION", "claude  Deploy?", "编译    どのデータベースを使…"]);
  for (let width = 20; width < 120; width++)
    for (const line of table(COLUMNS, ROWS, width, plain)) expect(widthOf(line)).toBeLessThanOrEqual(width);
});

test("colours do not count as width", () => {
  expect(table(COLUMNS, ROWS.slice(0, 1), undefined, marked)[1]).toBe("claude  <bold>Deploy?</>   ask_1");
});

test("a text is cut to a width, never in the middle of a character", () => {
  expect(cut("データ", 5)).toBe("デー…");
  expect(cut("データ", 6)).toBe("データ");
  expect(cut("👩‍👩‍👧 family", 3)).toBe("👩‍👩‍👧…");
  expect(padded("港", 4)).toBe("港  ");
  expect(cut("x", 0)).toBe("");
});

test("times are in their largest unit", () => {
  const now = Date.parse("2026-05-01T12:00:00Z");
  const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  expect([0, 59, 60, 3_599, 3_600, 90_000].map((seconds) => duration(seconds * 1_000))).toEqual([
    "0 s",
    "59 s",
    "1 min",
    "59 min",
    "1 h",
    "1 d",
  ]);
  expect([age(at(-5), now), age(at(-65), now)]).toEqual(["now", "1 min"]);
  expect([due(null, now), due(at(-1), now), due(at(30), now), due(at(7_300), now)]).toEqual([
    "",
    "overdue",
    "in 30 s",
    "in 2 h",
  ]);
  expect([null, at(30), at(300), at(3_600)].map((one) => dueFormat(one, now))).toEqual([
    undefined,
    "red",
    "yellow",
    undefined,
  ]);
  const noon = new Date(2026, 4, 1, 12, 5).getTime();
  expect([clockTime(noon, noon), clockTime(noon, noon + 86_400_000)]).toEqual(["12:05", "2026-05-01 12:05"]);
});
