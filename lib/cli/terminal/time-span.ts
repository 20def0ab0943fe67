const UNITS_MS: ReadonlyMap<string | undefined, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** The time after a span like `+15m`, `+1h` or `+2d`; undefined if the text is none. */
export function addedTo(from: number, text: string): number | undefined {
  const [, count, unit] = /^\+(\d{1,6})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : from + Number(count) * (UNITS_MS.get(unit) ?? 0);
}
