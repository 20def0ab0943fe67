import pg from "pg";

/**
 * How long PostgreSQL may take. These limits are enforced on this side: a server that went silent (power, network, firewall)
 * enforces none, and a statement would otherwise wait about 15 minutes, until the kernel gives up.
 */
export type TimeLimits = { connectMs: number; readMs: number; writeMs: number };

/** `seconds`: what a write may take. The rest gets less, because nothing is unknown after it fails. */
export function timeLimits(seconds: number): TimeLimits {
  return {
    connectMs: Math.min(seconds, Math.max(5, seconds / 6)) * 1_000,
    readMs: Math.min(seconds, Math.max(10, seconds / 3)) * 1_000,
    writeMs: seconds * 1_000,
  };
}

/** The server must give up first: a statement that it cancelled is certainly not stored. */
export function statementLimits(ms: number): { statement_timeout: number; query_timeout: number } {
  return { statement_timeout: ms, query_timeout: Math.ceil(ms * 1.2) };
}

/** PostgreSQL notices within 30 s that a machine is gone, and releases what its connections held. */
const NOTICE_THE_DEAD = "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

export type ConnectOptions = {
  url: string;
  name: string;
  connectMs: number;
  statementMs: number;
  /** Settings of the session, as `-c name=value`. */
  settings?: string;
};

export async function connectPostgres(options: ConnectOptions): Promise<pg.Client> {
  const { url, name, connectMs, statementMs, settings = "" } = options;
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    options: `${NOTICE_THE_DEAD} ${settings}`.trim(),
    ...statementLimits(statementMs),
  });
  // A broken connection without a listener would end the process; its users learn of the break from `end`.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Immediately: a graceful close would wait on a silent server as long as the statement it did not answer. */
export function cutConnection(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** Gracefully, or immediately if PostgreSQL does not answer in time. */
export async function endConnection(client: pg.Client, patienceMs = 500): Promise<void> {
  const timer = setTimeout(() => cutConnection(client), patienceMs);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** A server process of PostgreSQL. A pid alone may have been reused by now. */
export type Backend = { pid: number; started: string };

const STARTED = "extract(epoch from backend_start)::text";

export async function backendOf(client: pg.Client): Promise<Backend> {
  const sql = `select pid, ${STARTED} as started from pg_stat_activity where pid = pg_backend_pid()`;
  const { rows } = await client.query<Backend>(sql);
  return rows[0] ?? { pid: 0, started: "" };
}

const MAX_CHECKS = 100;
const CHECK_EVERY_MS = 20;

/**
 * Ends the server process of a connection that this side has dropped, and waits until it is gone: until then it holds its
 * locks and may still commit what it received.
 */
export async function endBackend(client: pg.Client, { pid, started }: Backend): Promise<void> {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and ${STARTED} = $2`;
  for (let check = 0; check < MAX_CHECKS; check++) {
    if ((await client.query(sql, [pid, started])).rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}
