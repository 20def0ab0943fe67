import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import { seedLimit, seedProduct } from "../seed.ts";
import type { Line, Target } from "../table.ts";
import { ASKERS, type Comparison, compared, contestant, inTurns, type Rounds, type Turn, warmUp } from "./contest.ts";
import { inbox } from "./inbox.ts";
import { againstL2 } from "./job.ts";

/** A shared machine cannot resolve smaller differences. */
const NOISE = 0.15;

/** The same figures with many answered questions in the database, compared with empty databases. */
export async function growth(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { databases, options } = bench;
  const grown = ` after ${options.grown.toLocaleString("en")}`;
  const urls = {
    product: await databases.createForProduct(kind),
    L2: await databases.createForLimit(kind),
    "product, grown": await databases.createForProduct(kind),
    "L2, grown": await databases.createForLimit(kind),
  };
  const from = performance.now();
  await seedProduct(kind, urls["product, grown"], options.grown);
  await seedLimit(kind, urls["L2, grown"], options.grown);
  bench.say(`  seeded in ${((performance.now() - from) / 1_000).toFixed(0)} s`);

  const contestants = [];
  for (const [name, url] of Object.entries(urls)) {
    const server = name.startsWith("L2") ? bench.startBare("limit", { args: [url] }) : bench.startProduct(url);
    contestants.push(await contestant(bench, name, await server));
  }
  await warmUp(bench, contestants, Object.values(urls));
  const many = await inTurns(bench, contestants, ASKERS);
  const one = await inTurns(bench, contestants, 1);
  await bench.stopServers();
  return [
    ...againstL2(kind, grown, many, one, "product, grown", "L2, grown"),
    ...besideItself(kind, grown, many, one),
    ...(await inbox(bench, kind, urls["product, grown"], grown)),
  ];
}

function besideItself(kind: DatabaseKind, grown: string, many: Rounds, one: Rounds): Line[] {
  return ["product", "L2"].flatMap((name) => {
    const versusEmpty = (rounds: Rounds, of: (turn: Turn) => number) => compared(rounds, `${name}, grown`, name, of);
    const line = (
      figure: string,
      { above, below, ratio }: Comparison,
      unit: string,
      target: Omit<Target, "value">,
    ) => ({
      figure: `${figure}${grown}, ${name} compared with itself`,
      kind,
      product: `${above.toFixed(unit ? 2 : 0)}${unit}`,
      against: `empty ${below.toFixed(unit ? 2 : 0)}${unit}`,
      ratio,
      ...(name === "product" && { target: { value: ratio.median, ...target } }),
    });
    const rate = versusEmpty(many, (turn) => turn.perSecond);
    const ask = versusEmpty(one, (turn) => turn.ask.p50);
    const answer = versusEmpty(one, (turn) => turn.answer.p50);
    return [
      line(`${ASKERS} askers`, rate, "", { atLeast: 1 - NOISE }),
      line("ask leg", ask, " ms", { atMost: 1 + NOISE }),
      line("answer leg", answer, " ms", { atMost: 1 + NOISE }),
    ];
  });
}
