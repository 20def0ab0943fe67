import { expect, test } from "vitest";
import { scenarioDatabase } from "../kit/scenario-database.ts";
import { againMcp, askAgainOverMcp } from "./again-mcp.ts";

const size = { sqlite: againMcp.small.times, postgresql: 60 };

test.each(["sqlite", "postgresql"] as const)(
  "asked again over MCP, one key is one question on %s, whatever breaks",
  { timeout: 300_000 },
  async (kind) => {
    const options = { times: size[kind], seed: 1, databaseUrl: await scenarioDatabase(kind), log: () => {} };
    const { violations, figures } = await againMcp.run(options);
    expect(violations).toEqual([]);
    expect(figures.keys).toBe(size[kind]);
    for (const fault of ["reply lost", "stream cut"]) expect(figures[fault], fault).toBeGreaterThan(size[kind] / 5);
    expect(figures.kills).toBeGreaterThan(0);
  },
);

test("a client that does not name its call is found out", { timeout: 120_000 }, async () => {
  const options = { times: 12, seed: 1, databaseUrl: await scenarioDatabase("sqlite"), log: () => {} };
  const { violations } = await askAgainOverMcp(options, true);
  expect(violations.join("\n")).toMatch(/found several asks|was asked \d+ times/);
});
