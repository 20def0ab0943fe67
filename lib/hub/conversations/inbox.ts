import { countClosed, countSnoozed, findItem, listInbox, type Page, type Snoozer } from "../../db/hot/inbox.ts";
import { snoozedBy } from "../../db/hot/snoozes.ts";
import { MANY } from "../../db/search/find.ts";
import { countAlike } from "../../db/search/groups.ts";
import { filteredInbox, type Reading } from "../../db/search/list.ts";
import type { Call } from "../../protocol/actor.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { InboxFilter, InboxItem, InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import type { Overview } from "../access.ts";
import { snoozerOf } from "../asks/snooze.ts";
import type { HubContext } from "../context.ts";

export type InboxContext = Pick<HubContext, "db" | "openCount" | "facets" | "indexing">;

export async function inbox(ctx: InboxContext, seen: Overview, query: InboxQuery): Promise<InboxPage> {
  const { scope } = seen;
  const { facets, groups, cursor, limit, ...filter } = query;
  const isFirst = cursor === undefined;
  if (facets === "true") await ctx.indexing.catchUp();
  const [{ page, count, snoozed, reading }, open] = await Promise.all([
    listOf(ctx, filter, seen),
    ctx.openCount.read(scope),
  ]);
  const [{ items, next_cursor }, values] = await Promise.all([
    page(cursor, limit ?? 50),
    facets === "true" ? ctx.facets.read(filter.status ?? "open", scope) : undefined,
  ]);
  const counted = !isFirst ? { matching: null } : next_cursor === null ? { matching: items.length } : await count();
  return {
    items,
    counts: { open: open - snoozed, snoozed, at_least: false, ...counted },
    ...(values && { facets: values }),
    ...(groups === "true" && { groups: await countAlike(ctx.db, filter, items, reading) }),
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
    if (!item) return undefined;
    await ctx.access.to("read", call, item.session_id);
    return marked(item, (await snoozing(ctx, call)).until);
  } catch (error) {
    if (isParleyError(error) && error.code === "session_not_found") return undefined;
    throw error;
  }
}

/** Without filters the inbox is read as it is at this moment; with them, from the search entries. */
export async function listOf(ctx: InboxContext, filter: InboxFilter, { scope, call }: Overview) {
  const { actor, now } = call;
  const { until, snoozer } = await snoozing(ctx, call);
  const snoozed = snoozer ? await countSnoozed(ctx.db, snoozer, scope) : 0;
  const reading: Reading = { scope, me: actor.id ?? "", now, snoozer };
  const withMarks =
    (read: (cursor: string | undefined, limit: number) => Promise<Page>) =>
    async (cursor: string | undefined, limit: number): Promise<Page> => {
      const page = await read(cursor, limit);
      return { ...page, items: page.items.map((item) => marked(item, until)) };
    };
  if (isFiltered(filter)) {
    await ctx.indexing.catchUp();
    const { page, count } = await filteredInbox(ctx.db, filter, reading);
    return { page: withMarks(page), count, snoozed, reading };
  }
  const { status = "open" } = filter;
  return {
    page: withMarks((cursor, limit) => listInbox(ctx.db, { status, cursor, limit, scope, snoozer })),
    snoozed,
    reading,
    count: async () => {
      const open = status === "closed" ? 0 : (await ctx.openCount.read(scope)) - snoozed;
      const all = open + (status === "open" ? 0 : await countClosed(ctx.db, MANY + 1, scope));
      return status === "open"
        ? { matching: all, at_least: false }
        : { matching: Math.min(all, MANY), at_least: all > MANY };
    },
  };
}

type Snoozing = { until: ReadonlyMap<string, number>; snoozer: Snoozer | undefined };

/** What the caller has put away; no `snoozer` if that is nothing, and then the inbox is read as if nobody ever did. */
async function snoozing({ db }: Pick<HubContext, "db">, { actor, now }: Call): Promise<Snoozing> {
  const person_id = snoozerOf(actor);
  const until = person_id === undefined ? new Map<string, number>() : await snoozedBy(db, person_id, now);
  return { until, snoozer: person_id !== undefined && until.size > 0 ? { person_id, now } : undefined };
}

function marked(item: InboxItem, until: ReadonlyMap<string, number>): InboxItem {
  const at = item.status === "open" ? until.get(item.inbox_item_id) : undefined;
  return at === undefined ? item : { ...item, snoozed_until: new Date(at).toISOString() };
}

function isFiltered({ status: _status, q, ...others }: InboxFilter): boolean {
  return (q ?? "").trim() !== "" || Object.values(others).some((value) => value !== undefined);
}
