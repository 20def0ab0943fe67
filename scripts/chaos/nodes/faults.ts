import pg from "pg";
import type { PostgresProxy } from "../../../lib/db/test-postgres-proxy.ts";

/**
 * What goes wrong between a node and PostgreSQL. `silent`: PostgreSQL no longer responds. `cut`: connections break and
 * new ones are refused. `one-sided`: the node's connections break, and PostgreSQL does not notice. `restart`: PostgreSQL
 * ends all connections and accepts none for a while. `deaf`: only notifications are lost. `lost-reply`: a commit
 * succeeds, but its reply never comes.
 */
export const NODE_FAULTS = ["deaf", "cut", "one-sided", "restart", "lost-reply", "silent"] as const;
export type NodeFault = (typeof NODE_FAULTS)[number];

/** Begins the fault and returns a function that ends it. */
export async function breakLink(
  fault: NodeFault,
  proxy: PostgresProxy,
  databaseUrl: string,
): Promise<() => Promise<void>> {
  const nothing = async () => {};
  switch (fault) {
    case "silent":
    case "cut":
      proxy.set(fault === "cut" ? "down" : "silent");
      return async () => proxy.set("up");
    case "one-sided":
      for (const name of ["parley-node", "parley-lock", "parley-writer"]) proxy.breakOneSide(name);
      return nothing;
    case "deaf":
      await atServer(databaseUrl, `${END_BACKENDS} and application_name = 'parley-node'`);
      return nothing;
    case "lost-reply":
      proxy.loseNextReply("parley-writer");
      return nothing;
    case "restart":
      await allowConnections(databaseUrl, false);
      await atServer(databaseUrl, END_BACKENDS);
      return () => allowConnections(databaseUrl, true);
  }
}

const END_BACKENDS = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";

async function allowConnections(databaseUrl: string, allowed: boolean): Promise<void> {
  await atServer(databaseUrl, `alter database ${nameOf(databaseUrl)} with allow_connections ${allowed}`);
}

/** Connects to another database, which accepts connections whatever happens to this one. */
async function atServer(databaseUrl: string, sql: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql, sql.includes("$1") ? [nameOf(databaseUrl)] : []).finally(() => client.end());
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}
