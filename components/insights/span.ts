/** How many days back the insights go. */
export const SPANS = ["7", "30", "90"] as const;
export type Span = (typeof SPANS)[number];

const DAY_MS = 86_400_000;

/** The page must work with any address a person types. */
export function spanFrom(value: string | null | undefined): Span {
  return SPANS.find((span) => span === value) ?? "30";
}

/** Every day of a span in a time zone, as `2026-11-18`, so that days on which nothing was settled are not left out. */
export function daysBetween(from: string, to: string, timeZone: string): string[] {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const days = new Set<string>();
  // Twice a day, because a day that begins daylight saving time is shorter.
  for (let at = Date.parse(from); at < Date.parse(to); at += DAY_MS / 2) days.add(format.format(at));
  days.add(format.format(Date.parse(to) - 1));
  return [...days];
}

export function beginOf(span: Span, now: number): string {
  return new Date(now - Number(span) * DAY_MS).toISOString();
}
