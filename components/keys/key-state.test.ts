import { expect, test } from "vitest";
import { isWorking, keyState } from "./key-state.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const key = (expires_at: string | null, revoked_at: string | null = null) => ({ expires_at, revoked_at });

test.each([
  [key(null), "working"],
  [key("2026-12-18T12:00:00Z"), "working"],
  [key("2026-11-20T12:00:00Z"), "ending"],
  [key("2026-11-18T12:00:00Z"), "expired"],
  [key(null, "2026-11-01T00:00:00Z"), "revoked"],
  [key("2026-11-01T00:00:00Z", "2026-10-01T00:00:00Z"), "revoked"],
] as const)("%o is %s", (given, expected) => {
  expect(keyState(given, NOW)).toBe(expected);
  expect(isWorking(given, NOW)).toBe(expected === "working" || expected === "ending");
});
