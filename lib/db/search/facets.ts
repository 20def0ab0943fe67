import type { Scope } from "../../protocol/actor.ts";
import type { Facet } from "../../protocol/facet.ts";
import type { InboxFacets, InboxFilter } from "../../protocol/inbox.ts";
import type { Database } from "../database.ts";
import { Query } from "../query.ts";
import { KEY_OF_ENTRY, Where } from "./where.ts";

const MOST = 50;

const OPEN_ITEMS = "inbox_item i join conversation c on c.id = i.conversation_id and c.run_state <> 'hidden'";

const SETTLED = { space: "space_id", key: KEY_OF_ENTRY("search_entry") };

const NOTHING = new Query<object, object>("select 1");

/** What all items of a status can be filtered by, and how long counting it took. */
export async function readFacets(
  db: Database,
  status: NonNullable<InboxFilter["status"]>,
  scope: Scope,
): Promise<{ facets: InboxFacets; tookMs: number }> {
  // The thread that reads may have to start first, which says nothing about how much there is to count.
  await db.readAside(NOTHING, {});
  const began = performance.now();
  const open = (column: string) =>
    status === "closed"
      ? []
      : [facet(db, OPEN_ITEMS, column, "i.status = 'open'", { space: "i.space_id", key: "c.api_key_id" }, scope)];
  const settled = (column: string) =>
    status === "open" ? [] : [facet(db, "search_entry", column, "closed_at is not null", SETTLED, scope)];
  const merged = async (parts: Promise<Facet>[]) => merge(await Promise.all(parts));
  const [agents, titles, people, outcomes, spaces] = await Promise.all([
    merged([...open("i.agent"), ...settled("agent")]),
    merged([...open("c.title"), ...settled("title")]),
    merged(settled("person")),
    merged(settled("outcome")),
    merged([...open("i.space_id"), ...settled("space_id")]),
  ]);
  return { facets: { agents, titles, people, outcomes, spaces }, tookMs: performance.now() - began };
}

async function facet(
  db: Database,
  from: string,
  column: string,
  condition: string,
  { space, key }: { space: string; key: string },
  scope: Scope,
): Promise<Facet> {
  const where = new Where([condition, `${column} is not null`]);
  where.within(scope, space, key);
  const { sql, params } = where.conditions();
  const query = new Query<object, Facet[number]>(
    `select ${column} as value, count(*) as count from ${from} ${sql}
     group by ${column} order by count(*) desc, ${column} limit ${MOST}`,
  );
  return db.readAside(query, params);
}

/** Both lists as one, the most frequent first. */
function merge(facets: Facet[]): Facet {
  const counts = new Map<string, number>();
  for (const { value, count } of facets.flat()) counts.set(value, (counts.get(value) ?? 0) + count);
  const all = [...counts].map(([value, count]) => ({ value, count }));
  return all.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST);
}
