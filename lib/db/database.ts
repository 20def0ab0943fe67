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
  postgresPlanner,
  postgresReader,
  runStatement,
  translatePostgres,
} from "./postgres.ts";
import { endConnection, timeLimits } from "./postgres-connection.ts";
import { type LinkChange, type NodeListener, PostgresNodes } from "./postgres-nodes.ts";
import { prismaReader } from "./prisma.ts";
import { sameFile } from "./same-file.ts";
import { type Reader, withSnapshot } from "./snapshot.ts";
import { openSqlite, prepareFolder, protectFiles, sqliteReader } from "./sqlite.ts";
import { SqliteAside } from "./sqlite-aside.ts";
import { lockDatabaseFile } from "./sqlite-lock.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Statement } from "./statement.ts";
import { whileBusy } from "./while-busy.ts";
import { WriteHealth } from "./write-health.ts";
import { Writer } from "./writer.ts";

/** Both databases behind one interface. */
export type Database = {
  kind: "sqlite" | "postgresql";
  /** One command, committed together with the others that arrived meanwhile; undefined if its guard did not hold. */
  write: (change: Change) => Promise<Committed>;
  /** A read on the hot path, by the driver. */
  read: Reader["read"];
  /** A read that can take long. On SQLite it runs on a separate thread, so that it delays nobody. */
  readAside: Reader["read"];
  /** Any other read, by Prisma. */
  prisma: ReturnType<typeof prismaReader>;
  /** One writing statement on its own; resolves with the number of rows it wrote. */
  run: (statement: Statement) => Promise<number>;
  /** Writing statements that belong together but to no change, such as the seals of the audit. */
  runAll: (statements: Statement[]) => Promise<void>;
  /**
   * Moves the contents of SQLite's log into the database. Bulk writers call it from time to time: left until the log is
   * full, it would block everyone for a long time.
   */
  checkpoint: () => Promise<void>;
  /** Long reads as of one moment: lib/db/snapshot.ts. */
  snapshot: <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;
  /** Announces this node as alive for as long as the process runs. */
  claimNode: (node: string) => Promise<void>;
  /** Notifies the other nodes. A node that is not connected at this moment misses it. */
  notify: (texts: string[]) => Promise<void>;
  /** Receives the notifications of all nodes, this one included. */
  listen: (listener: NodeListener) => Promise<void>;
  /** Does the work if that node is gone, on one node only. */
  whileGone: (node: string | null, work: () => Promise<void>) => Promise<void>;
  /** Holds a name until it is released or the process ends; undefined if another node holds it. */
  hold: (name: string) => Promise<Release | undefined>;
  /** The names of pending migrations. Throws if the database is out of reach. */
  pendingMigrations: () => Promise<string[]>;
  /** Throws if nothing could be written at this moment. */
  checkWriter: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
};

export type Release = () => Promise<void>;

export const DEFAULT_TIMEOUT_S = 30;

export type OpenOptions = {
  url: string;
  root: string;
  /** Refuses a SQLite file that another server has open: a server needs its file to itself. */
  exclusive?: boolean;
  /** How long PostgreSQL may take to write a change. */
  timeoutS?: number;
  onBatch?: (size: number) => void;
  /** The link to the other nodes was lost, or is back. */
  onLink?: (change: LinkChange) => void;
};

/** Opens the database and brings its schema up to date. An OpenError says in one sentence why it cannot be used. */
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
    protectFiles(path);
    return openSqliteDatabase(path, join(root, "prisma/migrations/sqlite"), unlock, onBatch).catch((error) => {
      unlock();
      throw error;
    });
  }
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresDatabase(join(root, "prisma/migrations/postgresql"), options);
  throw new OpenError("DATABASE_URL must start with file: or postgresql://.");
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
  const sqlite = new SqliteStore(path);
  const aside = new SqliteAside(path);
  const reader = openSqlite(path, true);
  const requireSameFile = sameFile(path);
  const written = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    requireSameFile();
    return whileBusy(write);
  };
  const health = new WriteHealth(() => written(() => sqlite.run(TRIAL)));
  const commit = (changes: Change[]) => health.watch("commit", () => written(() => sqlite.commit(changes)));
  const writer = new Writer(commit, onBatch);
  const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}`, readonly: true }) });
  return {
    kind: "sqlite",
    write: (change) => writer.write(change),
    ...sqliteReader(reader),
    readAside: (query, params) => aside.read(query, params),
    prisma: prismaReader(prisma),
    run: (statement) => health.watch("statement", () => written(() => sqlite.run(statement))),
    runAll: (all) => health.watch("statement", () => written(() => sqlite.runAll(all))),
    checkpoint: () => sqlite.checkpoint(),
    // Only one process has the file: the owner of any older turn is gone.
    claimNode: async () => {},
    whileGone: (_node, work) => work(),
    hold: async () => async () => {},
    notify: async () => {},
    listen: async () => {},
    pendingMigrations: async () => pendingSqliteMigrations(reader, migrations),
    checkWriter: async () => {
      requireSameFile();
      await sqlite.check();
      await health.check();
    },
    close: async () => {
      await writer.drain();
      await prisma.$disconnect();
      reader.close();
      await aside.close();
      await sqlite.close();
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
  const health = new WriteHealth(() => runStatement(pool, TRIAL));
  const writer = new Writer((changes) => health.watch("commit", () => postgres.commit(changes)), onBatch);
  const prisma = new PostgresClient({ adapter: new PrismaPg(pool) });
  return {
    kind: "postgresql",
    write: (change) => writer.write(change),
    ...postgresReader(pool),
    ...postgresPlanner(pool),
    prisma: prismaReader(prisma),
    run: (statement) => health.watch("statement", () => runStatement(pool, statement)),
    runAll: (all) => health.watch("statement", () => inTransaction(pool, all)),
    checkpoint: async () => {},
    claimNode: (node) => nodes.claim(node),
    whileGone: (node, work) => nodes.whileGone(node, work),
    hold: (name) => nodes.hold(name),
    notify: (texts) => nodes.notify(texts),
    listen: (listener) => nodes.listen(listener),
    pendingMigrations: () =>
      pendingPostgresMigrations(pool, migrations).catch((error) => {
        throw translatePostgres(error);
      }),
    checkWriter: async (withinMs) => {
      await postgres.check(withinMs);
      await health.check();
    },
    close: async () => {
      await writer.drain();
      await prisma.$disconnect();
      await postgres.close();
      await nodes.close();
      if (!pool.ended) await pool.end();
    },
  };
}

/** Writes a row as it is. */
const TRIAL = new Statement("update team_state set version = version where id = 'state'", {}, 1);

function asOpenError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "OpenError") return error;
  return new OpenError(error.message, { cause: error });
}
