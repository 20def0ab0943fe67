import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mcpFault } from "../fuzz/judge.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { fuzzMcp, runFuzzMcp } from "./fuzz-mcp.ts";

const size = { sqlite: fuzzMcp.small.times, postgresql: 1_000 };

test.each(["sqlite", "postgresql"] as const)("hostile messages to MCP are harmless on %s", async (kind) => {
  const { violations, figures } = await fuzzMcp.run(await testOptions(kind, size[kind]));
  expect(violations).toEqual([]);
  expect(figures.messages).toBe(size[kind]);
  expect(figures.accepted).toBeGreaterThan(size[kind] / 5);
});

test("a server that breaks is detected", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fault-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "fault"), "broken");
  const options = await testOptions("sqlite", 300);
  const { violations } = await runFuzzMcp({ ...options, env: { PARLEY_FAULT: join(folder, "fault") } });
  expect(violations.join("\n")).toMatch(/a failure of ours: .*internal|the server is gone/);
});

const result = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';

test.each([
  ["a result", 200, result, undefined],
  ["a stream", 200, `event: message\ndata: ${result}\n\n`, undefined],
  ["an error", 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', undefined],
  ["nothing, to a notification", 202, "", undefined],
  ["nothing, to a mistake", 400, "", /without a word/],
  ["a page", 200, "<html>", /not a message/],
  ["half a message", 200, '{"jsonrpc":"2.0","id":1}', /not a message/],
  ["a failure of ours", 200, result.replace("[]", '[{"type":"text","text":"internal: x"}]'), /of ours/],
  ["a stack trace", 200, result.replace("[]", '["at ask (/srv/ask.ts:3:14)"]'), /stack trace/],
])("%s is judged", (_, status, text, fault) => {
  if (fault === undefined) expect(mcpFault(status, text)).toBeUndefined();
  else expect(mcpFault(status, text)).toMatch(fault);
});
