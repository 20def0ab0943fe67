import type { Ask } from "../../domain/ask.ts";
import { asksOf } from "../ask-rows.ts";
import { joinedAsks } from "../hot/asks.ts";
import { list, Query, select } from "../query.ts";
import type { Reader } from "../snapshot.ts";
import type { Params } from "../statement.ts";
import {
  AUDIT_EVENT,
  AUDIT_SEAL,
  CONVERSATION,
  type ConversationRow,
  INBOX_ITEM,
  type InboxItemRow,
  MESSAGE,
  type MessageRow,
  TURN,
  type TurnRow,
} from "../tables.ts";
import { eventsAfter, type Seal, type SealedEvent, sealsBetween } from "./seals.ts";

// The whole record, conversation by conversation, for verification. Long conversations are read page by page; short ones
// together, so that a database of many needs few queries.

const PAGE = 500;
/** Messages may be large. */
const MESSAGES = 100;
const CONVERSATIONS = 200;
/** Nothing is numbered like this, and nothing below 1 should be. */
export const BEFORE_ALL = -2_147_483_648;

/** How each column of a conversation is verified, or why it is not. A new column does not compile until it is here. */
const HASHED = "its first event has a hash of it";
const COUNTED = "it is compared with what there is";
const WORKING_STATE = { notVerified: "working state; it lets nobody in" };
const CONVERSATION_COLUMNS = {
  id: HASHED,
  title: HASHED,
  agent: HASHED,
  interactive: HASHED,
  metadata: HASHED,
  forked_from: HASHED,
  forked_round: HASHED,
  space_id: HASHED,
  api_key_id: HASHED,
  created_at: HASHED,
  last_sequence: COUNTED,
  last_audit: COUNTED,
  current_round: COUNTED,
  run_state: "nothing sealed may be hidden",
  last_turn: COUNTED,
  total_rounds: WORKING_STATE,
  pending_asks: WORKING_STATE,
  turn_id: WORKING_STATE,
  queued_turns: WORKING_STATE,
  turn_asks: WORKING_STATE,
  ask_limit: WORKING_STATE,
  announced_limit: WORKING_STATE,
  closed_at: WORKING_STATE,
  updated_at: WORKING_STATE,
} as const satisfies Record<keyof ConversationRow, string | { notVerified: string }>;

type Verified = {
  [Column in keyof ConversationRow]: (typeof CONVERSATION_COLUMNS)[Column] extends string ? Column : never;
}[keyof ConversationRow];
export type RecordedConversation = Pick<ConversationRow, Verified>;
export type RecordedMessage = MessageRow;

type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;
export type Recorded = {
  conversation: RecordedConversation;
  events: Rows<SealedEvent>;
  seals: Rows<Seal>;
  /** Those after this one. */
  messages: (after: number) => Rows<RecordedMessage>;
  /** In order. */
  turns: Rows<TurnRow>;
  asks: (tool_use_ids: string[]) => Promise<Ask[]>;
  askCount: () => Promise<number>;
  inboxItems: (ids: string[]) => Promise<InboxItemRow[]>;
};

const isVerified = (column: keyof ConversationRow): column is Verified =>
  typeof CONVERSATION_COLUMNS[column] === "string";
const selectConversations = select(CONVERSATION, CONVERSATION.columns.filter(isVerified));
const AFTER_ID = selectConversations<{ after: string; limit: number }>("where id > @after order by id limit @limit");
const BY_ID = selectConversations<{ id: string }>("where id = @id");
const MESSAGES_AFTER = select(
  MESSAGE,
  MESSAGE.columns,
)<{ id: string; after: number; limit: number }>(
  "where conversation_id = @id and sequence_num > @after order by sequence_num limit @limit",
);
const TURNS_AFTER = select(
  TURN,
  TURN.columns,
)<{ id: string; after: number; limit: number }>(
  "where conversation_id = @id and number > @after order by number limit @limit",
);
const ASK_COUNT = new Query<{ id: string }, { asks: number }>(
  "select count(*) as asks from ask where conversation_id = @id",
);

