import { expect, test } from "vitest";
import { resultSummary, toolSummary } from "./tool-summary.ts";

test("a call is summed up by its command, its file or its first text", () => {
  expect(toolSummary({ description: "Run the tests", command: "npm  test\n-- unit" })).toBe("npm test -- unit");
  expect(toolSummary({ content: "…", file_path: "src/ledger.ts" })).toBe("src/ledger.ts");
  expect(toolSummary({ depth: 3, name: "ledger" })).toBe("ledger");
  expect(toolSummary({ depth: 3 })).toBe("");
  expect(toolSummary("plain")).toBe("plain");
  expect(toolSummary(null)).toBe("");
  expect(toolSummary({ command: "x".repeat(500) })).toHaveLength(121);
});

test("a result is summed up by its only line, or by the number of its lines", () => {
  expect(resultSummary("142 passed\n")).toEqual({ lines: 1, line: "142 passed" });
  expect(resultSummary("a\nb\nc")).toEqual({ lines: 3, line: "" });
  expect(resultSummary(" \n")).toEqual({ lines: 0, line: "" });
});
