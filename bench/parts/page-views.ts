import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, viewPages } from "../bench.ts";
import type { Line } from "../table.ts";
import { ASKERS, compared, contestant, inTurns, warmUp } from "./contest.ts";

const VIEWS = 100;

/**
 * The job on a server whose pages were viewed, compared with one whose pages never were. The servers take turns, because
 * a comparison of before and after on one server would also measure how the machine changed meanwhile.
 */
export async function pageViews(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const urls = [await bench.databases.createForProduct(kind), await bench.databases.createForProduct(kind)] as const;
  const viewed = await contestant(bench, "viewed", await bench.startUnviewed(urls[0]));
  const unviewed = await contestant(bench, "never viewed", await bench.startUnviewed(urls[1]));
  await warmUp(bench, [viewed, unviewed], [...urls]);
  const before = await inTurns(bench, [viewed, unviewed], ASKERS);
  await viewPages(viewed.server, VIEWS, [`/conversations/${viewed.sessions[0]}`]);
  const after = await inTurns(bench, [viewed, unviewed], ASKERS);
  await bench.stopServers();
  const line = (figure: string, rounds: typeof after): Line => {
    const { above, below, ratio } = compared(rounds, viewed.name, unviewed.name, (turn) => turn.cpu);
    const product = `${above.toFixed(0)} µs`;
    return { figure, kind, product, against: `never viewed ${below.toFixed(0)} µs`, ratio };
  };
  const cpu = line(`CPU of a round trip after ${VIEWS} page views`, after);
  return [
    line("CPU of a round trip before any page view", before),
    { ...cpu, target: { value: cpu.ratio?.median ?? Number.NaN, atMost: 1.05 } },
  ];
}
