import { expect, test } from "vitest";
import { SessionStatus } from "../../lib/protocol/session.ts";
import { countOf, filterFrom, isFiltered, queryOf, STATES, stateOf } from "./session-filter.ts";

test("every state of the contract is one that people tell apart, exactly once", () => {
  expect(Object.values(STATES).flat().toSorted()).toEqual(SessionStatus.options.toSorted());
  expect(stateOf("interrupted")).toBe("failed");
  expect(stateOf("active")).toBe("done");
});

test("an address that someone typed still shows the list", () => {
  const filter = filterFrom((name) => new URLSearchParams("state=nonsense&agent=ci").get(name));
  expect(filter).toEqual({ q: "", state: undefined, agent: "ci" });
  expect(isFiltered(filter)).toBe(true);
  expect(isFiltered(filterFrom(() => null))).toBe(false);
  expect(queryOf({ ...filter, state: "failed", q: "  " })).toMatchObject({
    state: ["error", "interrupted"],
    agent: "ci",
  });
  expect(queryOf({ ...filter, q: "  " }).q).toBeUndefined();
});

test("counts add up the states of the contract", () => {
  const states = [
    { value: "active", count: 3 },
    { value: "closed", count: 4 },
    { value: "waiting_input", count: 2 },
  ];
  expect(countOf(states, "done")).toBe(7);
  expect(countOf(states, "failed")).toBe(0);
  expect(countOf(states, undefined)).toBe(9);
});
