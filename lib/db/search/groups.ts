import { searchWords } from "../../domain/views/search-text.ts";
import type { InboxFilter, InboxItem, InboxPage } from "../../protocol/inbox.ts";
import type { Database } from "../database.ts";
import { list, Query } from "../query.ts";
import { CLAIMED, openWhere, type Reading } from "./list.ts";

type Groups = NonNullable<InboxPage["groups"]>;

/** How many of the items that match one answer can settle together: those like any of these items, or with a key of the filter. */
export async function countAlike(
  db: Database,
  filter: InboxFilter,
  items: readonly InboxItem[],
  reading: Reading,
): Promise<Groups> {
  const open = items.filter(({ status, irreversible }) => status === "open" && !irreversible);
  const keys = [...new Set([...open.map(({ similar_key }) => similar_key), ...[filter.similar ?? []].flat()])];
  if (keys.length === 0) return [];
  const { sql, params } = openWhere(db, filter, searchWords(filter.q ?? ""), reading);
  const { marks, params: wanted } = list("key", keys);
  const query = new Query<object, Groups[number]>(
    `select similar_key, count(*) as count from inbox_item ${sql} and similar_key in (${marks})
       and not irreversible and (not (${CLAIMED}) or claimed_by = @me)
     group by similar_key having count(*) > 1`,
  );
  const rows = await db.readAside(query, { ...params, ...wanted, me: reading.me, now: reading.now });
  return rows.map(({ similar_key, count }) => ({ similar_key, count: Number(count) }));
}
