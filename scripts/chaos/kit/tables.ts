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
  "person",
  "auth_identity",
  "passkey",
  "api_key",
  "one_time_token",
  "space",
  "space_member",
  "space_wish",
  "channel",
  "notification",
  "seen_item",
  "snooze",
] as const;

export type Row = Record<string, string | number | null>;
export type Tables = Record<(typeof TABLES)[number], Row[]>;

/** Reads every table as of one moment, without the product's code. */
export async function readTables(databaseUrl: string): Promise<Tables> {
  return databaseUrl.startsWith("file:") ? readSqlite(databaseUrl.slice("file:".length)) : readPostgres(databaseUrl);
}

function readSqlite(path: string): Tables {
  const db = new Sqlite(path, { readonly: true, timeout: 10_000 });
  try {
    const all = db.transaction(() => tables((table) => db.prepare<[], Row>(`select * from ${table}`).all()));
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
  return {
    conversation: read("conversation"),
    turn: read("turn"),
    message: read("message"),
    ask: read("ask"),
    question: read("question"),
    answer: read("answer"),
    inbox_item: read("inbox_item"),
    audit_event: read("audit_event"),
    audit_seal: read("audit_seal"),
    person: read("person"),
    auth_identity: read("auth_identity"),
    passkey: read("passkey"),
    api_key: read("api_key"),
    one_time_token: read("one_time_token"),
    space: read("space"),
    space_member: read("space_member"),
    space_wish: read("space_wish"),
    channel: read("channel"),
    notification: read("notification"),
    seen_item: read("seen_item"),
    snooze: read("snooze"),
  };
}

/** Lists every row that only one side has, in any order. Empty if the databases are equal. */
export function differences(before: Tables, after: Tables): string[] {
  return TABLES.flatMap((table) => {
    const [old, now] = [rowsOf(before[table]), rowsOf(after[table])];
    return [
      ...[...old].filter((row) => !now.has(row)).map((row) => `- ${table} ${row}`),
      ...[...now].filter((row) => !old.has(row)).map((row) => `+ ${table} ${row}`),
    ];
  });
}

function rowsOf(rows: Row[]): Set<string> {
  return new Set(rows.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort()))));
}

/** Everything in the database as text, in whatever tables there are. */
export async function dumpDatabase(databaseUrl: string): Promise<string> {
  const lines = (table: string, rows: unknown[]) => rows.map((row) => `${table} ${JSON.stringify(row)}`);
  if (databaseUrl.startsWith("file:")) {
    const db = new Sqlite(databaseUrl.slice("file:".length), { readonly: true, timeout: 10_000 });
    try {
      const names = db.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
      return names.flatMap((name) => lines(name, db.prepare(`select * from "${name}"`).all())).join("\n");
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const sql = "select table_name as name from information_schema.tables where table_schema = 'public'";
    const all: string[] = [];
    for (const { name } of (await client.query<{ name: string }>(sql)).rows)
      all.push(...lines(name, (await client.query(`select * from "${name}"`)).rows));
    return all.join("\n");
  } finally {
    await client.end();
  }
}
