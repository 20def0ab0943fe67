import type { PersonView } from "../../lib/protocol/people.ts";

type Absence = Pick<PersonView, "out_of_office_until">;

/** Whether a person is out of office now. */
export function isAway({ out_of_office_until }: Absence, now: number): boolean {
  return out_of_office_until !== null && Date.parse(out_of_office_until) > now;
}

/** The day after `now` at nine in the morning, as a person types it: `2026-11-19T09:00`, in the time of this device. */
export function tomorrowMorning(now: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return asTyped(date.toISOString());
}

/** An instant as `<input type="datetime-local">` holds it. */
export function asTyped(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant that was typed; undefined if it is none, or not in the future. */
export function asInstant(typed: string, now: number): string | undefined {
  const at = Date.parse(typed);
  return Number.isNaN(at) || at <= now ? undefined : new Date(at).toISOString();
}
