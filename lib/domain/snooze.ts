/** A question comes back this long before its deadline at the latest, or halfway to it if that is sooner. */
const BEFORE_DEADLINE_MS = 15 * 60_000;

/** When a question comes back that someone puts away until then: its deadline must not pass meanwhile. */
export function snoozeEnd(until: number, deadline_at: number | null, now: number): number {
  if (deadline_at === null) return until;
  const ahead = Math.min(BEFORE_DEADLINE_MS, Math.max(0, deadline_at - now) / 2);
  return Math.min(until, Math.floor(deadline_at - ahead));
}
