import { expect, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { againMcp, askAgainOverMcp } from "./again-mcp.ts";

const size = { sqlite: againMcp.small.times, postgresql: 60 };

test.each(["sqlite", "postgresql"] as const)(
  "asking again over MCP with one key is one question on %s, whatever breaks",
  async (kind) => {
    const options = await testOptions(kind, size[kind]);
    const { violations, figures } = await againMcp.run(options);
    expect(violations).toEqual([]);
    expect(figures.keys).toBe(size[kind]);
    for (const fault of ["reply lost", "stream cut"]) expect(figures[fault], fault).toBeGreaterThan(size[kind] / 5);
    expect(figures.kills).toBeGreaterThan(0);
  },
);

test("a client that does not name its call is detected", async () => {
  const options = await testOptions("sqlite", 12);
  const { violations } = await askAgainOverMcp(options, true);
  expect(violations.join("\n")).toMatch(/found several asks|was asked \d+ times/);
});
