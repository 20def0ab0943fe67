import { expect, test } from "vitest";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { rolling, runRolling } from "./rolling.ts";

test("nodes of a team are restarted and killed one after the other: nothing is lost, and nobody is signed out", async () => {
  const { violations, figures } = await runSmall(rolling, "postgresql");
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({
    "nodes restarted": 1,
    "nodes killed": 1,
    "turns taken over": 4,
    "turns that went on": 8,
  });
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});

test("someone who is signed out meanwhile is detected", async () => {
  const { violations } = await runRolling(await testOptions("postgresql", 1), (client, { admin, people }) =>
    client.call("POST", `/api/people/${people[0]?.id}`, { status: "disabled" }, admin.headers),
  );
  expect(violations.join("\n")).toMatch(/someone was signed out|a signed-in person is refused/);
});
