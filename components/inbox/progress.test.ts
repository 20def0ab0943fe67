import { expect, test } from "vitest";
import { progressOf } from "./progress.ts";
import { item } from "./test-items.ts";

const rows = [item("a", 1), item("b", 2), item("c", 3)];
const nothing = new Map<string, unknown>();
const progress = (answered: string[], more: Partial<Parameters<typeof progressOf>[1]> = {}, items = rows) =>
  progressOf(items, { answered: new Set(answered), held: nothing, matching: undefined, ...more });

test("counts what is answered and what is left, wherever the answers are on their way", () => {
  expect(progress([])).toEqual({ done: 0, of: 3 });
  // About to be sent, recorded, and no longer in the list.
  expect(progress(["a"], { held: new Map([["a", 1]]) })).toEqual({ done: 1, of: 3 });
  expect(progress(["a"], {}, [item("a", 1, { status: "closed" }), ...rows.slice(1)])).toEqual({ done: 1, of: 3 });
  expect(progress(["a", "b"], {}, rows.slice(2))).toEqual({ done: 2, of: 3 });
});

test("an answer that was taken back is not counted, and a new question is", () => {
  expect(progress(["a"])).toEqual({ done: 0, of: 3 });
  expect(progress(["a"], {}, [...rows.slice(1), item("d", 4)])).toEqual({ done: 1, of: 4 });
});

test("counts questions that are not loaded yet", () => {
  expect(progress([], { matching: 5_008 })).toEqual({ done: 0, of: 5_008 });
  expect(progress(["a"], { held: new Map([["a", 1]]), matching: 5_008 })).toEqual({ done: 1, of: 5_008 });
});
