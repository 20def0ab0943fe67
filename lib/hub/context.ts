import { LRUCache } from "lru-cache";
import type { Database } from "../db/database.ts";
import { findConversation } from "../db/threads.ts";
import { createNormalise } from "../domain/normalise.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Limits } from "../protocol/limits.ts";
import { AskCache } from "./ask-cache.ts";
import type { HubEvents } from "./events.ts";
import { Waiters } from "./waiters.ts";

/** What the use cases share. The database holds the truth; everything else here can be lost at any moment. */
export type HubContext = {
  db: Database;
  limits: Limits;
  normalise: ReturnType<typeof createNormalise>;
  asks: AskCache;
  waiters: Waiters;
  events: HubEvents;
  /** The agent of a conversation: it never changes. */
  agents: LRUCache<string, string>;
};

export function createContext(db: Database, limits: Limits, events: HubEvents): HubContext {
  const agents = new LRUCache<string, string>({ max: 5_000 });
  return {
    db,
    limits,
    normalise: createNormalise(limits),
    asks: new AskCache(),
    waiters: new Waiters(),
    events,
    agents,
  };
}

export function sessionNotFound(session_id: string): ParleyError {
  return new ParleyError("session_not_found", `There is no conversation ${session_id}.`, { session_id });
}

export async function requireConversation(ctx: HubContext, session_id: string) {
  const row = await findConversation(ctx.db, session_id);
  if (!row) throw sessionNotFound(session_id);
  return row;
}
