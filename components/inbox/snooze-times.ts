import { tomorrowAtNine } from "../question/deadlines.ts";

const HOUR_MS = 3_600_000;
/** Whoever puts something away until later today means before this hour. */
const EVENING = 22;
const MONDAY = 1;

type SnoozeTime = { name: "hour" | "today" | "tomorrow" | "week"; at: Date };

/** When a question may come back, by the clock of the person: in an hour, later today, tomorrow at nine, on Monday at nine. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const today = new Date(now.getTime() + 4 * HOUR_MS);
  today.setMinutes(0, 0, 0);
  const tomorrow = tomorrowAtNine(now);
  const daysToMonday = (7 + MONDAY - now.getDay()) % 7 || 7;
  const week = new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysToMonday, 9);
  return [
    { name: "hour", at: new Date(now.getTime() + HOUR_MS) },
    ...(today.getDate() === now.getDate() && today.getHours() <= EVENING
      ? [{ name: "today" as const, at: today }]
      : []),
    { name: "tomorrow", at: tomorrow },
    ...(week > tomorrow ? [{ name: "week" as const, at: week }] : []),
  ];
}

/** As a field for a date and a time has it, in the time zone of the person. */
export function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
