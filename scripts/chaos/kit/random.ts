import { createHash } from "node:crypto";

/**
 * Random choices that are the same for the same seed. fast-check cannot provide them: it draws all values before a run,
 * while a scenario draws in the middle of concurrent work, each worker from its own stream.
 */
export type Random = {
  /** A number in [0, 1). */
  next: () => number;
  /** An integer in [0, below). */
  int: (below: number) => number;
  /** An integer from `min` to `max`, both included. */
  between: (min: number, max: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  shuffle: <T>(list: readonly T[]) => T[];
  /** Letters and digits. */
  id: (length?: number) => string;
  /** A separate stream. It depends on this seed and the name only, not on earlier draws. */
  fork: (name: string | number) => Random;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]): T => {
    const at = int(list.length);
    for (const picked of list.slice(at, at + 1)) return picked;
    throw new Error("Nothing to pick from.");
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.flatMap(() => left.splice(int(left.length), 1));
  };
  return {
    next,
    int,
    between: (min, max) => min + int(max - min + 1),
    chance: (probability) => next() < probability,
    pick,
    shuffle,
    id: (length = 12) => Array.from({ length }, () => pick([..."abcdefghijklmnopqrstuvwxyz0123456789"])).join(""),
    fork: (name) => createRandom(createHash("sha256").update(`${seed}/${name}`).digest().readUInt32BE()),
  };
}
