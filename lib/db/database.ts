import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Change, Committed } from "./change.ts";
import { OpenError } from "./errors.ts";
import { PrismaClient as PostgresClient } from "./generated/postgresql/client.ts";
import { PrismaClient } from "./generated/sqlite/client.ts";
import { migratePostgres, migrateSqlite, pendingPostgresMigrations, pendingSqliteMigrations } from "./migrate.ts";
import { sqlitePath } from "./place.ts";
import {
  checkPostgres,
  connectToMigrate,
  inTransaction,
  openPool,
  PostgresWriter,
  translatePostgres,
} from "./postgres.ts";
import { endConnection, timeLimits } from "./postgres-connection.ts";
import { type LinkChange, type NodeListener, PostgresNodes } from "./postgres-nodes.ts";
import { type Reader, withSnapshot } from "./snapshot.ts";
import { openSqlite, prepareFolder, SqliteWriter, translateSqlite } from "./sqlite.ts";
import { lockDatabaseFile } from "./sqlite-lock.ts";
import { numberParameters, type Statement } from "./statement.ts";
import { Writer } from "./writer.ts";

/** Both databases behind one interface. Writes go through `write` alone, each a whole command. */
export type Database = {
  kind: "sqlite" | "postgresql";
  /** One command, committed with whatever else arrived meanwhile; undefined where its guard did not hold. */
  write: (change: Change) => Promise<Committed>;
  /** One query by key or index, `?` for each parameter. */
  read: <Row>(sql: string, params: unknown[]) => Promise<Row[]>;
  /** One writing statement that stands alone. */
  run: (sql: string, params: unknown[]) => Promise<void>;
  /** Writing statements that belong together and to no change, such as the seals of the audit. */
  runAll: (statements: Statement[]) => Promise<void>;
  /**
   * Called now and then by whoever writes very much: moves what is in the log of SQLite to its place. Left until the log is
   * full, that is one long stretch for everybody.
   */
  checkpoint: () => Promise<void>;
  /** Reads of one moment that take long; see lib/db/snapshot.ts. */
  snapshot: <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;
  /** Reads that are not on the way of every question. Never written through. */
  prisma: PrismaClient;
  /** Makes it known that this node is alive, for as long as the process is. */
  claimNode: (node: string) => Promise<void>;
  /** Tells the other nodes. A node that is not connected at this moment never hears of it. */
  notify: (texts: string[]) => Promise<void>;
  /** Tells the listener what other nodes say, and this one too. */
  listen: (listener: NodeListener) => Promise<void>;
  /** Does the work if that node is gone, while no other node can do it too. */
  whileGone: (node: string | null, work: () => Promise<void>) => Promise<void>;
  /** Keeps every other node from holding this name until it is let go or the process ends; undefined where one does. */
  hold: (name: string) => Promise<Release | undefined>;
  /** Throws where the database is out of reach; names the migrations that are not applied. */
  pendingMigrations: () => Promise<string[]>;
  /** Throws where nothing could be written at this moment. */
  checkWriter: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
};

export type Release = () => Promise<void>;

export const DEFAULT_TIMEOUT_S = 30;

export type OpenOptions = {
  url: string;
  root: string;
  /** Refuses a SQLite file that another process has opened this way: a server needs its file to itself. */
  exclusive?: boolean;
  /** How long PostgreSQL may take for a change. */
  timeoutS?: number;
  onBatch?: (size: number) => void;
  /** The link to the other nodes was lost, or is back. */
  onLink?: (change: LinkChange) => void;
};

