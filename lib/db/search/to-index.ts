import type { Ask } from "../../domain/ask.ts";
import { asksOf, type JoinedAskRow } from "../ask-rows.ts";
import type { Database } from "../database.ts";
import { joinedAsks } from "../hot/asks.ts";
import { toJson } from "../json.ts";
import { Query, select } from "../query.ts";
import { type Params, selectJson } from "../statement.ts";
import { ASK, type ConversationRow, type InboxItemRow, SEARCH_STATE, type SearchStateRow } from "../tables.ts";

// What has changed since the search was last brought up to date. The seals are the one list of all changes, of all nodes,
// in one order: each names a conversation, and the events in it that no earlier seal covers name its asks.

const STATE = select(SEARCH_STATE, SEARCH_STATE.columns)<object>("where id = 'state'");

export async function readState(db: Database): Promise<SearchStateRow | undefined> {
  return (await db.read(STATE, {}))[0];
}

/** The events of one conversation after `from`, up to and including `to`. */
export type SealedSpan = { position: number; conversation_id: string; from: number | null; to: number };

const SPANS = new Query<{ position: number; limit: number }, SealedSpan>(
  `select position, conversation_id, number as "to", (
     select max(before.number) from audit_seal before where before.conversation_id = seal.conversation_id
       and before.number < seal.number and before.position < seal.position) as "from"
   from audit_seal seal where position is not null and position > @position order by position limit @limit`,
);

/** The seals after a position. Hidden conversations are not sealed, so they are never indexed. */
export async function spansAfter(db: Database, position: number, limit: number): Promise<SealedSpan[]> {
  return db.read(SPANS, { position, limit });
}

type Page = { conversation_id: string; after: string; limit: number };
type Changed = Page & { from: number; to: number };

const CHANGED = new Query<Changed, { tool_use_id: string }>(
  `select distinct tool_use_id from audit_event where conversation_id = @conversation_id and number > @from
     and number <= @to and tool_use_id > @after order by tool_use_id limit @limit`,
);
const ALL = select(ASK, ["tool_use_id"])<Page>(
  "where conversation_id = @conversation_id and tool_use_id > @after order by tool_use_id limit @limit",
);

/** A page of the asks that changed in a span, by id. The first span of a conversation has all of its asks. */
export async function changedAsks(
  db: Database,
  { conversation_id, from, to }: SealedSpan,
  after: string,
  limit: number,
): Promise<string[]> {
  const page = { conversation_id, after, limit };
  const rows = await (from === null ? db.read(ALL, page) : db.read(CHANGED, { from, to, ...page }));
  return rows.map((row) => row.tool_use_id);
}

export type AskKey = { conversation_id: string; tool_use_id: string };
type Label = Pick<ConversationRow, "agent" | "title" | "space_id"> & Pick<InboxItemRow, "similar_key">;
export type LabelledAsk = { ask: Ask } & Label;

type LabelledRow = JoinedAskRow & Label;

/** Asks, with what is known about their conversations. */
export async function labelledAsks(db: Database, keys: AskKey[]): Promise<LabelledAsk[]> {
  const asks = joinedAsks<Params>(
    `(a.conversation_id, a.tool_use_id) in (${selectJson(db.kind, ASK, ["conversation_id", "tool_use_id"], "keys")})`,
    "a.conversation_id, a.round, q.position",
  );
  const labels = new Query<Params, LabelledRow>(
    `select asks.*, c.agent, c.title, c.space_id, i.similar_key from (${asks.sql}) as asks
     join conversation c on c.id = asks.conversation_id join inbox_item i on i.id = asks.inbox_item_id
     order by asks.conversation_id, asks.round`,
  );
  const rows = await db.read(labels, { keys: toJson(keys) });
  const labelOf = new Map(rows.map((row) => [row.inbox_item_id, row]));
  return asksOf(rows).flatMap((ask) => {
    const row = labelOf.get(ask.inbox_item_id);
    if (!row) return [];
    const { agent, title, space_id, similar_key } = row;
    return [{ ask, agent, title, space_id, similar_key }];
  });
}
