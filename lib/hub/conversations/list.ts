import { conversationFacets, filteredConversations, type ListCursor } from "../../db/search/conversations.ts";
import { matches, plainWords } from "../../domain/views/search-text.ts";
import { sessionSummary } from "../../domain/views/session-summary.ts";
import type { FoundByWords, SessionPage, SessionQuery } from "../../protocol/session.ts";
import type { Overview } from "../access.ts";
import type { HubContext } from "../context.ts";

type Context = Pick<HubContext, "db" | "indexing">;

/** Latest activity first. */
export async function listConversations(
  ctx: Context,
  { scope }: Overview,
  { cursor, limit = 50, facets, ...filter }: SessionQuery,
): Promise<SessionPage> {
  if (filter.q) await ctx.indexing.catchUp();
  const { page, count } = await filteredConversations(ctx.db, filter, scope);
  const [rows, values] = await Promise.all([
    page(parseCursor(cursor), limit + 1),
    facets === "true" ? conversationFacets(ctx.db, scope) : undefined,
  ]);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const counted = cursor !== undefined ? { matching: null } : last ? await count() : { matching: rows.length };
  return {
    sessions: rows.slice(0, limit).map(sessionSummary),
    counts: { at_least: false, ...counted },
    ...(values && { facets: values }),
    next_cursor: last ? `${last.updated_at}.${last.id}` : null,
  };
}

const MOST = 8;

/** What a person may want to go to. */
export async function find(
  ctx: Context,
  { scope }: Overview,
  { q }: { q?: string | undefined },
): Promise<FoundByWords> {
  const { page } = await filteredConversations(ctx.db, { q }, scope);
  const [rows, { agents }] = await Promise.all([page(undefined, MOST), conversationFacets(ctx.db, scope)]);
  const words = plainWords(q ?? "");
  return {
    conversations: rows.map(sessionSummary),
    agents: agents.filter(({ value }) => matches(value.toLowerCase(), words)).slice(0, MOST),
  };
}

/** An unknown cursor starts at the first page. */
function parseCursor(text: string | undefined): ListCursor | undefined {
  const [, updated_at, id] = /^(\d{1,15})\.(\w{1,80})$/.exec(text ?? "") ?? [];
  return updated_at === undefined || id === undefined ? undefined : { updated_at: Number(updated_at), id };
}
