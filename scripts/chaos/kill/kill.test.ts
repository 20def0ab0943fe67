import { expect, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { kill, POINTS, runKill } from "./kill.ts";

test.each(["sqlite", "postgresql"] as const)("nothing acknowledged is lost to kill -9 on %s", async (kind) => {
  const options = await testOptions(kind, kill.size.small, 20260101);
  const { violations, figures } = await kill.run(options);
  expect(violations).toEqual([]);
  expect(figures.kills).toBe(kill.size.small);
  for (const progress of [...POINTS, "asks acknowledged", "answers acknowledged", "replies acknowledged"])
    expect(figures[progress], progress).toBeGreaterThan(0);
});

test("a server that forgets a commit is detected", async () => {
  const options = await testOptions("sqlite", 5);
  const { violations } = await runKill({ ...options, env: { PARLEY_FORGET: "5" } });
  expect(violations.join("\n")).toMatch(/is gone|An unexpected reply/);
});
