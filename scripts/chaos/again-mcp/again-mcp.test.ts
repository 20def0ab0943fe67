import { expect, test } from "vitest";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { againMcp, askAgainOverMcp } from "./again-mcp.ts";

test("asking again over MCP with one key is one question, whatever breaks", async () => {
  const { violations, figures } = await runSmall(againMcp, "sqlite");
  expect(violations).toEqual([]);
  expect(figures.keys).toBe(againMcp.size.small);
  for (const fault of ["reply lost", "stream cut"])
    expect(figures[fault], fault).toBeGreaterThan(againMcp.size.small / 5);
  expect(figures.kills).toBeGreaterThan(0);
});

test("a client that does not name its call is detected", async () => {
  const options = await testOptions("sqlite", 12);
  const { violations } = await askAgainOverMcp(options, true);
  expect(violations.join("\n")).toMatch(/found several asks|was asked \d+ times/);
});
