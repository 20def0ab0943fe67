import { LRUCache } from "lru-cache";
import type { Change, Committed } from "../db/change.ts";
import type { Database } from "../db/database.ts";
import { findConversation } from "../db/hot/conversations.ts";
import { createNormalise } from "../domain/shapes/normalise.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Limits } from "../protocol/limits.ts";
import { AskCache } from "./asks/ask-cache.ts";
import { Holds } from "./asks/holds.ts";
import { Waiters } from "./asks/waiters.ts";
import type { AuditKey } from "./audit/key.ts";
import { Deliveries } from "./background/deliveries.ts";
import { type About, commit } from "./commit.ts";
import type { HubEvents } from "./events.ts";

/** What the use cases share. The database holds the truth; everything else here can be lost at any moment. */
export type HubContext = {
  db: Database;
  auditKey: AuditKey;
  limits: Limits;
  normalise: ReturnType<typeof createNormalise>;
  asks: AskCache;
  waiters: Waiters;
  /** Asks that a program waits for which may ask again when it gives up. */
  holds: Holds;
  events: HubEvents;
  /** Results that agents were given. */
  deliveries: Deliveries;
  /** Stores a change, then tells: lib/hub/commit.ts. */
  commit: (change: Change, ...about: About[]) => Promise<Committed>;
  /** The pauses between the looks for a change of which it is not known whether it was stored. */
  lookAgainMs: readonly number[];
  /** What never changes of a conversation. */
  conversations: LRUCache<string, Named>;
  /** This process, as the owner of the turns that it runs. */
  node: string;
  /** Who owns the turns that begin here. Nobody, once this process is about to end: another node begins them. */
  owner: string | null;
  /** The agents that this process runs. */
  runnable: ReadonlySet<string>;
  /** Messages that may wait while a turn runs. */
  maxQueue: number;
  /** Where the templates of questions are. */
  skillsFolder: string;
};

export type Named = { agent: string; title: string | null };

type HubSettings = Pick<
  HubContext,
  "auditKey" | "limits" | "lookAgainMs" | "maxQueue" | "node" | "runnable" | "skillsFolder"
>;

export function createContext(db: Database, settings: HubSettings, events: HubEvents): HubContext {
  const ctx: HubContext = {
    ...settings,
    owner: settings.node,
    db,
    commit: (change, ...about) => commit(ctx, change, ...about),
    normalise: createNormalise(settings.limits),
    asks: new AskCache(),
    waiters: new Waiters(),
    holds: new Holds(db),
    events,
    deliveries: new Deliveries(),
    conversations: new LRUCache<string, Named>({ max: 5_000 }),
  };
  return ctx;
}

export function conversationNotFound(conversation_id: string): ParleyError {
  return new ParleyError("session_not_found", `There is no conversation ${conversation_id}.`, {
    session_id: conversation_id,
  });
}

export async function requireConversation(ctx: HubContext, conversation_id: string) {
  const row = await findConversation(ctx.db, conversation_id);
  if (!row) throw conversationNotFound(conversation_id);
  return row;
}

export async function named(ctx: HubContext, conversation_id: string): Promise<Named> {
  const known = ctx.conversations.get(conversation_id);
  if (known) return known;
  const { agent, title } = await requireConversation(ctx, conversation_id);
  ctx.conversations.set(conversation_id, { agent, title });
  return { agent, title };
}
