import { expect, test } from "vitest";
import { branchTitle } from "./branch-title.ts";

test("a branch is titled as one, and a branch of a branch is not marked twice", () => {
  expect(branchTitle(null, 2)).toBeNull();
  expect(branchTitle("Ledger", 2)).toBe("Ledger (branch at round 2)");
  expect(branchTitle("Ledger (branch at round 2)", 3)).toBe("Ledger (branch at round 3)");
  const long = branchTitle("長".repeat(200), 12) ?? "";
  expect([...long].length).toBe(200);
  expect(long).toMatch(/…\u0020\(branch at round 12\)$/);
});
