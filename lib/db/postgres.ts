import pg from "pg";
import { committedAt } from "./audit-rows.ts";
import type { Change, Committed } from "./change.ts";
import { compileRow } from "./compile-row.ts";
import { ConflictError, DiskFullError, OpenError, OutcomeUnknown, StorageError } from "./errors.ts";
import { commitTogether } from "./postgres-commit.ts";
import {
  type Backend,
  backendOf,
  connectPostgres,
  cutConnection,
  endBackend,
  endConnection,
  statementLimits,
  type TimeLimits,
} from "./postgres-connection.ts";
import { commitEach, prepareEach } from "./postgres-each.ts";
import { statementOf } from "./postgres-statements.ts";
import type { Query } from "./query.ts";
import { numberParameters, type Statement, valuesOf } from "./statement.ts";

/** Instants and counters are far below 2^53, so they are numbers instead of the driver's strings. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const MIGRATION_MS = 600_000;

/**
 * A planner that joins a small batch by scanning a table would make each commit cost more with every question asked. The plan
 * of a prepared statement is kept: every row is found by its key, whatever the values are.
 */
const BY_INDEX =
  "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off";

export function openPool(url: string, { connectMs, readMs }: TimeLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...statementLimits(readMs),
  });
  // The pool replaces broken connections. An `error` event without a listener would end the process, and the pool itself
  // listens only while a connection is idle, not between the statements of a transaction.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Names each query, so that PostgreSQL prepares it once per connection. */
export function postgresReader(db: pg.Pool | pg.Client) {
  type Prepared = { name: string; text: string; names: string[]; toRow?: (values: unknown[]) => unknown };
  const prepared = new Map<string, Prepared>();
  return {
    read: async <Params extends object, Row>({ sql }: Query<Params, Row>, params: Params): Promise<Row[]> => {
      const query: Prepared = prepared.get(sql) ?? { name: `read${prepared.size}`, ...numberParameters(sql) };
      prepared.set(sql, query);
      const { name, text, names } = query;
      try {
        const values = valuesOf(names, params);
        const { rows, fields } = await db.query<unknown[]>({ name, text, values, rowMode: "array" });
        const toRow = query.toRow ?? compileRow(fields.map((field) => field.name));
        query.toRow = toRow;
        return rows.map((row) => toRow(row) as Row);
      } catch (error) {
        throw translatePostgres(error);
      }
    },
  };
}

/** Plans each query for its values. A cached plan could not know whether a search finds much or little. */
export function postgresPlanner(db: pg.Pool) {
  return {
    readAside: async <Params extends object, Row>({ sql }: Query<Params, Row>, params: Params): Promise<Row[]> => {
      const { text, names } = numberParameters(sql);
      try {
        return (await db.query(text, valuesOf(names, params))).rows;
      } catch (error) {
        throw translatePostgres(error);
      }
    },
  };
}

export async function runStatement(pool: pg.Pool, { sql, params }: Statement): Promise<number> {
  const { text, names } = numberParameters(sql);
  try {
    return (await pool.query(text, valuesOf(names, params))).rowCount ?? 0;
  } catch (error) {
    throw translatePostgres(error);
  }
}

/** All statements or none. A connection that does not answer in time is dropped, and its transaction with it. */
export async function inTransaction(pool: pg.Pool, statements: Statement[]): Promise<void> {
  let client: pg.PoolClient | undefined;
  let isBroken = false;
  let isCommitting = false;
  try {
    client = await pool.connect();
    await client.query("begin");
    for (const { sql, params, rows } of statements) {
      const { text, names } = numberParameters(sql);
      const { rowCount } = await client.query(text, valuesOf(names, params));
      if (rows !== undefined && rowCount !== rows) throw new ConflictError("another writer was faster");
    }
    isCommitting = true;
    await client.query("commit");
  } catch (error) {
    const translated = error instanceof ConflictError ? error : translatePostgres(error);
    isBroken = !(translated instanceof ConflictError);
    if (!isBroken) await client?.query("rollback");
    // The reply to the commit was lost: it may be stored.
    if (isCommitting && !isRolledBack(error)) throw new OutcomeUnknown(translated.message, { cause: error });
    throw translated;
  } finally {
    client?.release(isBroken);
  }
}

