import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { Statement, selectJson } from "../statement.ts";
import { SEARCH_ENTRY, SEARCH_STATE, SEARCH_TEXT, type SearchEntryRow, type SearchStateRow } from "../tables.ts";
import { CHUNK } from "./facts.ts";

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
  const numbered = entries.map((entry, index) => ({
    ...entry,
    seq: before.seq + 1 + index,
    settled: entry.closed_at !== null,
  }));
  const rows = toJson(numbered);
  const ids = `select inbox_item_id from (${selectJson(db.kind, SEARCH_ENTRY, ["inbox_item_id"], "rows")}) as ids`;
  const old = `select seq from search_entry where inbox_item_id in (${ids})`;
  const isSqlite = db.kind === "sqlite";
  const statements = [
    new Statement(
      `update search_state set position = @position, began_at = @began_at, seq = @seq
       where id = 'state' and position = @before and seq = @last`,
      { position: after.position, began_at: after.began_at, seq: after.seq, before: before.position, last: before.seq },
      1,
    ),
    new Statement(
      `delete from insight_chunk where first_seq in (
         select seq / ${CHUNK} * ${CHUNK} from search_entry where closed_at is not null and inbox_item_id in (${ids}))`,
      { rows },
    ),
    ...(isSqlite
      ? [
          new Statement(
            `insert into search_index (search_index, rowid, text)
             select 'delete', seq, text from search_text where settled and seq in (${old})`,
            { rows },
          ),
        ]
      : []),
    new Statement(`delete from search_text where seq in (${old})`, { rows }),
    new Statement(`delete from search_entry where inbox_item_id in (${ids})`, { rows }),
    insert(db, SEARCH_ENTRY, rows, entries.length),
    insert(db, SEARCH_TEXT, rows, entries.length),
    ...(isSqlite
      ? [
          new Statement(
            `insert into search_index (rowid, text)
             select value ->> 'seq', value ->> 'text' from json_each(@rows) where value ->> 'settled'`,
            { rows },
          ),
        ]
      : []),
  ];
  await db.runAll(entries.length > 0 ? statements : statements.slice(0, 1));
  return after;
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
