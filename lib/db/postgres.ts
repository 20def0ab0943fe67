import pg from "pg";
import type { Change, Committed } from "./change.ts";
import { ConflictError, OpenError, StorageError } from "./errors.ts";
import { COMMIT, commitParameters } from "./postgres-commit.ts";

/** Milliseconds since 1970 and counters are far below 2^53: plain numbers, not the driver's strings. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CONNECT_MS = 5_000;

/** Two rows of a batch that the planner joins by scanning a table would cost more with every question ever asked. */
const BY_INDEX = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 8, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  // A connection that breaks while it is idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return pool;
}

export async function checkPostgres(url: string): Promise<void> {
  const client = clientOf(url);
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync",
    );
    if (rows[0]?.fsync !== "on" || rows[0]?.sync === "off") {
      throw new OpenError(
        "PostgreSQL runs with fsync or synchronous_commit off and could lose acknowledged answers. Turn both on.",
      );
    }
  } catch (error) {
    if (error instanceof OpenError) throw error;
    throw new OpenError(
      `The database cannot be reached (${plainReason(error)}). Check DATABASE_URL and that PostgreSQL is running.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  } catch {
    throw new OpenError(
      "DATABASE_URL is not a valid address. Write special characters of its password as URLs have them, %23 for #.",
    );
  }
}

/** The writing connection: one statement in flight, reconnected after any doubt. */
export class PostgresWriter {
  readonly #url: string;
  #client: Promise<pg.Client> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async commit(changes: Change[]): Promise<Committed[]> {
    const client = await this.#connected();
    try {
      const { rows } = await client.query({ name: "commit", text: COMMIT, values: commitParameters(changes) });
      const committed: Committed[] = changes.map(() => undefined);
      for (const { o, first_sequence, first_round } of rows) committed[o - 1] = { first_sequence, first_round };
      return committed;
    } catch (error) {
      const translated = translatePostgres(error);
      if (!(translated instanceof ConflictError)) this.#drop(client);
      throw translated;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: BY_INDEX,
      application_name: "parley-writer",
      // Nothing here takes long; a statement that does is stuck behind a lock and holds up everybody.
      statement_timeout: 30_000,
    });
    client.on("error", () => this.#drop(client));
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#client = undefined;
      throw new StorageError(plainReason(error), { cause: error });
    }
  }

  #drop(client: pg.Client): void {
    this.#client = undefined;
    client.end().catch(() => {});
  }
}

export function translatePostgres(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "23505") return new ConflictError(plainReason(error), { cause: error });
  // Deadlock and serialization failures left nothing behind: the writer makes the batch again, one by one.
  if (code === "40P01" || code === "40001") return new ConflictError(plainReason(error), { cause: error });
  // Data that the database refuses is the fault of one change, not of the storage.
  if (/^(22|23|42)/.test(code)) return new Error(plainReason(error), { cause: error });
  return new StorageError(plainReason(error), { cause: error });
}

function plainReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(plainReason).join("; ");
  return error instanceof Error ? error.message : String(error);
}
