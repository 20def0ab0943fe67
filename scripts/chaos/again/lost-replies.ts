import { AsyncLocalStorage } from "node:async_hooks";
import type { Committed } from "../../../lib/db/change.ts";
import type { Database } from "../../../lib/db/database.ts";
import { OutcomeUnknown, StorageError } from "../../../lib/db/errors.ts";
import { attempt, type Told } from "../kit/attempt.ts";
import type { Random } from "../kit/scenario.ts";

/** Where the way of one call breaks: before its commit, after it, or after it with nobody left to say so. */
type Fault = "none" | "broken before" | "broken after" | "killed after";
type Caller = { fault: Fault; onKilled: () => void };

const caller = new AsyncLocalStorage<Caller>();

/** A database whose connection breaks as the caller wants it. */
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

/** Calls again and again, as a client does that gets no reply or is told to try again. */
export async function insist<Value>(
  random: Random,
  call: () => Promise<Value>,
  onTry: (fault: Fault) => void,
): Promise<Told<Value>> {
  for (;;) {
    const fault = random.pick<Fault>(["none", "none", "broken before", "broken after", "killed after"]);
    onTry(fault);
    const told = await new Promise<Told<Value> | undefined>((resolve, reject) => {
      const state = { fault, onKilled: () => resolve(undefined) };
      caller.run(state, () => attempt(call).then(resolve, reject));
    });
    if (told && told.code !== "storage_unavailable") return told;
  }
}
