import type { Database } from "../../../lib/db/database.ts";

/** A query or commit that is held back. */
export type Gate = {
  /** Resolves when it has reached the gate. */
  reached: Promise<void>;
  /** Lets it continue. If none has come yet, none will be held back. */
  release: () => void;
};

type Operation = "read" | "write";
/** Held before it runs, or after it has run but before the caller learns of it. */
type Moment = "before" | "after";

/**
 * A database whose next read of an ask, or next commit, can be held back, to force any order of two calls. Other reads
 * pass: Parley's background reads would otherwise be held instead of the expected one.
 */
export function createGates(): {
  wrap: (db: Database) => Database;
  hold: (operation: Operation, moment: Moment) => Gate;
} {
  const waiting: Record<Operation, Array<{ moment: Moment; pass: () => Promise<void> }>> = { read: [], write: [] };

  const through = async <Result>(operation: Operation, run: () => Promise<Result>): Promise<Result> => {
    const gate = waiting[operation].shift();
    if (gate?.moment === "before") await gate.pass();
    const result = await run();
    if (gate?.moment === "after") await gate.pass();
    return result;
  };

  return {
    wrap: (db) => ({
      ...db,
      read: (query, params) =>
        /\bfrom ask\b/.test(query.sql) ? through("read", () => db.read(query, params)) : db.read(query, params),
      write: (change) => through("write", () => db.write(change)),
    }),
    hold: (operation, moment) => {
      let arrive = () => {};
      let release = () => {};
      const reached = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const gate = {
        moment,
        pass: () => {
          arrive();
          return released;
        },
      };
      waiting[operation].push(gate);
      return {
        reached,
        release: () => {
          waiting[operation] = waiting[operation].filter((other) => other !== gate);
          release();
        },
      };
    },
  };
}
