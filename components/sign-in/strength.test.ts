import { expect, test } from "vitest";
import { isAccepted, strengthOf } from "./strength.ts";

test.each([
  ["", "short"],
  ["elevenchars", "short"],
  ["ana@example.com", "obvious"],
  ["Ana@Example.com", "obvious"],
  ["aaaaaaaaaaaaaaaa", "weak"],
  ["123456789012", "weak"],
  ["ana-example-1234", "weak"],
  ["passwordpassword", "weak"],
  ["blue kettle 7", "fair"],
  ["blue kettle under a quiet moon", "strong"],
  ["一只安静的蓝色茶壶在月亮下面", "strong"],
])("“%s” is %s", (password, expected) => {
  expect(strengthOf(password, ["ana@example.com", "Ana Example"])).toBe(expected);
});

test("only what is short or says who it belongs to is refused", () => {
  expect((["short", "obvious", "weak", "fair", "strong"] as const).map(isAccepted)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
