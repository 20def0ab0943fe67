import type { Bench } from "../bench.ts";
import type { Slice } from "../client/round-trips.ts";
import { execute } from "../databases.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { median, ratios, type Spread } from "../statistics.ts";

export const ASKERS = 64;

export type Contestant = { name: string; server: MeasuredServer; sessions: string[] };
/** The product and the bare server that it is compared with. */
export type Pair = { name: "product" | "bare"; server: MeasuredServer }[];
/** `cpu`: CPU time of the server in microseconds per round trip. */
export type Turn = Slice & { cpu: number };
/** One turn per round, by contestant. */
export type Rounds = Map<string, Turn[]>;

export async function contestant(
  bench: Bench,
  name: string,
  server: MeasuredServer,
  count = ASKERS,
): Promise<Contestant> {
  const sessions = await bench.load.run("openSessions", { port: server.port, count });
  return { name, server, sessions };
}

/** `databases` are those of the contestants that have one. */
export async function warmUp(bench: Bench, contestants: Contestant[], databases: string[]): Promise<void> {
  const max = bench.options.warmUp;
  for (const { server, sessions } of contestants) {
    const slice = { port: server.port, askers: ASKERS, sessions, ms: 30_000, max, prefix: "warm", pauseMs: 0 };
    await bench.load.run("roundTrips", slice);
  }
  // PostgreSQL's daemon does this within a minute, and plans made before that differ.
  for (const url of databases) if (!url.startsWith("file:")) await execute(url, "analyze");
}

/** Measures each contestant in every round, in alternating order. */
export async function inTurns(bench: Bench, contestants: Contestant[], askers: number): Promise<Rounds> {
  const { rounds, sliceMs } = bench.options;
  const turns: Rounds = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, server, sessions } of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const before = server.cpu();
      const slice = await bench.load.run("roundTrips", {
        port: server.port,
        askers,
        sessions: askers === 1 ? sessions.slice(0, 1) : sessions,
        ms: sliceMs,
        prefix: `toolu_${askers}_${Date.now().toString(36)}`,
        pauseMs: askers === 1 ? 2 : 0,
      });
      const turn = { ...slice, cpu: (server.cpu() - before) / slice.count };
      turns.get(name)?.push(turn);
      bench.say(`  ${askers} askers, round ${round}, ${name}: ${summary(turn)}`);
    }
  }
  return turns;
}

export type Comparison = { above: number; below: number; ratio: Spread };

export function compared(rounds: Rounds, above: string, below: string, figure: (turn: Turn) => number): Comparison {
  const [a, b] = [above, below].map((name) => (rounds.get(name) ?? []).map(figure)) as [number[], number[]];
  return { above: median(a), below: median(b), ratio: ratios(a, b) };
}

function summary({ perSecond, ask, answer, cpu }: Turn): string {
  return `${perSecond.toFixed(0)}/s, ask ${ask.p50.toFixed(2)} ms, answer ${answer.p50.toFixed(2)} ms, CPU ${cpu.toFixed(0)} µs`;
}
