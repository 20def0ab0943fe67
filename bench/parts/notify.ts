import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import type { Line } from "../table.ts";
import { ASKERS, compared, contestant, inTurns, warmUp } from "./contest.ts";

/** As a ratio to the same build without notifications. */
const SHARE_WITHOUT = 0.97;
/** Nothing listens there: questions that are answered in time are never sent. */
const NTFY_URL = "http://127.0.0.1:9/bench";

/** The cost of notifications for questions that are answered before anyone is notified. */
export async function notify(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const urls = [await bench.databases.createForProduct(kind), await bench.databases.createForProduct(kind)] as const;
  const without = await bench.startProduct(urls[0]);
  const product = await bench.startProduct(urls[1], [], { NTFY_URL });
  const contestants = [await contestant(bench, "notifying", product), await contestant(bench, "without", without)];
  await warmUp(bench, contestants, [...urls]);
  const many = await inTurns(bench, contestants, ASKERS);
  await bench.stopServers();
  const rate = compared(many, "notifying", "without", (turn) => turn.perSecond);
  const cpu = compared(many, "notifying", "without", (turn) => turn.cpu);
  return [
    {
      figure: `${ASKERS} askers with notifications, round trips/s`,
      kind,
      product: rate.above.toFixed(0),
      against: `without ${rate.below.toFixed(0)}`,
      ratio: rate.ratio,
      target: { value: rate.ratio.median, atLeast: SHARE_WITHOUT },
    },
    {
      figure: `${ASKERS} askers with notifications, CPU of a round trip`,
      kind,
      product: `${cpu.above.toFixed(0)} µs`,
      against: `without ${cpu.below.toFixed(0)} µs`,
      ratio: cpu.ratio,
    },
  ];
}
