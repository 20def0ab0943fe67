import type { Insights } from "../../protocol/insights.ts";
import { type FactColumns, OUTCOMES } from "./fact-columns.ts";
import { bucketOf, Load } from "./load.ts";
import { localTime } from "./zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_GROUPS = 50;
const MAX_QUESTIONS = 20;
/** `answered` and `replied`: a person did. */
const ANSWERED = 2;

export type Selection = { from: number; to: number; agents: readonly string[] | undefined; time_zone: string };

/** A question that is asked often: one of its asks, and all of them. */
export type FrequentQuestion = { seq: number; load: Load };

/** Counts settled asks, given in columns. */
export class InsightsCount {
  readonly #selection: Selection;
  readonly #localOfClosed: (at: number) => number;
  readonly #localOfAsked: (at: number) => number;
  readonly #total = new Load();
  readonly #days = new Map<number, Load>();
  readonly #agents = new Map<string, Load>();
  readonly #people = new Map<string, Load>();
  readonly #outcomes = new Uint32Array(OUTCOMES.length);
  readonly #hours = new Uint32Array(7 * 24);
  readonly #questions = new Map<number, number>();

  constructor(selection: Selection) {
    this.#selection = selection;
    // Each keeps the day that it was last asked for.
    this.#localOfClosed = localTime(selection.time_zone);
    this.#localOfAsked = localTime(selection.time_zone);
  }

  add(columns: FactColumns): void {
    const agents = columns.agents.map((name) => groupOf(this.#agents, name));
    const people = columns.people.map((name) => groupOf(this.#people, name));
    let lastDay = Number.NaN;
    let day = this.#total;
    eachSelected(columns, this.#selection, (index) => {
      const closed = columns.closed_at[index] ?? 0;
      const took = columns.took_ms[index] ?? 0;
      const outcome = columns.outcome[index] ?? 0;
      const bucket = outcome < ANSWERED ? bucketOf(took) : undefined;
      const nthDay = Math.floor(this.#localOfClosed(closed) / DAY_MS);
      if (nthDay !== lastDay) {
        day = groupOf(this.#days, nthDay);
        lastDay = nthDay;
      }
      this.#total.add(took, bucket);
      day.add(took, bucket);
      agents[columns.agent[index] ?? 0]?.add(took, bucket);
      people[(columns.person[index] ?? 0) - 1]?.add(took, bucket);
      this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
      const hour = hourOfWeek(this.#localOfAsked(closed - took));
      this.#hours[hour] = (this.#hours[hour] ?? 0) + 1;
      const question = columns.question[index] ?? 0;
      this.#questions.set(question, (this.#questions.get(question) ?? 0) + 1);
    });
  }

  /** Which questions were asked most, by their hashes, for `FrequentQuestions`. */
  frequent(): number[] {
    const repeated = [...this.#questions].filter(([, count]) => count > 1);
    return repeated
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, MAX_QUESTIONS)
      .map(([hash]) => hash);
  }

  result(): Omit<Insights, "from" | "to" | "time_zone" | "now" | "questions" | "by_agent"> & {
    by_agent: Array<Omit<Insights["by_agent"][number], "open">>;
  } {
    const days = [...this.#days].sort(([a], [b]) => a - b);
    const outcomes = OUTCOMES.map((outcome, index) => ({ outcome, settled: this.#outcomes[index] ?? 0 }));
    const hours = Array.from(this.#hours, (asked, index) => ({
      weekday: 1 + Math.floor(index / 24),
      hour: index % 24,
      asked,
    }));
    return {
      total: this.#total.result(),
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
    eachSelected(columns, selection, (index) => {
      const found = this.#found.get(columns.question[index] ?? 0);
      if (!found) return;
      const took = columns.took_ms[index] ?? 0;
      found.seq = columns.seq[index] ?? 0;
      found.load.add(took, (columns.outcome[index] ?? 0) < ANSWERED ? bucketOf(took) : undefined);
    });
  }

  result(): FrequentQuestion[] {
    return [...this.#found.values()];
  }
}

function eachSelected(columns: FactColumns, { from, to, agents }: Selection, visit: (index: number) => void): void {
  const isWanted = columns.agents.map((name) => agents === undefined || agents.includes(name));
  const { closed_at, agent } = columns;
  for (let index = 0; index < closed_at.length; index++) {
    const at = closed_at[index] ?? 0;
    if (at >= from && at < to && isWanted[agent[index] ?? 0]) visit(index);
  }
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
