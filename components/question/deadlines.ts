/** An extension: a duration, a new deadline, or null for none. */
export type Extension = { by_ms: number } | { until: Date | null };

/** The deadline that an extension leads to. Time is added to the deadline, or to now if that has just passed. */
export function extended(deadline: string, extension: Extension, now: number): string | null {
  if ("by_ms" in extension) return new Date(Math.max(Date.parse(deadline), now) + extension.by_ms).toISOString();
  return extension.until?.toISOString() ?? null;
}

/** Nine in the morning of the next day, where the person is. */
export function tomorrowAtNine(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
}
