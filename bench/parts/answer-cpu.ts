import { rmSync, writeFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Bench, sleep } from "../bench.ts";
import type { Many } from "../client/many.ts";
import { sqlitePath } from "../databases.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import { productValues } from "./product-values.ts";

const AT_ONCE = 16;
/** Below what the product keeps of the latest asks, so that "just asked" is what it says. */
const ANSWERS = 900;

/** The CPU of an answer over REST, next to a bare handler that writes the same rows. The seals of the audit are counted. */
export async function answerCpu(bench: Bench): Promise<Line[]> {
  const { databases, load } = bench;
  const { rounds, warmUp } = bench.options;
  const url = await databases.createForProduct("sqlite");
  const product = await bench.startProduct(url);
  const sessions = await load.tell("openSessions", { port: product.port, count: 64 });
  const batch = (prefix: string, round: number): Omit<Many, "port"> => {
    return { sessions, prefix, from: round * ANSWERS, count: ANSWERS, askers: AT_ONCE };
  };
  const example = { port: product.port, sessions, prefix: "example", count: 1, askers: 1 };
  await load.tell("askMany", example);
  await load.tell("answerMany", example);
  await load.tell("askMany", { ...batch("warm", 0), port: product.port, count: warmUp });
  await load.tell("askMany", { ...batch("old", 0), port: product.port, count: rounds * ANSWERS });

  const copy = sqlitePath(await databases.create("sqlite"));
  const source = new Sqlite(sqlitePath(url), { readonly: true });
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const values = `${copy}.json`;
  writeFileSync(values, JSON.stringify(productValues(sqlitePath(url), sessions[0] ?? "", "example_0")));
  const bare = await bench.startBare("same-rows", { args: [copy, values] });
  rmSync(values);
  for (const { port } of [product, bare]) await load.tell("answerMany", { ...batch("warm", 0), port, count: warmUp });

  const [fresh, old, same]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const turns = [
      async () => {
        await load.tell("askMany", { ...batch("new", round), port: product.port });
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

/** Without what the server does when nobody asks anything of it. */
async function cpuOfAnswers(
  bench: Bench,
  server: MeasuredServer,
  batch: Omit<Many, "port">,
  times: number[],
): Promise<void> {
  const { settleMs } = bench.options;
  await sleep(settleMs);
  const [idleFrom, idleCpu] = [performance.now(), server.cpu()];
  await sleep(settleMs);
  const [from, cpu] = [performance.now(), server.cpu()];
  await bench.load.tell("answerMany", { ...batch, port: server.port });
  const whileAnswering = (server.cpu() - cpu) / batch.count;
  await sleep(settleMs);
  const idle = ((cpu - idleCpu) / (from - idleFrom)) * (performance.now() - from);
  const each = (server.cpu() - cpu - idle) / batch.count;
  times.push(each);
  bench.say(
    `  ${batch.prefix} asks: ${each.toFixed(1)} µs an answer, ${whileAnswering.toFixed(1)} µs until the last reply`,
  );
}
