import { expect, test } from "vitest";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { runSoak, soak } from "./soak.ts";
import { deliveryFault, type Hears } from "./watchers.ts";

test("every socket gets every message once, in order, and the memory is released", async () => {
  const { violations, figures } = await runSmall(soak, "sqlite");
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ sockets: 200, conversations: 50, answers: soak.size.small });
  expect(figures["messages delivered"]).toBe(soak.size.small * 2 * 4);
});

test("a lost envelope and a leak are detected", async () => {
  const options = { ...(await testOptions("sqlite", 60)), timeoutMs: 5_000 };
  let answers = 0;
  const hears: Hears = ({ type }) => type !== "question.answered" || ++answers !== 7;
  const { violations } = await runSoak({ ...options, env: { PARLEY_HOARD: "1" } }, hears);
  expect(violations).toEqual([
    expect.stringMatching(/came where|messages came/),
    expect.stringMatching(/the heap was/),
  ]);
});

test.each([
  ["all, in order", [1, 2, 3], undefined],
  ["the last missing", [1, 2], "2 of 3 messages came"],
  ["one missing", [1, 3], "message 3 came where 2 was due"],
  ["one twice", [1, 1, 2, 3], "message 1 came where 2 was due"],
  ["two swapped", [2, 1, 3], "message 2 came where 1 was due"],
])("%s is judged", (_, got, fault) => {
  expect(deliveryFault(got, 3)).toBe(fault);
});
