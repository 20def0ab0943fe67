import { rmSync, writeFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Bench, sleep } from "../bench.ts";
import type { Batch } from "../client/many.ts";
import { sqlitePath } from "../databases.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import { productValues } from "./product-values.ts";

const AT_ONCE = 16;
/** Fewer than the product caches, so that "just asked" is what it says. */
const ANSWERS = 900;

/** The CPU time of a REST answer, seals included, compared with a bare handler that writes the same rows. */
export async function answerCpu(bench: Bench): Promise<Line[]> {
  const { databases, load } = bench;
  const { rounds, warmUp } = bench.options;
  const url = await databases.createForProduct("sqlite");
  const product = await bench.startProduct(url);
  const sessions = await load.run("openSessions", { port: product.port, count: 64 });
  const batch = (prefix: string, round: number): Omit<Batch, "port"> => {
    return { sessions, prefix, from: round * ANSWERS, count: ANSWERS, askers: AT_ONCE };
  };
  const example = { port: product.port, sessions, prefix: "example", count: 1, askers: 1 };
  await load.run("askMany", example);
  await load.run("answerMany", example);
  await load.run("askMany", { ...batch("warm", 0), port: product.port, count: warmUp });
  await load.run("askMany", { ...batch("old", 0), port: product.port, count: rounds * ANSWERS });

  const copy = sqlitePath(await databases.create("sqlite"));
  const source = new Sqlite(sqlitePath(url), { readonly: true });
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const values = `${copy}.json`;
  writeFileSync(values, JSON.stringify(productValues(sqlitePath(url), sessions[0] ?? "", "example_0")));
  const bare = await bench.startBare("same-rows", { args: [copy, values] });
  rmSync(values);
  for (const { port } of [product, bare]) await load.run("answerMany", { ...batch("warm", 0), port, count: warmUp });

  const [fresh, old, same]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const turns = [
      async () => {
        await load.run("askMany", { ...batch("new", round), port: product.port });
        return cpuOfAnswers(bench, product, batch("new", round), fresh);
      },
      () => cpuOfAnswers(bench, product, batch("old", round), old),
      () => cpuOfAnswers(bench, bare, batch("old", round), same),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  await bench.stopServers();
  const line = (figure: string, times: number[]): Line => {
    const ratio = ratios(times, same);
    return {
      figure,
      kind: "sqlite",
      product: `${median(times).toFixed(0)} µs`,
      against: `same rows ${median(same).toFixed(0)} µs`,
      ratio,
      target: { value: ratio.median, atMost: 1.5 },
    };
  };
  return [line("CPU of an answer, just asked", fresh), line("CPU of an answer, asked long ago", old)];
}

/** Subtracts what the server uses while idle. */
async function cpuOfAnswers(
  bench: Bench,
  server: MeasuredServer,
  batch: Omit<Batch, "port">,
  times: number[],
): Promise<void> {
  const { settleMs } = bench.options;
  await sleep(settleMs);
  const [idleFrom, idleCpu] = [performance.now(), server.cpu()];
  await sleep(settleMs);
  const [from, cpu] = [performance.now(), server.cpu()];
  await bench.load.run("answerMany", { ...batch, port: server.port });
  const whileAnswering = (server.cpu() - cpu) / batch.count;
  await sleep(settleMs);
  const idle = ((cpu - idleCpu) / (from - idleFrom)) * (performance.now() - from);
  const each = (server.cpu() - cpu - idle) / batch.count;
  times.push(each);
  bench.say(
    `  ${batch.prefix} asks: ${each.toFixed(1)} µs an answer, ${whileAnswering.toFixed(1)} µs until the last reply`,
  );
}
