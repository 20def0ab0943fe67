const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Whether this is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The local time of instants in one time zone: milliseconds since 1970 as its clocks show them. */
export function localTime(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-u-hc-h23", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const readOffset = (at: number): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  };
  // Asking for a date takes microseconds, and clocks change on few days: once per day, and per quarter of an hour on those.
  const kept = new Map<number, number>();
  const offsetAt = (start: number): number => {
    const known = kept.get(start);
    if (known !== undefined) return known;
    const offset = readOffset(start);
    kept.set(start, offset);
    return offset;
  };
  let day = Number.NaN;
  let offset: number | undefined;
  return (at) => {
    const start = Math.floor(at / DAY_MS) * DAY_MS;
    if (start !== day) {
      day = start;
      offset = offsetAt(start) === offsetAt(start + DAY_MS) ? offsetAt(start) : undefined;
    }
    // No zone changes its clocks other than at a quarter of an hour.
    return at + (offset ?? offsetAt(Math.floor(at / QUARTER_MS) * QUARTER_MS));
  };
}
