import type { Outcome } from "../../protocol/ask.ts";
import { bucketOf } from "./load.ts";

/** What insights know of one settled ask. */
export type Fact = {
  seq: number;
  closed_at: number;
  took_ms: number;
  agent: string;
  /** Null if nobody settled it. */
  person: string | null;
  outcome: Outcome;
  similar_key: string;
  space_id: string;
};

/** Names that the columns refer to by number. */
export type FactNames = { agents: string[]; people: string[]; spaces: string[] };

/** Many facts, column by column. */
export type FactColumns = FactNames & {
  closed_at: Float64Array;
  took_ms: Float32Array;
  /** A hash of `similar_key`. */
  question: Uint32Array;
  seq: Uint32Array;
  /** That of `took_ms`: lib/domain/insights/load.ts. */
  bucket: Uint16Array;
  agent: Uint16Array;
  /** 0: nobody. 1: the first of `people`. */
  person: Uint16Array;
  outcome: Uint8Array;
  space: Uint16Array;
};

export const OUTCOMES: readonly Outcome[] = ["answered", "replied", "cancelled", "timeout"];

const BYTES_PER_FACT = 8 + 4 + 4 + 4 + 2 + 2 + 2 + 2 + 1;

export function columnsOf(facts: readonly Fact[]): { columns: FactColumns; bytes: Uint8Array } {
  const bytes = new Uint8Array(facts.length * BYTES_PER_FACT);
  const columns = layOut(bytes.buffer, { agents: [], people: [], spaces: [] });
  const agents = new Numbers(columns.agents);
  const people = new Numbers(columns.people);
  const spaces = new Numbers(columns.spaces);
  facts.forEach((fact, index) => {
    columns.closed_at[index] = fact.closed_at;
    columns.took_ms[index] = fact.took_ms;
    columns.question[index] = hashOf(fact.similar_key);
    columns.seq[index] = fact.seq;
    columns.bucket[index] = bucketOf(fact.took_ms);
    columns.agent[index] = agents.of(fact.agent);
    columns.person[index] = fact.person === null ? 0 : 1 + people.of(fact.person);
    columns.space[index] = spaces.of(fact.space_id);
    columns.outcome[index] = OUTCOMES.indexOf(fact.outcome);
  });
  return { columns, bytes };
}

/** The columns in bytes that `columnsOf` made: the widest first, so that each begins where its numbers may. */
export function layOut(bytes: ArrayBuffer, names: FactNames): FactColumns {
  const count = bytes.byteLength / BYTES_PER_FACT;
  return {
    ...names,
    closed_at: new Float64Array(bytes, 0, count),
    took_ms: new Float32Array(bytes, 8 * count, count),
    question: new Uint32Array(bytes, 12 * count, count),
    seq: new Uint32Array(bytes, 16 * count, count),
    bucket: new Uint16Array(bytes, 20 * count, count),
    agent: new Uint16Array(bytes, 22 * count, count),
    person: new Uint16Array(bytes, 24 * count, count),
    space: new Uint16Array(bytes, 26 * count, count),
    outcome: new Uint8Array(bytes, 28 * count, count),
  };
}

class Numbers {
  readonly #names: string[];
  readonly #numbers = new Map<string, number>();

  constructor(names: string[]) {
    this.#names = names;
  }

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

/** FNV-1a. Two questions with the same hash would be counted as one: rare enough for the few that are asked most. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
