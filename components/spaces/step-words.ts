import type { Step, StepTarget } from "../../lib/protocol/space.ts";

export const GROUPS = ["assignee_or_members", "assignee", "members", "admins", "channels"] as const;
export type Group = (typeof GROUPS)[number];

export function isGroup(target: StepTarget): target is Group {
  return GROUPS.some((group) => group === target);
}

export const UNITS = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type Unit = keyof typeof UNITS;

/** Seconds as a whole number of the largest unit that fits. */
export function inUnits(seconds: number): { count: number; unit: Unit } {
  for (const unit of ["d", "h", "min"] as const)
    if (seconds > 0 && seconds % UNITS[unit] === 0) return { count: seconds / UNITS[unit], unit };
  return seconds === 0 ? { count: 0, unit: "min" } : { count: seconds, unit: "s" };
}

export type When = "at_once" | "after" | "before_deadline";

export function whenOf({ after_s, before_deadline_s }: Step): When {
  return before_deadline_s !== undefined ? "before_deadline" : after_s === 0 ? "at_once" : "after";
}

/** The same step at another time. */
export function at(step: Step, when: When, seconds: number): Step {
  const { after_s: _, before_deadline_s: __, ...rest } = step;
  if (when === "before_deadline") return { ...rest, before_deadline_s: Math.max(1, seconds) };
  return { ...rest, after_s: when === "at_once" ? 0 : seconds };
}

/** In the order in which they happen, the last call at the end. */
export function inOrder(steps: readonly Step[]): Step[] {
  const rank = ({ after_s, before_deadline_s }: Step) => after_s ?? Number.MAX_SAFE_INTEGER - (before_deadline_s ?? 0);
  return [...steps].sort((a, b) => rank(a) - rank(b));
}
