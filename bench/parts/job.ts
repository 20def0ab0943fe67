import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import type { Line } from "../table.ts";
import { ASKERS, type Comparison, compared, contestant, inTurns, type Rounds, warmUp } from "./contest.ts";

const SHARE_OF_L2 = { sqlite: 0.35, postgresql: 0.28 };
/** Of each leg of one asker. */
const TIMES_L2 = { sqlite: 1.7, postgresql: 1.8 };
const CONVERSATIONS = ASKERS * 32;

/** The job, compared with both limits. */
export async function job(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { databases } = bench;
  const urls = { product: await databases.createForProduct(kind), L2: await databases.createForLimit(kind) };
  const product = await bench.startProduct(urls.product);
  const fewest = await bench.startBare("limit", { args: [urls.L2] });
  const nothing = await bench.startBare("limit", { args: ["none"] });
  const contestants = [
    await contestant(bench, "product", product),
    await contestant(bench, "L2", fewest),
    await contestant(bench, "L1", nothing),
  ];
  await warmUp(bench, contestants, Object.values(urls));
  const many = await inTurns(bench, contestants, ASKERS);
  const one = await inTurns(bench, contestants, 1);
  const wide = [
    await contestant(bench, "product", product, CONVERSATIONS),
    await contestant(bench, "L2", fewest, CONVERSATIONS),
  ];
  const spread = await inTurns(bench, wide, ASKERS);
  await bench.stopServers();
  return [
    ...againstL2(kind, "", many, one, "product", "L2"),
    // Askers move from one conversation to the next, as agents do, instead of asking thousands of times in one.
    rate(
      kind,
      `${ASKERS} askers over ${CONVERSATIONS} conversations`,
      compared(spread, "product", "L2", perSecond),
      "L2",
    ),
    rate(kind, `${ASKERS} askers, round trips/s`, compared(many, "product", "L1", perSecond), "L1"),
    time(
      kind,
      "1 asker, answer leg, median",
      compared(one, "product", "L1", (turn) => turn.answer.p50),
      "L1",
    ),
  ];
}

export function againstL2(
  kind: DatabaseKind,
  suffix: string,
  many: Rounds,
  one: Rounds,
  product: string,
  limit: string,
): Line[] {
  const rates = compared(many, product, limit, perSecond);
  const cpu = compared(many, product, limit, (turn) => turn.cpu);
  const legs = (["ask", "answer"] as const).map((leg): Line => {
    const times = compared(one, product, limit, (turn) => turn[leg].p50);
    const line = time(kind, `1 asker, ${leg} leg, median${suffix}`, times, "L2");
    return { ...line, target: { value: times.ratio.median, atMost: TIMES_L2[kind] } };
  });
  return [
    {
      ...rate(kind, `${ASKERS} askers, round trips/s${suffix}`, rates, "L2"),
      target: { value: rates.ratio.median, atLeast: SHARE_OF_L2[kind] },
    },
    {
      figure: `${ASKERS} askers, CPU of a round trip${suffix}`,
      kind,
      product: `${cpu.above.toFixed(0)} µs`,
      against: `L2 ${cpu.below.toFixed(0)} µs`,
      ratio: cpu.ratio,
    },
    ...legs,
  ];
}

const perSecond = (turn: { perSecond: number }) => turn.perSecond;

function rate(kind: DatabaseKind, figure: string, { above, below, ratio }: Comparison, limit: string): Line {
  return { figure, kind, product: above.toFixed(0), against: `${limit} ${below.toFixed(0)}`, ratio };
}

function time(kind: DatabaseKind, figure: string, { above, below, ratio }: Comparison, limit: string): Line {
  return { figure, kind, product: `${above.toFixed(2)} ms`, against: `${limit} ${below.toFixed(2)} ms`, ratio };
}
