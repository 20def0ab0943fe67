import { AsyncLocalStorage } from "node:async_hooks";
import type { Committed } from "../../../lib/db/change.ts";
import type { Database } from "../../../lib/db/database.ts";
import { OutcomeUnknown, StorageError } from "../../../lib/db/errors.ts";
import { attempt, type Outcome } from "../kit/attempt.ts";
import type { Random } from "../kit/random.ts";

/** Where a call breaks: before its commit, after it, or after it without the caller ever learning of it. */
type Fault = "none" | "broken before" | "broken after" | "killed after";
type Caller = { fault: Fault; onKilled: () => void };

const caller = new AsyncLocalStorage<Caller>();

/** A database whose connection breaks where the caller says. */
export function withLostReplies(db: Database): Database {
  return {
    ...db,
    write: async (change) => {
      const { fault, onKilled } = caller.getStore() ?? { fault: "none", onKilled: () => {} };
      if (fault === "broken before") throw new StorageError("the connection broke");
      const committed = await db.write(change);
      if (fault === "broken after") throw new OutcomeUnknown("the connection broke");
      if (fault !== "killed after") return committed;
      onKilled();
      return new Promise<Committed>(() => {});
    },
  };
}

/** Repeats a call, as a client does that gets no reply or is told to try again. */
export async function insist<Value>(
  random: Random,
  call: () => Promise<Value>,
  onTry: (fault: Fault) => void,
): Promise<Outcome<Value>> {
  for (;;) {
    const fault = random.pick<Fault>(["none", "none", "broken before", "broken after", "killed after"]);
    onTry(fault);
    const outcome = await new Promise<Outcome<Value> | undefined>((resolve, reject) => {
      const state = { fault, onKilled: () => resolve(undefined) };
      caller.run(state, () => attempt(call).then(resolve, reject));
    });
    if (outcome && outcome.code !== "storage_unavailable") return outcome;
  }
}
