import { countClosed, findItem, listInbox } from "../../db/hot/inbox.ts";
import { MANY } from "../../db/search/find.ts";
import { filteredInbox } from "../../db/search/list.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { InboxFilter, InboxItem, InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import type { HubContext } from "../context.ts";

export type InboxContext = Pick<HubContext, "db" | "openCount" | "facets" | "indexing">;

export async function inbox(ctx: InboxContext, { actor, now }: Call, query: InboxQuery): Promise<InboxPage> {
  requireRight(actor, "read");
  const { facets, cursor, limit, ...filter } = query;
  const isFirst = cursor === undefined;
  if (facets === "true") await ctx.indexing.catchUp();
  const [{ page, count }, open] = await Promise.all([listOf(ctx, filter, now), ctx.openCount.read()]);
  const [{ items, next_cursor }, values] = await Promise.all([
    page(cursor, limit ?? 50),
    facets === "true" ? ctx.facets.read(filter.status ?? "open") : undefined,
  ]);
  const counted = !isFirst ? { matching: null } : next_cursor === null ? { matching: items.length } : await count();
  return {
    items,
    counts: { open, at_least: false, ...counted },
    ...(values && { facets: values }),
    next_cursor,
  };
}

/** One item by its id, open or settled; undefined if there is none. */
export async function inboxItem(
  ctx: Pick<HubContext, "db">,
  { actor }: Call,
  id: string,
): Promise<InboxItem | undefined> {
  requireRight(actor, "read");
  return findItem(ctx.db, id);
}

/** Without filters the inbox is read as it is at this moment; with them, from the search entries. */
export async function listOf(ctx: InboxContext, filter: InboxFilter, now: number) {
  if (isFiltered(filter)) {
    await ctx.indexing.catchUp();
    return filteredInbox(ctx.db, filter, now);
  }
  const { status = "open" } = filter;
  return {
    page: (cursor: string | undefined, limit: number) => listInbox(ctx.db, { status, cursor, limit }),
    count: async () => {
      const open = status === "closed" ? 0 : await ctx.openCount.read();
      const all = open + (status === "open" ? 0 : await countClosed(ctx.db, MANY + 1));
      return status === "open"
        ? { matching: all, at_least: false }
        : { matching: Math.min(all, MANY), at_least: all > MANY };
    },
  };
}

function isFiltered({ status: _status, q, ...others }: InboxFilter): boolean {
  return (q ?? "").trim() !== "" || Object.values(others).some((value) => value !== undefined);
}