/** Opens, brings the schema up to date, and refuses in one sentence what cannot be used. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  return { ...(await open(options)), snapshot: (work) => withSnapshot(options, work) };
}

type Opened = Omit<Database, "snapshot">;

async function open(options: OpenOptions): Promise<Opened> {
  const { url, root, exclusive, onBatch = () => {} } = options;
  if (url.startsWith("file:")) {
    const path = sqlitePath(url, root);
    prepareFolder(path);
    const unlock = exclusive ? lockDatabaseFile(path) : () => {};
    return openSqliteDatabase(path, join(root, "prisma/migrations/sqlite"), unlock, onBatch).catch((error) => {
      unlock();
      throw error;
    });
  }
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresDatabase(join(root, "prisma/migrations/postgresql"), options);
  throw new OpenError("DATABASE_URL must begin with file: or postgresql://.");
}

async function openSqliteDatabase(
  path: string,
  migrations: string,
  unlock: () => void,
  onBatch: (size: number) => void,
): Promise<Opened> {
  const migrating = openSqlite(path, false);
  try {
    migrateSqlite(migrating, migrations);
  } catch (error) {
    throw asOpenError(error);
  } finally {
    migrating.close();
  }
  const sqlite = new SqliteWriter(path);
  const reader = openSqlite(path, true);
  const writer = new Writer(async (changes) => sqlite.commit(changes), onBatch);
  const statements = new Map<string, ReturnType<typeof reader.prepare>>();
  const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}`, readonly: true }) });
  return {
    kind: "sqlite",
    write: (change) => writer.write(change),
    read: async <Row>(sql: string, params: unknown[]) => {
      try {
        const statement = statements.get(sql) ?? reader.prepare(sql);
        statements.set(sql, statement);
        return statement.all(params) as Row[];
      } catch (error) {
        throw translateSqlite(error);
      }
    },
    run: async (sql, params) => sqlite.run(sql, params),
    runAll: async (all) => sqlite.runAll(all),
    checkpoint: async () => sqlite.checkpoint(),
    // One process has the file: whoever owned a turn before is gone.
    claimNode: async () => {},
    whileGone: (_node, work) => work(),
    hold: async () => async () => {},
    notify: async () => {},
    listen: async () => {},
    prisma,
    pendingMigrations: async () => pendingSqliteMigrations(reader, migrations),
    checkWriter: async () => sqlite.check(),
    close: async () => {
      await writer.drain();
      await prisma.$disconnect();
      reader.close();
      sqlite.close();
      unlock();
    },
  };
}

async function openPostgresDatabase(
  migrations: string,
  { url, timeoutS = DEFAULT_TIMEOUT_S, onBatch = () => {}, onLink = () => {} }: OpenOptions,
): Promise<Opened> {
  const limits = timeLimits(timeoutS);
  await checkPostgres(url, limits);
  const migrating = await connectToMigrate(url, limits);
  try {
    await migratePostgres(migrating, migrations);
  } catch (error) {
    throw asOpenError(error);
  } finally {
    await endConnection(migrating);
  }
  const pool = openPool(url, limits);
  const postgres = new PostgresWriter(url, limits);
  const nodes = new PostgresNodes(url, limits, onLink);
  const writer = new Writer((changes) => postgres.commit(changes), onBatch);
  const texts = new Map<string, { name: string; text: string }>();
  const named = (sql: string) => {
    let query = texts.get(sql);
    if (!query) {
      query = { name: `read${texts.size}`, text: numberParameters(sql) };
      texts.set(sql, query);
    }
    return query;
  };
  const query = async <Row>(sql: string, values: unknown[]): Promise<Row[]> => {
    try {
      const { rows } = await pool.query({ ...named(sql), values });
      return rows as Row[];
    } catch (error) {
      throw translatePostgres(error);
    }
  };
  // The two generated clients are alike but for the name of their database; all reads are written once.
  const prisma = new PostgresClient({ adapter: new PrismaPg(pool) }) as unknown as PrismaClient;
  return {
    kind: "postgresql",
    write: (change) => writer.write(change),
    read: query,
    run: async (sql, params) => void (await query(sql, params)),
    runAll: (all) => inTransaction(pool, all),
    checkpoint: async () => {},
    claimNode: (node) => nodes.claim(node),
    whileGone: (node, work) => nodes.whileGone(node, work),
    hold: (name) => nodes.hold(name),
    notify: (texts) => nodes.notify(texts),
    listen: (listener) => nodes.listen(listener),
    prisma,
    pendingMigrations: () =>
      pendingPostgresMigrations(pool, migrations).catch((error) => {
        throw translatePostgres(error);
      }),
    checkWriter: (withinMs) => postgres.check(withinMs),
    close: async () => {
      await writer.drain();
      await prisma.$disconnect();
      await postgres.close();
      await nodes.close();
      if (!pool.ended) await pool.end();
    },
  };
}

function asOpenError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "OpenError") return error;
  return new OpenError(error.message, { cause: error });
}
