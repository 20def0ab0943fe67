import type { Database } from "../db/database.ts";
import { findConversation } from "../db/hot/conversations.ts";
import type { createNormalise } from "../domain/shapes/normalise.ts";
import type { Team } from "../domain/team.ts";
import type { Purpose } from "../protocol/access.ts";
import type { Limits } from "../protocol/limits.ts";
import type { Access, Grants } from "./access.ts";
import type { AskAllowance } from "./asks/allowance.ts";
import type { AskCache } from "./asks/ask-cache.ts";
import type { Holds } from "./asks/holds.ts";
import type { Waiters } from "./asks/waiters.ts";
import type { Deliveries } from "./background/deliveries.ts";
import type { Indexing } from "./background/indexing.ts";
import type { Commit, Store } from "./commit.ts";
import type { FacetCache } from "./conversations/facet-cache.ts";
import { conversationNotFound, type Labels } from "./conversations/label.ts";
import type { OpenCount } from "./conversations/open-count.ts";
import type { HubEvents } from "./events.ts";

/**
 * Everything use cases can need; each one names the part it takes. The database holds the truth: the rest can be lost at
 * any moment.
 */
export type HubContext = {
  /** For reading. Changes go through `commit`, or `store` as long as nobody may be notified of them. */
  db: Database;
  /** Checks what callers may do. */
  access: Grants;
  commit: Commit;
  store: Store;
  asks: AskCache;
  allowance: AskAllowance;
  labels: Labels;
  openCount: OpenCount;
  facets: FacetCache;
  indexing: Pick<Indexing, "catchUp">;
  waiters: Waiters;
  holds: Holds;
  events: HubEvents;
  deliveries: Pick<Deliveries, "add">;
  node: LocalNode;
  limits: Limits;
  /** Who is in the team now. */
  team: () => Team;
  /** How long a claim holds. */
  claimMs: number;
  /** When people must be notified of an ask that is made now in this space; null if nobody can be. */
  notifyAt: (space_id: string, now: number) => number | null;
  /** Agents that only those may start who have the right to run agents on this machine. */
  guardedAgents: ReadonlySet<string>;
  normalise: ReturnType<typeof createNormalise>;
  /** How many messages may wait while a turn runs. */
  maxQueue: number;
  /** The folder with the question templates. */
  skillsFolder: string;
};

/** Enough to decide on an ask. */
export type AskContext = Pick<HubContext, "db" | "access" | "commit" | "asks" | "labels" | "team">;

/** Enough to begin and end turns. */
export type TurnContext = AskContext & Pick<HubContext, "node" | "limits">;

/** This process among the nodes that share the database. */
export type LocalNode = {
  readonly id: string;
  /** Owns the turns that begin here. Null while this process shuts down: another node begins them. */
  owner: string | null;
  /** The agents that this process runs. */
  readonly agents: ReadonlySet<string>;
};

/** The conversation as it is now. */
export async function requireConversation(
  { db }: Pick<HubContext, "db">,
  { conversation_id }: Pick<Access<Purpose>, "conversation_id">,
) {
  const row = await findConversation(db, conversation_id);
  if (!row) throw conversationNotFound(conversation_id);
  return row;
}
