import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import { programPath } from "../build.ts";
import { cpuOf, type MeasuredServer } from "../measured-server.ts";
import { contestant, warmUp } from "./contest.ts";
import { type CpuProfile, profileReport } from "./profile-report.ts";

/** Profiles the 64-asker job on the product: where the time of a round trip goes. */
export async function profile(bench: Bench, kind: DatabaseKind): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "parley-profile-"));
  try {
    const url = await bench.databases.createForProduct(kind);
    const node = ["--cpu-prof", "--cpu-prof-dir", folder, "--cpu-prof-interval", "500"];
    const product = await bench.startProduct(url, node);
    const entrant = await contestant(bench, "product", product);
    const { sessions } = entrant;
    const slice = (ms: number, prefix: string) =>
      bench.load.run("roundTrips", { port: product.port, askers: sessions.length, sessions, ms, prefix, pauseMs: 0 });
    await warmUp(bench, [entrant], [url]);

    const cpu = await cpuCounters(product, url);
    const [from, used] = [microseconds(), cpu()];
    const { count, perSecond } = await slice(bench.options.sliceMs * 3, "profiled");
    const [until, usedThen] = [microseconds(), cpu()];
    await bench.stopServers();

    const each = usedThen.map(
      ({ name, us }, index) => `${name} ${((us - (used[index]?.us ?? 0)) / count).toFixed(0)} µs`,
    );
    const file = readdirSync(folder).find((name) => name.endsWith(".cpuprofile")) ?? "";
    const sampled = JSON.parse(readFileSync(join(folder, file), "utf8")) as CpuProfile;
    return [
      `${kind}: ${perSecond.toFixed(0)} round trips/s under the profiler; CPU of each: ${each.join(", ")}`,
      profileReport(sampled, { from, until, count, map: `${programPath("server")}.map` }),
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The current time on the profile's clock. */
function microseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

async function cpuCounters(product: MeasuredServer, url: string): Promise<() => Array<{ name: string; us: number }>> {
  const node = () => ({ name: "node", us: product.cpu() });
  if (url.startsWith("file:")) return () => [node()];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'parley-writer' and datname = current_database()",
  );
  await client.end();
  const pid = rows[0]?.pid;
  return () => (pid === undefined ? [node()] : [node(), { name: "postgres (the writer's backend)", us: cpuOf(pid) }]);
}