/** The whole record, by conversation. Each must be read to its end before the next is requested. */
export async function* recordedConversations(db: Reader): AsyncGenerator<Recorded> {
  let after = "";
  for (;;) {
    const page = await db.read(AFTER_ID, { after, limit: CONVERSATIONS });
    for (const together of batches(page)) {
      const [first, ...more] = together;
      if (first && more.length === 0) yield paged(db, first);
      else yield* await readTogether(db, together);
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** One conversation, if it exists. */
export async function recordedConversation(db: Reader, id: string): Promise<Recorded | undefined> {
  const [conversation] = await db.read(BY_ID, { id });
  return conversation && paged(db, conversation);
}

function* batches(conversations: RecordedConversation[]): Generator<RecordedConversation[]> {
  let batch: RecordedConversation[] = [];
  let [events, messages] = [0, 0];
  for (const conversation of conversations) {
    const full = events + conversation.last_audit > PAGE || messages + conversation.last_sequence > PAGE;
    if (batch.length > 0 && full) {
      yield batch;
      [batch, events, messages] = [[], 0, 0];
    }
    batch.push(conversation);
    events += conversation.last_audit;
    messages += conversation.last_sequence;
  }
  if (batch.length > 0) yield batch;
}

export function paged(db: Reader, conversation: RecordedConversation): Recorded {
  const { id } = conversation;
  const messagesFrom = (after: number) => db.read(MESSAGES_AFTER, { id, after, limit: MESSAGES });
  return {
    conversation,
    events: pages(
      (number) => eventsAfter(db, id, number, PAGE),
      (event) => event.number,
      PAGE,
    ),
    seals: pages(
      (after) => sealsBetween(db, id, { after, limit: PAGE }),
      (seal) => seal.number,
      PAGE,
    ),
    messages: (after) => pages(messagesFrom, (message) => message.sequence_num, MESSAGES, after),
    turns: pages(
      (after) => db.read(TURNS_AFTER, { id, after, limit: PAGE }),
      (turn) => turn.number,
      PAGE,
    ),
    asks: async (ids) => {
      const { marks, params } = list("ask", ids);
      const where = `a.conversation_id = @id and a.tool_use_id in (${marks})`;
      return asksOf(await db.read(joinedAsks<Params>(where, "a.tool_use_id, q.position"), { id, ...params }));
    },
    askCount: async () => (await db.read(ASK_COUNT, { id }))[0]?.asks ?? 0,
    inboxItems: (ids) => inboxItems(db, ids),
  };
}

/** By their own ids: settled items have no index by conversation. */
async function inboxItems(db: Reader, ids: string[]): Promise<InboxItemRow[]> {
  const items: InboxItemRow[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const { marks, params } = list("id", ids.slice(from, from + PAGE));
    items.push(...(await db.read(select(INBOX_ITEM, INBOX_ITEM.columns)<Params>(`where id in (${marks})`), params)));
  }
  return items;
}

async function* pages<Row>(
  read: (after: number) => Promise<Row[]>,
  numberOf: (row: Row) => number,
  size: number,
  after = BEFORE_ALL,
): AsyncGenerator<Row> {
  for (;;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = numberOf(last);
  }
}

async function readTogether(db: Reader, conversations: RecordedConversation[]): Promise<Recorded[]> {
  const ids = conversations.map(({ id }) => id);
  const { marks, params } = list("id", ids);
  const inIds = `conversation_id in (${marks})`;
  const ordered = (column: string) => `where ${inIds} order by conversation_id, ${column}`;
  const events = await db.read(select(AUDIT_EVENT, AUDIT_EVENT.columns)(ordered("number")), params);
  const seals = await db.read(select(AUDIT_SEAL, AUDIT_SEAL.columns)(ordered("number")), params);
  const messages = await db.read(select(MESSAGE, MESSAGE.columns)(ordered("sequence_num")), params);
  const turns = await db.read(select(TURN, TURN.columns)(ordered("number")), params);
  const joined = joinedAsks<Params>(`a.${inIds}`, "a.conversation_id, a.tool_use_id, q.position");
  const asks = asksOf(await db.read(joined, params));
  const items = await inboxItems(
    db,
    asks.map((ask) => ask.inbox_item_id),
  );
  const itemOf = new Map(items.map((item) => [item.id, item]));
  const counted = await db.read(
    new Query<Params, { conversation_id: string; asks: number }>(
      `select conversation_id, count(*) as asks from ask where ${inIds} group by conversation_id`,
    ),
    params,
  );
  const [eventsOf, sealsOf, messagesOf, turnsOf, asksOfConversation, countOf] = [
    byConversation(events),
    byConversation(seals),
    byConversation(messages),
    byConversation(turns),
    byConversation(asks),
    byConversation(counted),
  ];
  return conversations.map((conversation) => {
    const { id } = conversation;
    return {
      conversation,
      events: eventsOf(id),
      seals: sealsOf(id),
      messages: (after) => messagesOf(id).filter((message) => message.sequence_num > after),
      turns: turnsOf(id),
      asks: async (wanted) => {
        const set = new Set(wanted);
        return asksOfConversation(id).filter((ask) => set.has(ask.tool_use_id));
      },
      askCount: async () => countOf(id)[0]?.asks ?? 0,
      inboxItems: async (ids) => ids.flatMap((item) => itemOf.get(item) ?? []),
    };
  });
}

function byConversation<Row extends { conversation_id: string }>(rows: Row[]): (id: string) => Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.conversation_id);
    if (group) group.push(row);
    else groups.set(row.conversation_id, [row]);
  }
  return (id) => groups.get(id) ?? [];
}

const ASK_OF = "ask a where a.conversation_id = t.conversation_id and a.tool_use_id = t.tool_use_id";

/** Rows that belong to nothing: table by table, a few of each. */
export async function strayRows(db: Reader): Promise<Array<{ table: string; owner: string }>> {
  const found: Array<{ table: string; owner: string }> = [];
  const without = async (table: string, column: string, parent: string) => {
    const stray = new Query<object, { owner: string }>(
      `select distinct ${column} as owner from ${table} t where not exists (select 1 from ${parent}) limit 10`,
    );
    for (const { owner } of await db.read(stray, {})) found.push({ table, owner });
  };
  for (const table of ["audit_event", "audit_seal", "message", "ask"])
    await without(table, "t.conversation_id", "conversation c where c.id = t.conversation_id");
  await without("inbox_item", "t.id", `${ASK_OF} and a.inbox_item_id = t.id`);
  await without("question", "t.question_id", ASK_OF);
  await without(
    "answer",
    "t.question_id",
    "question q where q.conversation_id = t.conversation_id and q.question_id = t.question_id",
  );
  return found;
}
