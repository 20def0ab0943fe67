import pg from "pg";

const RETRY_MS = 500;

/**
 * What nodes know of each other. Each holds an advisory lock under its name for as long as its connection lasts: no clock
 * and no heartbeat is compared, so that a node is taken for gone neither too early nor too late.
 */
export class PostgresNodes {
  readonly #url: string;
  #client: pg.Client | undefined;
  #node: string | undefined;
  #listener: ((text: string) => void) | undefined;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  async claim(node: string): Promise<void> {
    this.#node = node;
    await this.#keepConnected();
  }

  async listen(listener: (text: string) => void): Promise<void> {
    this.#listener = listener;
    await this.#client?.query("listen parley");
  }

  async notify(texts: string[]): Promise<void> {
    const text = "select pg_notify('parley', text) from unnest($1::text[]) as text";
    await this.#client?.query({ name: "notify", text, values: [texts] });
  }

  async whileGone(node: string | null, work: () => Promise<void>): Promise<void> {
    const client = await this.#connect();
    try {
      const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended($1, 0)) as gone", [node ?? ""]);
      if (rows[0]?.gone) await work();
    } finally {
      await client.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => {});
  }

  /** One connection for as long as the process lives. While it is broken another node may take this one's turns over. */
  async #keepConnected(): Promise<void> {
    const client = await this.#connect();
    this.#client = client;
    client.on("end", () => this.#reconnect());
    client.on("notification", ({ payload }) => payload !== undefined && this.#listener?.(payload));
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [this.#node]);
    if (this.#listener) await client.query("listen parley");
  }

  #reconnect(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (!this.#closed) this.#keepConnected().catch(() => this.#reconnect());
    }, RETRY_MS).unref();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "parley-node",
      keepAlive: true,
      // A notification is a commit, and may be lost: it must not make the disk wait like the commit that it tells of.
      options: "-c synchronous_commit=off",
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  }
}
