import { countClosed, findItem, listInbox } from "../../db/hot/inbox.ts";
import { MANY } from "../../db/search/find.ts";
import { countAlike } from "../../db/search/groups.ts";
import { filteredInbox, type Reading } from "../../db/search/list.ts";
import type { Call } from "../../protocol/actor.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { InboxFilter, InboxItem, InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import type { Overview } from "../access.ts";
import type { HubContext } from "../context.ts";

export type InboxContext = Pick<HubContext, "db" | "openCount" | "facets" | "indexing">;

export async function inbox(ctx: InboxContext, seen: Overview, query: InboxQuery): Promise<InboxPage> {
  const { scope } = seen;
  const { facets, groups, cursor, limit, ...filter } = query;
  const isFirst = cursor === undefined;
  if (facets === "true") await ctx.indexing.catchUp();
  const [{ page, count }, open] = await Promise.all([listOf(ctx, filter, seen), ctx.openCount.read(scope)]);
  const [{ items, next_cursor }, values] = await Promise.all([
    page(cursor, limit ?? 50),
    facets === "true" ? ctx.facets.read(filter.status ?? "open", scope) : undefined,
  ]);
  const counted = !isFirst ? { matching: null } : next_cursor === null ? { matching: items.length } : await count();
  return {
    items,
    counts: { open, at_least: false, ...counted },
    ...(values && { facets: values }),
    ...(groups === "true" && { groups: await countAlike(ctx.db, filter, items, readingOf(seen)) }),
    next_cursor,
  };
}

/** One item by its id, open or settled; undefined if there is none. */
export async function inboxItem(
  ctx: Pick<HubContext, "db" | "access">,
  call: Call,
  id: string,
): Promise<InboxItem | undefined> {
  ctx.access.overview(call);
  const item = await findItem(ctx.db, id);
  try {
    if (item) await ctx.access.to("read", call, item.session_id);
    return item;
  } catch (error) {
    if (isParleyError(error) && error.code === "session_not_found") return undefined;
    throw error;
  }
}

/** Without filters the inbox is read as it is at this moment; with them, from the search entries. */
export async function listOf(ctx: InboxContext, filter: InboxFilter, seen: Overview) {
  if (isFiltered(filter)) {
    await ctx.indexing.catchUp();
    return filteredInbox(ctx.db, filter, readingOf(seen));
  }
  const { scope } = seen;
  const { status = "open" } = filter;
  return {
    page: (cursor: string | undefined, limit: number) => listInbox(ctx.db, { status, cursor, limit, scope }),
    count: async () => {
      const open = status === "closed" ? 0 : await ctx.openCount.read(scope);
      const all = open + (status === "open" ? 0 : await countClosed(ctx.db, MANY + 1, scope));
      return status === "open"
        ? { matching: all, at_least: false }
        : { matching: Math.min(all, MANY), at_least: all > MANY };
    },
  };
}

function readingOf({ scope, call: { actor, now } }: Overview): Reading {
  return { scope, me: actor.id ?? "", now };
}

function isFiltered({ status: _status, q, ...others }: InboxFilter): boolean {
  return (q ?? "").trim() !== "" || Object.values(others).some((value) => value !== undefined);
}
