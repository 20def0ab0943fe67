import type pg from "pg";
import { StorageError } from "./errors.ts";
import { type Backend, backendOf, cutConnection, endBackend, endConnection } from "./postgres-connection.ts";

export type KeptOptions = {
  connect: () => Promise<pg.Client>;
  /** Prepares a new connection for its purpose; only then does it count as open. */
  prepare: (client: pg.Client) => Promise<unknown>;
  /** Called once per break. */
  onLost: (reason: string) => void;
  /** Called when it is open again. */
  onBack: () => void;
};

const RETRY_MS = 500;
/** How often an idle connection is pinged, and how long it may take to reply. */
const PING_MS = 5_000;

// The driver's types leave out the time limit of a single statement.
const PING = { text: "select 1", query_timeout: PING_MS } as pg.QueryConfig;

/** One connection for the life of the process. A single loop reopens it after every break. */
export class KeptConnection {
  readonly #options: KeptOptions;
  #client: pg.Client | undefined;
  #last: Backend | undefined;
  #closed = false;
  #before: Promise<unknown> = Promise.resolve();
  #pings: NodeJS.Timeout | undefined;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** Rejects if the first connection fails. */
  async open(): Promise<void> {
    const { broken } = await this.#connect();
    this.#pings = setInterval(() => this.query(PING).catch(() => {}), PING_MS);
    this.#pings.unref();
    void this.#keep(broken);
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Runs one query at a time and never waits for a connection. A connection whose query fails is dropped: it may be half dead. */
  query<Row extends pg.QueryResultRow>(query: string | pg.QueryConfig): Promise<Row[]> {
    const result = this.#before.then(() => this.#query<Row>(query));
    this.#before = result.catch(() => {});
    return result;
  }

  async #query<Row extends pg.QueryResultRow>(query: string | pg.QueryConfig): Promise<Row[]> {
    const client = this.#client;
    if (!client) throw new StorageError("the connection to PostgreSQL is down");
    try {
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      cutConnection(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pings);
    if (this.#client) await endConnection(this.#client);
  }

  async #keep(firstBreak: Promise<string>): Promise<void> {
    let broken = firstBreak;
    while (!this.#closed) {
      const reason = await broken;
      this.#client = undefined;
      if (this.#closed) return;
      this.#options.onLost(reason);
      for (let open = false; !open; ) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        if (this.#closed) return;
        try {
          ({ broken } = await this.#connect());
          open = true;
        } catch {
          // The loss was reported already.
        }
      }
      this.#options.onBack();
    }
  }

  /** `broken` resolves with the reason when the connection breaks. */
  async #connect(): Promise<{ broken: Promise<string> }> {
    const client = await this.#options.connect();
    const broken = new Promise<string>((resolve) => {
      client.on("error", (error) => resolve(error.message));
      client.on("end", () => resolve("the connection ended"));
    });
    try {
      // PostgreSQL may not have noticed that the last connection is gone, and still hold its locks.
      if (this.#last) await endBackend(client, this.#last);
      this.#last = await backendOf(client);
      await this.#options.prepare(client);
    } catch (error) {
      cutConnection(client);
      throw error;
    }
    if (this.#closed) await endConnection(client);
    else this.#client = client;
    return { broken };
  }
}
