import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import { execute } from "../databases.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";

const PATH = "/api/inbox?limit=50";

/** The first page of a full inbox, compared with its bare query on the same rows. */
export async function inbox(bench: Bench, kind: DatabaseKind, url?: string, suffix = ""): Promise<Line[]> {
  const { load, options } = bench;
  const database = url ?? (await bench.databases.createForProduct(kind));
  const product = await bench.startProduct(database);
  const sessions = await load.run("openSessions", { port: product.port, count: 64 });
  const asks = { port: product.port, sessions, prefix: "open", count: options.pending, askers: 32 };
  await load.run("askMany", asks);
  // PostgreSQL's daemon would do it within a minute; until then the planner sorts all open items.
  if (kind === "postgresql") await execute(database, "analyze");
  const bare = await bench.startBare("bare-inbox", { args: [database] });
  await sleep(2_000);

  const times = new Map([product, bare].map((server) => [server, { latency: [] as number[], cpu: [] as number[] }]));
  const reads = Math.round(options.sliceMs / 3);
  for (let round = 0; round <= options.rounds; round++) {
    for (const server of round % 2 === 0 ? [product, bare] : [bare, product]) {
      const cpu = server.cpu();
      const { p50 } = await load.run("readMany", { port: server.port, path: PATH, count: reads });
      const each = (server.cpu() - cpu) / reads;
      bench.say(`  ${server === product ? "product" : "bare"}: ${p50.toFixed(2)} ms, ${each.toFixed(0)} µs of CPU`);
      if (round === 0) continue;
      times.get(server)?.latency.push(p50);
      times.get(server)?.cpu.push(each);
    }
  }
  await bench.stopServers();
  const line = (figure: string, of: "latency" | "cpu", shown: (value: number) => string): Line => {
    const [ours, theirs] = [product, bare].map((server) => times.get(server)?.[of] ?? []) as [number[], number[]];
    const ratio = ratios(ours, theirs);
    return {
      figure: `${figure}${suffix}`,
      kind,
      product: shown(median(ours)),
      against: `bare query ${shown(median(theirs))}`,
      ratio,
      target: { value: ratio.median, atMost: 3 },
    };
  };
  return [
    line(`50 of ${options.pending} open, median`, "latency", (ms) => `${ms.toFixed(2)} ms`),
    line(`50 of ${options.pending} open, CPU`, "cpu", (us) => `${us.toFixed(0)} µs`),
  ];
}
