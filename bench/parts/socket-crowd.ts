import { type Bench, sleep } from "../bench.ts";
import { median, ratios } from "../statistics.ts";
import type { Line } from "../table.ts";
import type { Pair } from "./contest.ts";

const GIB = 1024 ** 3;

/** How many watching sockets fit into a GiB. They stay open. */
export async function idleSockets(bench: Bench, pair: Pair, session: string): Promise<Line[]> {
  const { load, options } = bench;
  const count = options.sockets;
  const perGib = new Map<string, number>();
  for (const { name, server } of pair) {
    const { port } = server;
    // Compiled code and the young generation reach their size first.
    await load.run("openWatchers", { port, sessions: [session], count: count / 5 });
    await load.run("closeWatchers", { port });
    await sleep(2_000);
    const before = await server.memory();
    await load.run("openWatchers", { port, sessions: [session], count });
    await sleep(2_000);
    const after = await server.memory();
    const each = (after.rss - before.rss) / count;
    bench.say(
      `  ${count} sockets, ${name}: RSS ${each.toFixed(0)} B, heap ${((after.heap - before.heap) / count).toFixed(0)} B`,
    );
    perGib.set(name, GIB / each);
  }
  const [ours, theirs] = [perGib.get("product") ?? Number.NaN, perGib.get("bare") ?? Number.NaN];
  const ratio = ratios([ours], [theirs]);
  return [
    {
      figure: `idle sockets in a GiB, by ${count}`,
      kind: "sqlite",
      product: ours.toFixed(0),
      against: `bare ${theirs.toFixed(0)}`,
      ratio,
      target: { value: ratio.median, atLeast: 0.8 },
    },
  ];
}

/** The time until the last of all watchers of a conversation has a question. */
export async function broadcasts(bench: Bench, pair: Pair, session: string): Promise<Line> {
  const { load, options } = bench;
  const times = { product: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= options.rounds; round++) {
    for (const { name, server } of round % 2 === 0 ? pair : pair.toReversed()) {
      const { ms, sample } = await load.run("broadcast", { port: server.port, session, id: `crowd_${round}` });
      bench.say(`  broadcast, ${name}: ${ms.toFixed(0)} ms, ${sample.length} bytes each`);
      if (round > 0) times[name].push(ms);
      // By then the other events about it, such as the new state, have been delivered.
      await sleep(1_500);
    }
  }
  const ratio = ratios(times.product, times.bare);
  return {
    figure: `one event to ${options.sockets} sockets`,
    kind: "sqlite",
    product: `${median(times.product).toFixed(0)} ms`,
    against: `bare ${median(times.bare).toFixed(0)} ms`,
    ratio,
    target: { value: ratio.median, atMost: 1.5 },
  };
}
