import type { DatabaseKind } from "../../throwaway/database.ts";

/** An injected fault, the work done under it, and what must hold afterwards. */
export type Scenario = {
  name: string;
  /** One line for the list of scenarios. */
  about: string;
  /** The databases it applies to; both by default. */
  databases?: readonly DatabaseKind[];
  /** How much work `npm test` does, and how much `npm run chaos` does by default. */
  size: { small: number; whole: number };
  run: (options: RunOptions) => Promise<Report>;
};

export type RunOptions = {
  /** How much work to do; each scenario says in `about` what it counts. */
  times: number;
  seed: number;
  /** If set, the run lasts this many minutes and ignores `times`. */
  minutes?: number | undefined;
  /** A new database that nothing else uses. */
  databaseUrl: string;
  log: (line: string) => void;
  /** Settings of the servers that the scenario starts. A test plants a bug with them, which the scenario must detect. */
  env?: Record<string, string>;
  /** How long to wait for something that must happen, if the scenario's own patience is too long for a test. */
  timeoutMs?: number;
};

export type Report = {
  /** Everything that did not hold, one sentence each. Empty if all did. */
  violations: string[];
  /** What was done: a run in which every call failed proves nothing. */
  figures: Record<string, number | string>;
  /** What this machine cannot do, with the reason. Never counted as passed. */
  skipped?: string[];
};

export function kindOf(databaseUrl: string): DatabaseKind {
  return databaseUrl.startsWith("file:") ? "sqlite" : "postgresql";
}

/** Counts rounds from 0 up to `times`, or until `minutes` have passed. */
export function* rounds({ times, minutes }: Pick<RunOptions, "times" | "minutes">): Generator<number> {
  const end = Date.now() + (minutes ?? 0) * 60_000;
  for (let round = 0; minutes === undefined ? round < times : Date.now() < end; round++) yield round;
}
