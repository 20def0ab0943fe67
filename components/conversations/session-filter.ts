import type { Facet } from "../../lib/protocol/facet.ts";
import type { SessionQuery, SessionStatus } from "../../lib/protocol/session.ts";

/** The states that people tell apart, and those of the contract that each of them means. */
export const STATES = {
  waiting: ["waiting_input"],
  running: ["streaming"],
  done: ["active", "closed"],
  failed: ["error", "interrupted"],
} as const satisfies Record<string, SessionStatus[]>;
export type State = keyof typeof STATES;

export const STATE_NAMES = ["waiting", "running", "done", "failed"] as const satisfies State[];

export type ConversationFilter = { q: string; state: State | undefined; agent: string };

/** Reads the filter from the address. The list must work with any address a person types. */
export function filterFrom(read: (name: string) => string | null | undefined): ConversationFilter {
  const state = read("state");
  return {
    q: (read("q") ?? "").slice(0, 200),
    state: STATE_NAMES.find((each) => each === state),
    agent: (read("agent") ?? "").slice(0, 100),
  };
}

export function isFiltered({ q, state, agent }: ConversationFilter): boolean {
  return q.trim() !== "" || state !== undefined || agent !== "";
}

export function queryOf({ q, state, agent }: ConversationFilter): SessionQuery {
  return {
    q: q.trim() || undefined,
    state: state && [...STATES[state]],
    agent: agent || undefined,
    facets: "true",
    limit: 50,
  };
}

/** How many conversations are in a state, or in total. */
export function countOf(states: Facet, name: State | undefined): number {
  const wanted: readonly string[] | undefined = name && STATES[name];
  return states.reduce((sum, { value, count }) => sum + (!wanted || wanted.includes(value) ? count : 0), 0);
}

export function stateOf(status: SessionStatus): State {
  return STATE_NAMES.find((name) => STATES[name].some((each) => each === status)) ?? "done";
}
