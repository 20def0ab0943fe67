import type { Format } from "./paint.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const SOON_MS = 10 * MINUTE;

/** How long something took or takes, in its largest unit: `45 s`, `12 min`, `3 h`, `5 d`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** How long ago it was; seconds would only distract. */
export function age(at: string, now: number): string {
  const ms = now - Date.parse(at);
  return ms < MINUTE ? "now" : duration(ms);
}

/** How long until a deadline, or nothing if there is none. */
export function due(deadline: string | null, now: number): string {
  if (deadline === null) return "";
  const ms = Date.parse(deadline) - now;
  return ms <= 0 ? "overdue" : `in ${duration(ms)}`;
}

/** A deadline has a colour only when it is near. */
export function dueFormat(deadline: string | null, now: number): Format | undefined {
  if (deadline === null) return undefined;
  const ms = Date.parse(deadline) - now;
  return ms <= MINUTE ? "red" : ms <= SOON_MS ? "yellow" : undefined;
}

/** The time of day on the clock of this machine, with the date if it is another day. */
export function clockTime(at: string | number, now: number): string {
  const [time, today] = [new Date(at), new Date(now)];
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (time.toDateString() === today.toDateString()) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}
