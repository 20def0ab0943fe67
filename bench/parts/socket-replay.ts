import type { Bench } from "../bench.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import type { Pair } from "./contest.ts";

type Times = { first: number[]; all: number[]; stall: number[] };

/** Replaying a long thread to a new client. */
export async function replays(bench: Bench, pair: Pair, session: string): Promise<Line[]> {
  const { load, options } = bench;
  const times = { product: none(), bare: none() };
  for (let round = 0; round <= options.rounds; round++) {
    for (const { name, server } of round % 2 === 0 ? pair : pair.toReversed()) {
      const { port } = server;
      const stall = await server.longestStall(async () => {
        const { first, all, bytes } = await load.run("replay", { port, session });
        bench.say(`  replay, ${name}: ${first.toFixed(1)} ms, all ${all.toFixed(0)} ms, ${bytes} bytes`);
        if (round === 0) return;
        times[name].first.push(first);
        times[name].all.push(all);
      });
      if (round > 0) times[name].stall.push(stall);
    }
  }
  const shown = (ms: number) => `${ms.toFixed(1)} ms`;
  const { product, bare } = times;
  const ratio = ratios(product.all, bare.all);
  const within = (figure: string, of: keyof Times, value: number, atMost: number): Line => {
    const [ours, theirs] = [shown(value), `bare ${shown(median(bare[of]))}`];
    return { figure, kind: "sqlite", product: ours, against: theirs, target: { value, atMost, unit: " ms" } };
  };
  return [
    {
      figure: `replay of ${options.thread} messages`,
      kind: "sqlite",
      product: shown(median(product.all)),
      against: `bare ${shown(median(bare.all))}`,
      ratio,
      target: { value: ratio.median, atMost: 1.5 },
    },
    within("… its first page, median", "first", median(product.first), 10),
    within("… longest stall meanwhile, median", "stall", median(product.stall), 15),
  ];
}

function none(): Times {
  return { first: [], all: [], stall: [] };
}
