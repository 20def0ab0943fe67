import type pg from "pg";
import { KeptConnection } from "./kept-connection.ts";
import { connectPostgres, endConnection, type TimeLimits } from "./postgres-connection.ts";

/** Notifications from the other nodes. */
export type NodeListener = {
  onNotification: (text: string) => void;
  /** The link was down and is back: notifications in between are lost. */
  onReconnect: () => void;
};

export type LinkChange = { up: true } | { up: false; reason: string };

const LOCK = "select pg_advisory_lock(hashtextextended($1, 0))";
const TRY_LOCK = "select pg_try_advisory_lock(hashtextextended($1, 0)) as got";
const UNLOCK = "select pg_advisory_unlock(hashtextextended($1, 0))";
const NOTIFY = "select pg_notify('parley', text) from unnest($1::text[]) as text";

/**
 * What nodes know about each other. Each holds an advisory lock under its name for as long as its connection lasts: no clocks
 * or heartbeats are compared, so that a node is presumed dead neither too early nor too late. The lock has its own
 * connection, so that a node that waits for its lock still sends and receives notifications.
 */
export class PostgresNodes {
  readonly #connect: (name: string) => Promise<pg.Client>;
  readonly #link: KeptConnection;
  #lock: KeptConnection | undefined;
  #listener: NodeListener | undefined;

  constructor(url: string, limits: TimeLimits, onLink: (change: LinkChange) => void) {
    // A notification is a commit too, but may be lost, so it need not wait for the disk.
    const settings = "-c synchronous_commit=off";
    const { connectMs, readMs: statementMs } = limits;
    this.#connect = (name) => connectPostgres({ url, name, connectMs, statementMs, settings });
    this.#link = new KeptConnection({
      connect: () => this.#connect("parley-node"),
      prepare: async (client) => {
        client.on("notification", ({ payload }) => payload !== undefined && this.#listener?.onNotification(payload));
        await client.query("listen parley");
      },
      onLost: (reason) => onLink({ up: false, reason }),
      onBack: () => {
        onLink({ up: true });
        this.#listener?.onReconnect();
      },
    });
  }

  async listen(listener: NodeListener): Promise<void> {
    this.#listener = listener;
    await this.#link.open();
  }

  /** Rejects immediately if the link is down: the other nodes find the change by comparing rows. */
  async notify(texts: string[]): Promise<void> {
    await this.#link.query({ name: "notify", text: NOTIFY, values: [texts] });
  }

  /** While the lock's connection is broken, another node may take over this node's turns. */
  async claim(node: string): Promise<void> {
    this.#lock = new KeptConnection({
      connect: () => this.#connect("parley-lock"),
      prepare: (client) => client.query(LOCK, [node]),
      onLost: () => {},
      onBack: () => {},
    });
    await this.#lock.open();
  }

  async whileGone(node: string | null, work: () => Promise<void>): Promise<void> {
    const client = await this.#connect("parley-take-over");
    try {
      const { rows } = await client.query(TRY_LOCK, [node ?? ""]);
      if (rows[0]?.got) await work();
    } finally {
      await endConnection(client);
    }
  }

  /** Lasts as long as the lock's connection: after a break, another node may hold the name too. */
  async hold(name: string): Promise<(() => Promise<void>) | undefined> {
    const [tried] =
      (await this.#lock?.query<{ got: boolean }>({ text: TRY_LOCK, values: [name] }).catch(() => [])) ?? [];
    if (tried?.got === false) return undefined;
    return async () => void (await this.#lock?.query({ text: UNLOCK, values: [name] }).catch(() => {}));
  }

  async close(): Promise<void> {
    await Promise.all([this.#link.close(), this.#lock?.close()]);
  }
}
