import { expect, test } from "vitest";
import { z } from "zod";
import { jsonProblem } from "./json-problem.ts";
import { readInput } from "./read-input.ts";

const Form = z.strictObject({
  name: z.string().min(1).max(5),
  kind: z.enum(["one", "two", "three"]),
  count: z.number().int().min(0).max(9),
  at: z.iso.datetime({ offset: true }),
  tags: z.array(z.string()).min(1).max(2),
  place: z.union([z.string(), z.number()]),
  on: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  page: z.coerce.number(),
});
const GOOD = {
  name: "ann",
  kind: "one",
  count: 1,
  at: "2026-01-31T12:00:00Z",
  tags: ["a"],
  place: 1,
  on: true,
  data: {},
  page: "2",
};

function problem(change: object): string {
  try {
    readInput(Form, { ...GOOD, ...change });
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "accepted";
}

test.each([
  [{}, "accepted"],
  [{ name: undefined }, "name: is missing; send text"],
  [{ name: 7 }, "name: must be text, not a number"],
  [{ name: "" }, "name: must not be empty"],
  [{ name: "longer" }, "name: must have at most 5 characters"],
  [{ kind: undefined }, 'kind: is missing; send "one", "two" or "three"'],
  [{ kind: "four" }, 'kind: must be "one", "two" or "three"'],
  [{ count: 1.5 }, "count: must be a whole number"],
  [{ count: -1 }, "count: must be at least 0"],
  [{ count: 10 }, "count: must be at most 9"],
  [{ count: null }, "count: must be a number, not null"],
  [{ at: "tomorrow" }, "at: must be a time, such as 2026-01-31T12:00:00Z"],
  [{ tags: {} }, "tags: must be a list, not an object"],
  [{ tags: [] }, "tags: must not be empty"],
  [{ tags: ["a", "b", "c"] }, "tags: must have at most 2 items"],
  [{ tags: [true] }, "tags[0]: must be text, not true"],
  [{ place: true }, "place: must be text or a number"],
  [{ on: "yes" }, "on: must be true or false, not text"],
  [{ data: [] }, "data: must be an object, not a list"],
  [{ page: "two" }, "page: must be a number, not other text"],
  [{ extra: 1 }, 'has a field that does not exist: "extra"'],
])("%j: %s", (change, words) => {
  expect(problem(change)).toBe(words);
});

test.each([
  ['{"a": 1}', undefined],
  ['{"a": 1', "line 1, column 8: a closing } is expected"],
  ["{'a': 1}", "line 1, column 2: this is not a JSON value; text needs double quotes"],
  ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma is expected"],
  ["[1, 2,]", "line 1, column 7: a value is expected"],
  ["{} {}", "line 1, column 4: there is more text after the end of the JSON"],
  ["// no\n{}", "line 1, column 1: JSON has no comments"],
  ['{"a": "b\n"}', "line 1, column 7: a text does not end; its closing double quote is missing"],
  ["", "line 1, column 1: a value is expected"],
  ["[".repeat(100_000), "it is nested too deeply"],
])("%.80s: %s", (text, where) => {
  expect(jsonProblem(text)).toBe(where);
});
