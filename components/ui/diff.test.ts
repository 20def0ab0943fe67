import { expect, test } from "vitest";
import { diffKinds, isDiff } from "./diff.ts";

const PATCH = ["--- a/pay.sql", "+++ b/pay.sql", "@@ -1,2 +1,2 @@", " keep", "--- drop it", "+++ x"];

test("a patch is recognised by its name or by a hunk, and a list with dashes is none", () => {
  expect(isDiff(["-old", "+new"], "diff")).toBe(true);
  expect(isDiff(["-old", "+new"], "patch")).toBe(true);
  expect(isDiff(PATCH, "")).toBe(true);
  expect(isDiff(["- one", "- two"], "md")).toBe(false);
});

test("each line of a patch is a header, added, removed or unchanged, also one that looks like a header", () => {
  expect(diffKinds(PATCH)).toEqual(["header", "header", "header", "same", "removed", "added"]);
  const next = ["diff --git a/x b/x", "index 1a2b..3c4d", "--- a/x", "+++ b/x", "@@ -3 +3 @@ there", "-a", "+b"];
  expect(diffKinds([...PATCH, ...next]).slice(PATCH.length)).toEqual([
    ...["header", "header", "header", "header", "header"],
    ...["removed", "added"],
  ]);
  expect(diffKinds(["-old", "--- old", "+new"])).toEqual(["removed", "removed", "added"]);
  expect(isDiff(PATCH.slice(0, 2), "sql")).toBe(true);
});
