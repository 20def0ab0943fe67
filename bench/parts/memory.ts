import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import { type MeasuredServer, type Memory, PROBED } from "../measured-server.ts";
import type { Line } from "../table.ts";

/** The memory of a pending ask without a connection, and of a call that waits for one. */
export async function memory(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { load, options } = bench;
  const { pending } = options;
  const product = await bench.startProduct(await bench.databases.createForProduct(kind), PROBED);
  const { port } = product;
  const sessions = await load.run("openSessions", { port, count: 200 });
  // First compiled code, caches and the young generation reach their size; the growth after that is the cost of asks.
  const warm = { port, sessions, prefix: "warm", count: pending, askers: 32 };
  await load.run("askMany", warm);
  await load.run("answerMany", warm);

  const before = await settled(product);
  const asks = { port, sessions, prefix: "pending", count: pending, askers: 32 };
  await load.run("askMany", asks);
  const asked = await settled(product);

  const alone = await load.run("answerMany", { ...asks, count: 100, askers: 1 });
  await load.run("openWaits", { ...asks, from: 0 });
  const waiting = await settled(product);
  const cpu = product.cpu();
  await sleep(3_000);
  const idle = (product.cpu() - cpu) / 3_000_000;
  const crowded = await load.run("answerMany", { ...asks, from: 100, count: 100, askers: 1 });
  await load.run("closeWaits");
  const gone = await settled(product);
  await bench.stopServers();

  const bytes = (from: Memory, to: Memory, of: keyof Memory) => (to[of] - from[of]) / pending;
  const shown = (value: number) => `${value.toFixed(0)} B`;
  const grown = (figure: string, from: Memory, to: Memory): Line => ({
    figure,
    kind,
    product: `RSS ${shown(bytes(from, to, "rss"))}`,
    against: `heap ${shown(bytes(from, to, "heap"))}`,
  });
  return [
    {
      ...grown(`memory of each of ${pending} pending asks`, before, asked),
      target: { value: bytes(before, asked, "rss"), atMost: 2_000, unit: " B" },
    },
    grown(`memory of each of ${pending} open waits`, asked, waiting),
    grown("… of which is left when they are closed", asked, gone),
    {
      figure: `answer while ${pending} wait, median`,
      kind,
      product: `${crowded.p50.toFixed(2)} ms`,
      against: `nobody waits ${alone.p50.toFixed(2)} ms`,
    },
    {
      figure: `answer while ${pending} wait, 99 %`,
      kind,
      product: `${crowded.p99.toFixed(2)} ms`,
      against: `nobody waits ${alone.p99.toFixed(2)} ms`,
    },
    { figure: `CPU of ${pending} open waits, of one core`, kind, product: `${(idle * 100).toFixed(1)} %`, against: "" },
  ];
}

async function settled(server: MeasuredServer): Promise<Memory> {
  await sleep(2_000);
  return server.memory();
}
