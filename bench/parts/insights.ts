import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import { type MeasuredServer, PROBED } from "../measured-server.ts";
import { median } from "../statistics.ts";
import type { Line } from "../table.ts";
import { seeded } from "./search.ts";

const AT_MOST_MS = 300;
const STALL_MS = 50;
const READS = 5;

/** The insights of everything that was ever settled. */
export async function insights(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { settled, rounds } = bench.options;
  const product = await bench.startProduct(await seeded(bench, kind, settled), PROBED);
  const began = performance.now();
  await calm(bench, product);
  bench.say(`  chunks written ${((performance.now() - began) / 1_000).toFixed(0)} s after the start`);
  const times: number[] = [];
  let stall = 0;
  for (let round = 0; round < rounds; round++) {
    stall = Math.max(stall, await product.longestStall(async () => void times.push(await read(bench, product))));
    bench.say(`  ${times.at(-1)?.toFixed(0)} ms, stall ${stall.toFixed(0)} ms`);
  }
  await bench.stopServers();
  const time = median(times);
  const about = `insights of ${settled.toLocaleString("en")} settled questions`;
  return [
    {
      figure: about,
      kind,
      product: `${time.toFixed(0)} ms`,
      against: "",
      target: { value: time, atMost: AT_MOST_MS, unit: " ms" },
    },
    {
      figure: `${about}: longest stall`,
      kind,
      product: `${stall.toFixed(0)} ms`,
      against: "",
      target: { value: stall, atMost: STALL_MS, unit: " ms" },
    },
  ];
}

const PATH = "/api/insights?from=2020-01-01T00:00:00Z&time_zone=Asia/Tokyo";

async function read(bench: Bench, { port }: MeasuredServer): Promise<number> {
  return (await bench.load.run("readMany", { port, path: PATH, count: READS })).p50;
}

/** The background has written its chunks once the server is idle. */
async function calm(bench: Bench, product: MeasuredServer): Promise<void> {
  await read(bench, product);
  for (let idle = 0; idle < 3; ) {
    const before = product.cpu();
    await sleep(1_000);
    idle = product.cpu() - before < 60_000 ? idle + 1 : 0;
  }
}
