import { expect, test } from "vitest";
import { byRecency, hasWords } from "./match.ts";

test("finds a text by all of its words, in any order and case", () => {
  expect(hasWords("Go to conversations", "CONV go")).toBe(true);
  expect(hasWords("Go to conversations", "go inbox")).toBe(false);
  expect(hasWords("主题：深色", "深色")).toBe(true);
  expect(hasWords("ﾃｰﾏ", "テーマ")).toBe(true);
  expect(hasWords("anything", "")).toBe(true);
});

test("puts what was used last first and keeps the order of the rest", () => {
  const actions = ["inbox", "connect", "dark", "light"];
  expect(byRecency(actions, (id) => id, ["light", "gone", "connect"])).toEqual(["light", "connect", "inbox", "dark"]);
  expect(byRecency(actions, (id) => id, [])).toEqual(actions);
});
