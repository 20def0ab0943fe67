import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { Query } from "../query.ts";
import { Statement, selectJson } from "../statement.ts";
import { SEARCH_ENTRY, SEARCH_STATE, SEARCH_TEXT, type SearchEntryRow, type SearchStateRow } from "../tables.ts";
import { CHUNK } from "./facts.ts";
import { numbersIn } from "./find.ts";

/** One item as it is now. */
export type Entry = Omit<SearchEntryRow, "seq"> & { text: string };

/**
 * Writes these entries in place of those that the items had, and how far the index now is, in one transaction. A conflict
 * means that another node was faster: nothing was written.
 */
export async function writeEntries(
  db: Database,
  before: SearchStateRow,
  to: Pick<SearchStateRow, "position" | "began_at">,
  entries: Entry[],
): Promise<SearchStateRow> {
  const after = { ...before, ...to, seq: before.seq + entries.length };
  const advance = new Statement(
    `update search_state set position = @position, began_at = @began_at, seq = @seq
     where id = 'state' and position = @before and seq = @last`,
    { position: after.position, began_at: after.began_at, seq: after.seq, before: before.position, last: before.seq },
    1,
  );
  // If another node changed entries in the meantime, the state differs and nothing is written.
  const old = await replacedBy(db, entries);
  await db.runAll([advance, ...deletions(db, old), ...insertions(db, before.seq, entries)]);
  return after;
}

/** The numbers of the entries that these take the place of: few, because most questions are settled before they are indexed. */
async function replacedBy(db: Database, entries: Entry[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const ids = selectJson(db.kind, SEARCH_ENTRY, ["inbox_item_id"], "rows");
  const query = new Query<{ rows: string }, { seq: number }>(
    `select seq from search_entry where inbox_item_id in (${ids})`,
  );
  const rows = await db.read(query, { rows: toJson(entries.map(({ inbox_item_id }) => ({ inbox_item_id }))) });
  return rows.map(({ seq }) => seq);
}

function deletions(db: Database, old: number[]): Statement[] {
  if (old.length === 0) return [];
  const { sql, params } = numbersIn(db.kind, old);
  const from = (text: string) => new Statement(text, params);
  return [
    from(
      `delete from insight_chunk where first_seq in (
         select seq / ${CHUNK} * ${CHUNK} from search_entry where closed_at is not null and seq in (${sql}))`,
    ),
    ...(db.kind === "sqlite"
      ? [
          from(
            `insert into search_index (search_index, rowid, text)
             select 'delete', seq, text from search_text where settled and seq in (${sql})`,
          ),
        ]
      : []),
    from(`delete from search_text where seq in (${sql})`),
    from(`delete from search_entry where seq in (${sql})`),
  ];
}

/** Each text travels once: SQLite reads it for its index from the row that was just written. */
function insertions(db: Database, last: number, entries: Entry[]): Statement[] {
  if (entries.length === 0) return [];
  const rows = entries.map(({ text: _, ...entry }, index) => ({ seq: last + 1 + index, ...entry }));
  const texts = entries.map(({ text, closed_at }, index) => ({
    seq: last + 1 + index,
    settled: closed_at !== null,
    text,
  }));
  return [
    insert(db, SEARCH_ENTRY, toJson(rows), entries.length),
    insert(db, SEARCH_TEXT, toJson(texts), entries.length),
    ...(db.kind === "sqlite"
      ? [
          new Statement(
            "insert into search_index (rowid, text) select seq, text from search_text where settled and seq > @last",
            { last },
          ),
        ]
      : []),
  ];
}

/** Begins the state, unless another node has. */
export async function createState(db: Database): Promise<void> {
  const row: SearchStateRow = { id: "state", position: 0, began_at: 0, seq: 0 };
  const marks = SEARCH_STATE.columns.map((column) => `@${column}`).join(", ");
  const sql = `insert into search_state (${SEARCH_STATE.columns.join(", ")}) values (${marks}) on conflict do nothing`;
  await db.run(new Statement(sql, row));
}

function insert<Row>(
  db: Database,
  table: Parameters<typeof selectJson<Row>>[1],
  rows: string,
  count: number,
): Statement {
  const columns = table.columns.join(", ");
  return new Statement(
    `insert into ${table.name} (${columns}) ${selectJson(db.kind, table, table.columns, "rows")}`,
    { rows },
    count,
  );
}
