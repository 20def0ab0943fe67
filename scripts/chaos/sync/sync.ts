import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ServerProcess } from "../../throwaway/server.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { kindOf, type Report, type RunOptions, type Scenario } from "../kit/scenario.ts";
import { readReport, straceMissing, traced } from "../kit/server-probe.ts";
import { buildServer } from "../kit/server-program.ts";

/** As long as a slow machine needs: only a failure takes this time. */
const REPORTS_MS = 120_000;

export const sync: Scenario = {
  name: "sync",
  about: "every acknowledged commit was synced to disk first; unsafe settings are refused (counts commits)",
  size: { small: 20, whole: 20 },
  run: runSync,
};

export async function runSync(options: RunOptions): Promise<Report> {
  const { databaseUrl, env = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "parley-sync-"));
  const program = await buildServer();
  const report = join(folder, "report.json");
  const server = await program.start({ databaseUrl, env: { ASK_MAX_DEPTH: "1000000", PARLEY_REPORT: report, ...env } });
  const client = createRestClient(() => server.port);
  try {
    const work = () => commits(client, options.times);
    if (kindOf(databaseUrl) === "postgresql") return await onPostgres(databaseUrl, work, () => commits(client, 1));
    const counted =
      straceMissing() === undefined ? await countSyncs(server, folder, work, () => ask(client)) : undefined;
    if (!counted) await work();
    const all = (await readReport(server, report)).connections;
    // The lock file next to the database holds no data.
    const connections = all.filter(({ file }) => !file.endsWith(".lock"));
    const violations = connections
      .filter((one) => !one.readonly && (one.synchronous !== 2 || one.journal !== "wal"))
      .map((one) => `a connection writes with ${JSON.stringify(one)}`);
    if (!connections.some((one) => !one.readonly)) violations.push("no writing connection was seen");
    if (counted && counted.syncs < counted.commits)
      violations.push(`${counted.commits} commits were acknowledged after ${counted.syncs} syncs`);
    return {
      violations,
      figures: {
        connections: connections.length,
        "of them writing": connections.filter((one) => !one.readonly).length,
        ...(counted && { commits: counted.commits, "syncs of the log": counted.syncs }),
      },
      skipped: counted ? [] : [`counting syncs: ${straceMissing()}`],
    };
  } finally {
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks one by one, so that each is its own commit; then several at once, which share commits. Returns how many. */
async function commits(client: RestClient, times: number): Promise<number> {
  const before = await batches(client);
  for (let i = 0; i < times; i++) await ask(client);
  for (let i = 0; i < times; i++) await Promise.all(Array.from({ length: 8 }, () => ask(client)));
  // Reads through Prisma as well, whose connection must not write.
  await client.call("GET", "/api/sessions");
  return (await batches(client)) - before;
}

async function ask(client: RestClient): Promise<void> {
  const { status, text } = await client.call("POST", "/api/asks", { question: "Well?" });
  if (status !== 201) throw new Error(`An ask was answered with ${status} ${text}`);
}

async function batches(client: RestClient): Promise<number> {
  const { text } = await client.call("GET", "/metrics");
  return Number(/^parley_commit_batch_size_count (\d+)/m.exec(text)?.[1]);
}

async function countSyncs(
  { pid }: ServerProcess,
  folder: string,
  work: () => Promise<number>,
  one: () => Promise<unknown>,
) {
  const file = join(folder, "syncs");
  const tracer = spawn("strace", ["-f", "-y", "-o", file, "-e", "trace=fsync,fdatasync,pwrite64", "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => tracer.once("exit", resolve));
  const syncs = () => readFileSync(file, "utf8").match(/\bf(data)?sync\(\d+<[^>]*-wal>/g)?.length ?? 0;
  await traced(pid);
  // Attached does not mean tracing yet: once strace has seen a write, it sees every sync.
  do await one();
  while (!readFileSync(file, "utf8").includes("-wal>"));
  const before = syncs();
  // A commit that was synced earlier but counted later would look unsynced. Commits therefore come one after the other,
  // so that none is in progress when the next has been acknowledged.
  await one();
  const made = await work();
  tracer.kill("SIGINT");
  await ended;
  return { commits: made, syncs: syncs() - before };
}

async function onPostgres(
  databaseUrl: string,
  work: () => Promise<number>,
  more: () => Promise<number>,
): Promise<Report> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ fsync: string; sync: string; pages: string }>(
      "select current_setting('fsync') fsync, current_setting('synchronous_commit') sync, current_setting('full_page_writes') pages",
    );
    const { fsync, sync: commit, pages } = rows[0] ?? { fsync: "?", sync: "?", pages: "?" };
    const violations = fsync === "on" && commit !== "off" ? [] : [`Parley runs with fsync=${fsync}, commit=${commit}`];
    const before = await walSyncs(client);
    let made = await work();
    if (before === undefined)
      return { violations, figures: { commits: made }, skipped: ["counting syncs: this PostgreSQL does not tell"] };
    // A backend reports its work with its first activity a second later.
    const until = Date.now() + REPORTS_MS;
    let after = before;
    while (after - before < made && Date.now() < until) {
      await sleep(1_100);
      made += await more();
      after = (await walSyncs(client)) ?? before;
    }
    if (after - before < made) violations.push(`${made} commits were acknowledged after ${after - before} syncs`);
    const figures = {
      fsync,
      synchronous_commit: commit,
      full_page_writes: pages,
      commits: made,
      "syncs of the log": after - before,
    };
    return { violations, figures };
  } finally {
    await client.end();
  }
}

/** Counts syncs of the whole server. Others may sync too, so this can only prove too little, never too much. */
async function walSyncs(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version");
  const version = Number(rows[0]?.version);
  if (version < 140_000) return undefined;
  const sql =
    version >= 180_000
      ? "select sum(fsyncs)::int as syncs from pg_stat_io where object = 'wal'"
      : "select wal_sync::int as syncs from pg_stat_wal";
  return Number((await client.query(sql)).rows[0]?.syncs);
}
