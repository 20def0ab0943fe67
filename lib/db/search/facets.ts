import type { Facet } from "../../protocol/facet.ts";
import type { InboxFacets, InboxFilter } from "../../protocol/inbox.ts";
import type { Database } from "../database.ts";
import { Query } from "../query.ts";

const MOST = 50;

const OPEN_ITEMS = "inbox_item i join conversation c on c.id = i.conversation_id and c.run_state <> 'hidden'";

const NOTHING = new Query<object, object>("select 1");

/** What all items of a status can be filtered by, and how long counting it took. */
export async function readFacets(
  db: Database,
  status: NonNullable<InboxFilter["status"]>,
): Promise<{ facets: InboxFacets; tookMs: number }> {
  // The thread that reads may have to start first, which says nothing about how much there is to count.
  await db.readAside(NOTHING, {});
  const began = performance.now();
  const open = status === "closed" ? [] : [facet(db, OPEN_ITEMS, "i.agent", "i.status = 'open'")];
  const openTitles = status === "closed" ? [] : [facet(db, OPEN_ITEMS, "c.title", "i.status = 'open'")];
  const settled = (column: string) =>
    status === "open" ? [] : [facet(db, "search_entry", column, "closed_at is not null")];
  const merged = async (parts: Promise<Facet>[]) => merge(await Promise.all(parts));
  const [agents, titles, people, outcomes] = await Promise.all([
    merged([...open, ...settled("agent")]),
    merged([...openTitles, ...settled("title")]),
    merged(settled("person")),
    merged(settled("outcome")),
  ]);
  return { facets: { agents, titles, people, outcomes }, tookMs: performance.now() - began };
}

async function facet(db: Database, from: string, column: string, where: string): Promise<Facet> {
  const query = new Query<object, Facet[number]>(
    `select ${column} as value, count(*) as count from ${from} where ${where} and ${column} is not null
     group by ${column} order by count(*) desc, ${column} limit ${MOST}`,
  );
  return db.readAside(query, {});
}

/** Both lists as one, the most frequent first. */
function merge(facets: Facet[]): Facet {
  const counts = new Map<string, number>();
  for (const { value, count } of facets.flat()) counts.set(value, (counts.get(value) ?? 0) + count);
  const all = [...counts].map(([value, count]) => ({ value, count }));
  return all.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST);
}