export async function checkPostgres(url: string, { connectMs, readMs }: TimeLimits): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connectPostgres({ url, name: "parley-start", connectMs, statementMs: readMs });
    const { rows } = await client.query(
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync",
    );
    if (rows[0]?.fsync !== "on" || rows[0]?.sync === "off") {
      throw new OpenError(
        "PostgreSQL runs with fsync or synchronous_commit off and could lose acknowledged answers. Turn both on.",
      );
    }
  } catch (error) {
    throw error instanceof OpenError ? error : unreachable(error);
  } finally {
    if (client) await endConnection(client);
  }
}

/** Says in one sentence why no connection was possible and what to do. */
export function unreachable(error: unknown): OpenError {
  return new OpenError(
    isInvalidAddress(error)
      ? "DATABASE_URL is not a valid address. Write special characters of its password as URLs have them, %23 for #."
      : `The database cannot be reached (${plainReason(error)}). Check DATABASE_URL and that PostgreSQL is running.`,
  );
}

function isInvalidAddress(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && "code" in error && error.code === "ERR_INVALID_URL");
}

/** A connection with a limit long enough for any migration. */
export async function connectToMigrate(url: string, { connectMs }: TimeLimits): Promise<pg.Client> {
  return connectPostgres({ url, name: "parley-start", connectMs, statementMs: MIGRATION_MS });
}

/** The writing connection: one batch in flight, reconnected whenever its state is in doubt. */
export class PostgresWriter {
  readonly #url: string;
  readonly #limits: TimeLimits;
  #client: Promise<pg.Client> | undefined;
  /** The client of `#client`, once it is open. */
  #open: pg.Client | undefined;
  #last: Backend | undefined;
  #committing = false;

  constructor(url: string, limits: TimeLimits) {
    this.#url = url;
    this.#limits = limits;
  }

  async commit(changes: Change[]): Promise<Committed[]> {
    const client = await this.#connected();
    this.#committing = true;
    try {
      const placed = changes.every(statementOf)
        ? await commitEach(client, changes)
        : await commitTogether(client, changes);
      return changes.map((change, index) => committedAt(change, placed[index]));
    } catch (error) {
      const translated = translatePostgres(error);
      if (translated instanceof ConflictError) throw translated;
      this.#drop(client);
      // The old backend is gone once this one is connected, so that a later look for the change sees its final outcome.
      await this.#connected().catch(() => {});
      throw isRolledBack(error) ? translated : new OutcomeUnknown(translated.message, { cause: error });
    } finally {
      this.#committing = false;
    }
  }

  /** Rejects if nothing could be written now. A connection that does not answer is replaced. */
  async check(withinMs: number): Promise<void> {
    const client = await this.#connected();
    const alone = !this.#committing;
    try {
      // `query_timeout` of a single statement is not in the driver's types.
      await client.query({ text: "select 1", query_timeout: withinMs } as pg.QueryConfig);
    } catch (error) {
      // Behind a commit it only had to wait; the commit has its own limit.
      if (alone) this.#drop(client);
      throw new StorageError(plainReason(error), { cause: error });
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client) await endConnection(client);
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw new StorageError(plainReason(error), { cause: error });
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const { connectMs, writeMs } = this.#limits;
    const client = await connectPostgres({
      url: this.#url,
      name: "parley-writer",
      connectMs,
      statementMs: writeMs,
      settings: BY_INDEX,
    });
    try {
      if (this.#last) await endBackend(client, this.#last);
      this.#last = await backendOf(client);
      await prepareEach(client);
    } catch (error) {
      cutConnection(client);
      throw error;
    }
    client.on("end", () => this.#drop(client));
    this.#open = client;
    return client;
  }

  #drop(client: pg.Client): void {
    cutConnection(client);
    if (this.#open !== client) return;
    this.#open = undefined;
    this.#client = undefined;
  }
}

/** The server reported the error itself, and not because it was ending the connection. */
function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? "");
}

export function translatePostgres(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "23505") return new ConflictError(plainReason(error), { cause: error });
  // Deadlocks and serialization failures leave nothing behind: the writer repeats the batch one change at a time.
  if (code === "40P01" || code === "40001") return new ConflictError(plainReason(error), { cause: error });
  // Data that the database rejects is the fault of one change, not of the storage.
  if (/^(22|23|42)/.test(code)) return new Error(plainReason(error), { cause: error });
  if (code === "53100") return new DiskFullError(plainReason(error), { cause: error });
  return new StorageError(plainReason(error), { cause: error });
}

function plainReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(plainReason).join("; ");
  return error instanceof Error ? error.message : String(error);
}
