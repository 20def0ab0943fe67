import type { Insights } from "../../protocol/insights.ts";
import { type FactColumns, OUTCOMES } from "./fact-columns.ts";
import { Load } from "./load.ts";
import { Tally } from "./tally.ts";
import { localTime } from "./zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_GROUPS = 50;
const MAX_QUESTIONS = 20;
/** `answered` and `replied`: a person did. */
const ANSWERED = 2;

export type Selection = {
  from: number;
  to: number;
  agents: readonly string[] | undefined;
  /** Undefined: all. */
  spaces: readonly string[] | undefined;
  time_zone: string;
};

/** A question that is asked often: one of its asks, and all of them. */
export type FrequentQuestion = { seq: number; load: Load };

/** Counts settled asks, given in columns. */
export class InsightsCount {
  readonly #selection: Selection;
  readonly #localOfClosed: (at: number) => number;
  readonly #localOfAsked: (at: number) => number;
  readonly #days = new Map<number, Load>();
  readonly #agents = new Map<string, Load>();
  readonly #people = new Map<string, Load>();
  readonly #outcomes = new Uint32Array(OUTCOMES.length);
  readonly #hours = new Uint32Array(7 * 24);
  readonly #questions = new Tally();

  constructor(selection: Selection) {
    this.#selection = selection;
    // Each keeps the day that it was last asked for.
    this.#localOfClosed = localTime(selection.time_zone);
    this.#localOfAsked = localTime(selection.time_zone);
  }

  add(columns: FactColumns): void {
    const { closed_at, took_ms, bucket, question, agent, person, outcome } = columns;
    const isWanted = wantedOf(columns, this.#selection);
    const agents = columns.agents.map((name) => groupOf(this.#agents, name));
    const people = columns.people.map((name) => groupOf(this.#people, name));
    let lastDay = Number.NaN;
    let day = new Load();
    for (let index = 0; index < closed_at.length; index++) {
      if (!isWanted(index)) continue;
      const closed = closed_at[index] ?? 0;
      const took = took_ms[index] ?? 0;
      const end = outcome[index] ?? 0;
      const time = end < ANSWERED ? bucket[index] : undefined;
      const nthDay = Math.floor(this.#localOfClosed(closed) / DAY_MS);
      if (nthDay !== lastDay) {
        day = groupOf(this.#days, nthDay);
        lastDay = nthDay;
      }
      day.add(took, time);
      agents[agent[index] ?? 0]?.add(took, time);
      people[(person[index] ?? 0) - 1]?.add(took, time);
      this.#outcomes[end] = (this.#outcomes[end] ?? 0) + 1;
      const hour = hourOfWeek(this.#localOfAsked(closed - took));
      this.#hours[hour] = (this.#hours[hour] ?? 0) + 1;
      this.#questions.add(question[index] ?? 0);
    }
  }

  /** Which questions were asked most, by their hashes, for `FrequentQuestions`. */
  frequent(): number[] {
    return this.#questions.most(MAX_QUESTIONS);
  }

  result(): Omit<Insights, "from" | "to" | "time_zone" | "now" | "questions" | "by_agent"> & {
    by_agent: Array<Omit<Insights["by_agent"][number], "open">>;
  } {
    const days = [...this.#days].sort(([a], [b]) => a - b);
    const total = new Load();
    for (const [, day] of days) total.merge(day);
    const outcomes = OUTCOMES.map((outcome, index) => ({ outcome, settled: this.#outcomes[index] ?? 0 }));
    const hours = Array.from(this.#hours, (asked, index) => ({
      weekday: 1 + Math.floor(index / 24),
      hour: index % 24,
      asked,
    }));
    return {
      total: total.result(),
      by_day: days.map(([nth, load]) => ({ day: new Date(nth * DAY_MS).toISOString().slice(0, 10), ...load.result() })),
      by_agent: most(this.#agents).map(([agent, load]) => ({ agent, ...load.result() })),
      by_person: most(this.#people).map(([person, load]) => ({ person, ...load.result() })),
      outcomes: outcomes.filter(({ settled }) => settled > 0).sort((a, b) => b.settled - a.settled),
      by_hour: hours.filter(({ asked }) => asked > 0),
    };
  }
}

/** The load of some questions, by their hashes. */
export class FrequentQuestions {
  readonly #found: Map<number, FrequentQuestion>;

  constructor(hashes: readonly number[]) {
    this.#found = new Map(hashes.map((hash) => [hash, { seq: 0, load: new Load() }]));
  }

  add(columns: FactColumns, selection: Selection): void {
    const { took_ms, bucket, question, seq, outcome } = columns;
    const isWanted = wantedOf(columns, selection);
    for (let index = 0; index < question.length; index++) {
      const found = this.#found.get(question[index] ?? 0);
      if (!found || !isWanted(index)) continue;
      found.seq = seq[index] ?? 0;
      found.load.add(took_ms[index] ?? 0, (outcome[index] ?? 0) < ANSWERED ? bucket[index] : undefined);
    }
  }

  result(): FrequentQuestion[] {
    return [...this.#found.values()];
  }
}

function wantedOf(
  { closed_at, agent, agents, space, spaces }: FactColumns,
  selection: Selection,
): (index: number) => boolean {
  const { from, to } = selection;
  const isWanted = agents.map((name) => selection.agents?.includes(name) ?? true);
  const isSeen = spaces.map((id) => selection.spaces?.includes(id) ?? true);
  return (index) => {
    const at = closed_at[index] ?? 0;
    return at >= from && at < to && (isWanted[agent[index] ?? 0] ?? false) && (isSeen[space[index] ?? 0] ?? false);
  };
}

function groupOf<Key>(groups: Map<Key, Load>, key: Key): Load {
  const known = groups.get(key);
  if (known) return known;
  const load = new Load();
  groups.set(key, load);
  return load;
}

function most(groups: Map<string, Load>): Array<[string, Load]> {
  const counted = [...groups].filter(([, load]) => load.settled > 0);
  return counted.sort(([a, x], [b, y]) => y.settled - x.settled || (a < b ? -1 : 1)).slice(0, MAX_GROUPS);
}

/** 0 is Monday at midnight; 1970 began on a Thursday. */
function hourOfWeek(local: number): number {
  const hour = Math.floor(local / HOUR_MS) + 3 * 24;
  return ((hour % 168) + 168) % 168;
}
