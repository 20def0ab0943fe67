import { expect, test } from "vitest";
import { callContext } from "./call-context.ts";

test("a command is shown verbatim, and what else it is called with as JSON", () => {
  expect(callContext("Bash", { command: "rm -rf build\n", description: "Cleans up" })).toEqual([
    { path: "Bash", text: "rm -rf build\n" },
  ]);
  expect(callContext("Bash", { command: "sleep 9", run_in_background: true })).toEqual([
    { path: "Bash", text: "sleep 9" },
    { path: "run_in_background", text: '{\n  "run_in_background": true\n}' },
  ]);
});

test("an edit is shown as a patch, a new file as its text", () => {
  const edit = { file_path: "/app/pay.sql", old_string: "-- old\nselect 1;", new_string: "select 2;" };
  expect(callContext("Edit", edit)).toEqual([
    { path: "/app/pay.sql", text: "--- /app/pay.sql\n+++ /app/pay.sql\n--- old\n-select 1;\n+select 2;" },
  ]);
  expect(callContext("Edit", { ...edit, replace_all: true })[1]).toEqual({
    path: "replace_all",
    text: '{\n  "replace_all": true\n}',
  });
  expect(callContext("Write", { file_path: "/app/a.md", content: "# A" })).toEqual([
    { path: "/app/a.md", text: "# A" },
  ]);
});

test("everything else is shown as JSON, as much of it as an ask can hold", () => {
  expect(callContext("WebFetch", { url: "https://example.com" })).toEqual([
    { path: "WebFetch", text: '{\n  "url": "https://example.com"\n}' },
  ]);
  expect(callContext("Bash", { command: "x".repeat(30_000) })[0]?.text).toHaveLength(20_000);
  expect(callContext("Read", {})).toEqual([{ path: "Read", text: "{}" }]);
});
