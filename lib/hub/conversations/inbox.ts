import { countClosed, findItem, listInbox } from "../../db/hot/inbox.ts";
import { MANY } from "../../db/search/find.ts";
import { filteredInbox } from "../../db/search/list.ts";
import { canSee, requireRight, scopeOf, seesAll } from "../../domain/rights.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import type { InboxFilter, InboxItem, InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import { type HubContext, labelOf } from "../context.ts";

export type InboxContext = Pick<HubContext, "db" | "openCount" | "facets" | "indexing">;

export async function inbox(ctx: InboxContext, { actor, now }: Call, query: InboxQuery): Promise<InboxPage> {
  requireRight(actor, "read");
  const { facets, cursor, limit, ...filter } = query;
  const isFirst = cursor === undefined;
  const scope = scopeOf(actor);
  if (facets === "true") await ctx.indexing.catchUp();
  const [{ page, count }, open] = await Promise.all([listOf(ctx, filter, actor, now), ctx.openCount.read(scope)]);
  const [{ items, next_cursor }, values] = await Promise.all([
    page(cursor, limit ?? 50),
    facets === "true" ? ctx.facets.read(filter.status ?? "open", scope) : undefined,
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
  ctx: Pick<HubContext, "db" | "labels">,
  { actor }: Call,
  id: string,
): Promise<InboxItem | undefined> {
  requireRight(actor, "read");
  const item = await findItem(ctx.db, id);
  if (!item || seesAll(actor)) return item;
  return canSee(actor, await labelOf(ctx, item.session_id)) ? item : undefined;
}

/** Without filters the inbox is read as it is at this moment; with them, from the search entries. */
export async function listOf(ctx: InboxContext, filter: InboxFilter, actor: Actor, now: number) {
  const scope = scopeOf(actor);
  if (isFiltered(filter)) {
    await ctx.indexing.catchUp();
    return filteredInbox(ctx.db, filter, { scope, me: actor.id ?? "", now });
  }
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

function isFiltered({ status: _status, q, ...others }: InboxFilter): boolean {
  return (q ?? "").trim() !== "" || Object.values(others).some((value) => value !== undefined);
}
