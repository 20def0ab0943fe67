import type { KeyView } from "../../lib/protocol/api-key.ts";

type Times = Pick<KeyView, "revoked_at" | "expires_at">;

const WEEK_MS = 7 * 86_400_000;

/** Whether a key still works, and whether it will for long. */
export function keyState({ revoked_at, expires_at }: Times, now: number): "working" | "ending" | "expired" | "revoked" {
  if (revoked_at !== null) return "revoked";
  if (expires_at === null) return "working";
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return "expired";
  return left < WEEK_MS ? "ending" : "working";
}

export function isWorking(key: Times, now: number): boolean {
  return ["working", "ending"].includes(keyState(key, now));
}
