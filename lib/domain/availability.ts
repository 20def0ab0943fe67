import type { QuietHours } from "../protocol/quiet-hours.ts";
import { isAway, type TeamPerson } from "./team.ts";

// When people can be notified. Quiet hours are in the person's local time, so 22:00 is 22:00 in summer and in winter, and
// days on which the clock changes need no special rule.

type Clock = Pick<TeamPerson, "time_zone" | "quiet_hours">;

const MINUTE_MS = 60_000;
const DAY_MIN = 1_440;

/** Whether the person does not want to be notified now. */
export function isQuiet(person: Clock, now: number): boolean {
  const hours = quietHoursOf(person);
  return hours !== null && isWithin(hours, wallClock(person.time_zone, now));
}

/**
 * When the person can be notified again: null if they can be now, `undefined` if that will not be for a week. It jumps to
 * where local time would show the end of the quiet hours and searches around it, because the clock may change in between.
 */
export function reachableAt(person: TeamPerson, now: number): number | null | undefined {
  if (isAway(person, now)) return person.out_of_office_until ?? undefined;
  const hours = quietHoursOf(person);
  if (!hours || !isQuiet(person, now)) return null;
  const end = minuteOf(hours.to);
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (let jumps = 0; jumps < MAX_JUMPS; jumps++) {
    const { minute } = wallClock(person.time_zone, at);
    at += ((end - minute + DAY_MIN) % DAY_MIN || 1) * MINUTE_MS;
    if (isQuiet(person, at)) continue;
    while (at - MINUTE_MS > now && !isQuiet(person, at - MINUTE_MS)) at -= MINUTE_MS;
    return at;
  }
  return undefined;
}

/** If quiet hours do not end within a week, nothing waits for them. */
const MAX_JUMPS = 16;

const parsed = new Map<string, QuietHours>();

function quietHoursOf({ quiet_hours }: Clock): QuietHours | null {
  if (quiet_hours === null) return null;
  const known = parsed.get(quiet_hours);
  if (known) return known;
  const hours = JSON.parse(quiet_hours) as QuietHours;
  if (parsed.size > 1_000) parsed.clear();
  parsed.set(quiet_hours, hours);
  return hours;
}

type WallClock = { day: number; minute: number };

function isWithin({ from, to, days }: QuietHours, { day, minute }: WallClock): boolean {
  const begins = (on: number) => days === undefined || days.includes(on);
  const [start, end] = [minuteOf(from), minuteOf(to)];
  if (start < end) return begins(day) && minute >= start && minute < end;
  const yesterday = day === 1 ? 7 : day - 1;
  return (begins(day) && minute >= start) || (begins(yesterday) && minute < end);
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Which day and minute it is where the person is; in UTC if they have not said where that is. */
function wallClock(time_zone: string | null, now: number): WallClock {
  const parts = new Map(
    clockOf(time_zone ?? "UTC")
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: DAYS.indexOf(parts.get("weekday") ?? "Mon") + 1,
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  clocks.set(timeZone, clock);
  return clock;
}
