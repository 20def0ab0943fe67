import type { DatabaseKind } from "../../throwaway/database.ts";

/** A fault put on purpose, the work done under it, and what must hold afterwards. */
export type Scenario = {
  name: string;
  /** One line for the list of scenarios. */
  about: string;
  /** Where it makes sense; both unless said otherwise. */
  databases?: readonly DatabaseKind[];
  /** The size at which `npm test` runs it. */
  small: { times: number };
  run: (options: RunOptions) => Promise<Report>;
};

export type RunOptions = {
  /** How much work; each scenario says in `about` what is counted. */
  times: number;
  seed: number;
  /** If given, goes on until so many minutes have passed, and `times` does not matter. */
  minutes?: number | undefined;
  /** A fresh database that nobody else uses. */
  databaseUrl: string;
  log: (line: string) => void;
};

export type Report = {
  /** What did not hold, one sentence each. Empty if all did. */
  violations: string[];
  /** What was done, so that a reader sees progress: a run in which everything failed proves nothing. */
  figures: Record<string, number | string>;
  /** What this machine does not allow, with the reason. Never counted as passed. */
  skipped?: string[];
};

export function kindOf(databaseUrl: string): DatabaseKind {
  return databaseUrl.startsWith("file:") ? "sqlite" : "postgresql";
}

/** Counts rounds from 0 until `times`, or until `minutes` have passed. */
export function* rounds({ times, minutes }: Pick<RunOptions, "times" | "minutes">): Generator<number> {
  const end = Date.now() + (minutes ?? 0) * 60_000;
  for (let round = 0; minutes === undefined ? round < times : Date.now() < end; round++) yield round;
}

/** Random numbers that are the same for the same seed (mulberry32). */
export type Random = {
  /** In [0, 1). */
  next: () => number;
  /** A whole number in [0, below). */
  int: (below: number) => number;
  /** From `least` to `most`, both possible. */
  between: (least: number, most: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  shuffle: <T>(list: readonly T[]) => T[];
  /** Letters and digits. */
  id: (length?: number) => string;
  /** Another stream that depends on this one's seed and the name alone, not on what was drawn before. */
  fork: (name: string | number) => Random;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error("Nothing to pick from.");
    return list[int(list.length)] as T;
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.map(() => left.splice(int(left.length), 1)[0] as T);
  };
  return {
    next,
    int,
    between: (least, most) => least + int(most - least + 1),
    chance: (probability) => next() < probability,
    pick,
    shuffle,
    id: (length = 12) => Array.from({ length }, () => pick([..."abcdefghijklmnopqrstuvwxyz0123456789"])).join(""),
    fork: (name) => createRandom(hash(`${seed}/${name}`)),
  };
}

/** FNV-1a: spreads near names far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
