import { expect, test } from "vitest";
import { mcpFault } from "../fuzz/judge.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { fuzzMcp } from "./fuzz-mcp.ts";

test("hostile messages to MCP are harmless", async () => {
  const { violations, figures } = await fuzzMcp.run(await testOptions("sqlite", fuzzMcp.size.small));
  expect(violations).toEqual([]);
  expect(figures.messages).toBe(fuzzMcp.size.small);
  expect(figures.accepted).toBeGreaterThan(fuzzMcp.size.small / 5);
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
