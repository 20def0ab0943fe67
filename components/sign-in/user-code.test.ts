import { expect, test } from "vitest";
import { asUserCode } from "./user-code.ts";

test.each([
  ["", ""],
  ["wx", "WX"],
  ["wxyz1", "WXYZ-1"],
  [" wxyz - 1234 ", "WXYZ-1234"],
  ["WXYZ-1234-5", "WXYZ-1234"],
])("“%s” reads “%s”", (typed, shown) => {
  expect(asUserCode(typed)).toBe(shown);
});
