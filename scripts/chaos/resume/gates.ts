import type { Database } from "../../../lib/db/database.ts";

/** One query or commit that is held up. */
export type Gate = {
  /** It has come to the gate. */
  reached: Promise<void>;
  /** It goes on; if none has come, none is held up any more. */
  release: () => void;
};

type Operation = "read" | "write";
/** Before it is done, or after: then it is done, and nobody knows yet. */
type Moment = "before" | "after";

/**
 * A database whose next read of an ask, or next commit, can be held up, to bring two calls into any order. Other reads
 * pass: those of Parley's background work would otherwise take the place of the one that is waited for.
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
