import Sqlite from "better-sqlite3";
import pg from "pg";

const TABLES = [
  "conversation",
  "turn",
  "message",
  "ask",
  "question",
  "answer",
  "inbox_item",
  "audit_event",
  "audit_seal",
] as const;

export type Row = Record<string, string | number | null>;
export type Tables = Record<(typeof TABLES)[number], Row[]>;

/** Everything that is stored, as of one moment, past the product's own code. */
export async function readTables(databaseUrl: string): Promise<Tables> {
  return databaseUrl.startsWith("file:") ? readSqlite(databaseUrl.slice("file:".length)) : readPostgres(databaseUrl);
}

function readSqlite(path: string): Tables {
  const db = new Sqlite(path, { readonly: true, timeout: 10_000 });
  try {
    const all = db.transaction(() => tables((table) => db.prepare(`select * from ${table}`).all() as Row[]));
    return all();
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url });
  client.setTypeParser(pg.types.builtins.INT8, Number);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read, read only");
    const rows = new Map<string, Row[]>();
    for (const table of TABLES) rows.set(table, (await client.query(`select * from ${table}`)).rows);
    await client.query("commit");
    return tables((table) => rows.get(table) ?? []);
  } finally {
    await client.end();
  }
}

function tables(read: (table: string) => Row[]): Tables {
  return Object.fromEntries(TABLES.map((table) => [table, read(table)])) as Tables;
}

/** One text for the whole contents, whatever order the rows came in: equal texts are equal databases. */
export function fingerprint(all: Tables): string {
  return TABLES.map((table) => {
    const rows = all[table].map((row) => JSON.stringify(Object.entries(row).sort()));
    return `${table}\n${rows.sort().join("\n")}`;
  }).join("\n\n");
}
