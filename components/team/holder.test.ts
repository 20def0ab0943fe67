import { expect, test } from "vitest";
import { holderOf, isClaimedByOther, isHeldBy } from "./holder.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const mei = { id: "per_mei", name: "Mei" };
const ana = { id: "per_ana", name: "Ana" };
const claim = (by: typeof mei, expires_at: string) => ({ by, at: "2026-11-18T11:30:00Z", expires_at });
const LATER = "2026-11-18T12:00:01Z";
const PAST = "2026-11-18T12:00:00Z";

test("whoever claimed it has it, until the claim ends; then whoever it is assigned to", () => {
  expect(holderOf({ claim: null, assignee: null }, NOW)).toBeUndefined();
  expect(holderOf({ claim: null, assignee: ana }, NOW)).toEqual({ how: "assigned", by: ana });
  expect(holderOf({ claim: claim(mei, LATER), assignee: ana }, NOW)).toEqual({ how: "claimed", by: mei, until: LATER });
  expect(holderOf({ claim: claim(mei, PAST), assignee: ana }, NOW)).toEqual({ how: "assigned", by: ana });
});

test("only a claim of someone else that still holds must be taken over", () => {
  const claimed = { claim: claim(mei, LATER), assignee: null };
  expect(isClaimedByOther(claimed, "per_ana", NOW)).toBe(true);
  expect(isClaimedByOther(claimed, "per_mei", NOW)).toBe(false);
  expect(isClaimedByOther({ claim: claim(mei, PAST), assignee: null }, "per_ana", NOW)).toBe(false);
  expect(isClaimedByOther({ claim: null, assignee: mei }, "per_ana", NOW)).toBe(false);
});

test("mine is what I claimed or was given; nobody's is what nobody has", () => {
  const free = { claim: null, assignee: null };
  const expired = { claim: claim(mei, PAST), assignee: null };
  const given = { claim: null, assignee: ana };
  const claimed = { claim: claim(mei, LATER), assignee: ana };
  const mine = (held: Parameters<typeof isHeldBy>[0], me: string) => isHeldBy(held, "me", me, NOW);
  expect([free, expired, given, claimed].map((held) => isHeldBy(held, "none", "per_ana", NOW))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([free, expired, given, claimed].map((held) => mine(held, "per_ana"))).toEqual([false, false, true, true]);
  expect([free, expired, given, claimed].map((held) => mine(held, "per_mei"))).toEqual([false, false, false, true]);
});
