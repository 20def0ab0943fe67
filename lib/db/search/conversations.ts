import { plainWords, searchWords } from "../../domain/views/search-text.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { Facet } from "../../protocol/facet.ts";
import type { SessionFilter } from "../../protocol/session.ts";
import { TEAM_RECORD_SPACE } from "../../protocol/space.ts";
import type { Database } from "../database.ts";
import { isVisible, type VisibleConversation } from "../hot/conversations.ts";
import { Query } from "../query.ts";
import type { Params } from "../statement.ts";
import { CONVERSATION, type ConversationRow } from "../tables.ts";
import { contains, findSettled, MANY, numbersIn } from "./find.ts";
import { type Conditions, Where } from "./where.ts";

export type ListCursor = { updated_at: number; id: string };

/** `sessionStatus` of lib/domain/lifecycle.ts, in SQL. */
const STATE = `case when closed_at is not null then 'closed'
  when pending_asks > 0 and run_state in ('active', 'streaming') then 'waiting_input' else run_state end`;

/** Neither those still being written nor the record of the team itself. */
const LISTED = ["run_state <> 'hidden'", `space_id <> '${TEAM_RECORD_SPACE}'`];

export type FilteredConversations = {
  /** Latest activity first. */
  page: (after: ListCursor | undefined, limit: number) => Promise<VisibleConversation[]>;
  /** How many match, up to a limit. */
  count: () => Promise<{ matching: number; at_least: boolean }>;
};

export async function filteredConversations(
  db: Database,
  filter: SessionFilter,
  scope: Scope,
): Promise<FilteredConversations> {
  const where = new Where([...LISTED]);
  where.within(scope, "space_id", "api_key_id");
  where.oneOf("space_id", "space", filter.space);
  where.oneOf("agent", "agent", filter.agent);
  where.oneOf(STATE, "state", filter.state);
  const words = searchWords(filter.q ?? "");
  if (words.length > 0) {
    const { sql, params } = await withWords(db, words, plainWords(filter.q ?? ""));
    where.add(sql, params);
  }
  const { sql, params } = where.conditions();
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  const read = isFiltered ? db.readAside : db.read;
  return {
    page: async (after, limit) => {
      const behind = after ? " and (updated_at, id) < (@updated_at, @id)" : "";
      const query = new Query<Params, ConversationRow>(
        `select ${CONVERSATION.columns.join(", ")} from conversation ${sql}${behind} order by updated_at desc, id desc limit @limit`,
      );
      const rows = await read(query, { ...params, ...after, limit });
      return rows.filter(isVisible).map((row) => ({ ...row, interactive: Boolean(row.interactive) }));
    },
    count: async () => {
      const query = new Query<Params, { n: number }>(
        `select count(*) as n from (select 1 from conversation ${sql} limit @limit) as counted`,
      );
      const all = (await read(query, { ...params, limit: MANY + 1 }))[0]?.n ?? 0;
      return { matching: Math.min(all, MANY), at_least: all > MANY };
    },
  };
}

/**
 * By title or agent, where `plain` words may be inside of others, or by one of its questions, unless too many questions have
 * these words.
 */
async function withWords(db: Database, words: readonly string[], plain: readonly string[]): Promise<Conditions> {
  const found = await findSettled(db, words);
  const inText = contains(db.kind, "t.text", words);
  const inTitle = contains(db.kind, "lower(coalesce(title, '') || ' ' || agent)", plain, "title_word");
  const open = `select e.conversation_id from search_entry e join search_text t on t.seq = e.seq
    where e.closed_at is null and ${inText.test}`;
  const either = [`(${inTitle.test})`, `id in (${open})`];
  const params = { ...inText.params, ...inTitle.params };
  if (!("seqs" in found)) return { sql: `(${either.join(" or ")})`, params };
  const numbers = numbersIn(db.kind, found.seqs);
  either.push(
    `id in (select e.conversation_id from (${numbers.sql}) as found cross join search_entry e where e.seq = found.seq)`,
  );
  return { sql: `(${either.join(" or ")})`, params: { ...params, ...numbers.params } };
}

export type ConversationFacets = { states: Facet; agents: Facet };

/** What all conversations can be filtered by. */
export async function conversationFacets(db: Database, scope: Scope): Promise<ConversationFacets> {
  const [states, agents] = await Promise.all([facet(db, scope, STATE, 10), facet(db, scope, "agent", 50)]);
  return { states, agents };
}

async function facet(db: Database, scope: Scope, column: string, most: number): Promise<Facet> {
  const where = new Where([...LISTED]);
  where.within(scope, "space_id", "api_key_id");
  const { sql, params } = where.conditions();
  const query = new Query<object, { value: string; count: number }>(
    `select ${column} as value, count(*) as count from conversation ${sql}
     group by 1 order by count(*) desc, 1 limit ${most}`,
  );
  return db.readAside(query, params);
}
