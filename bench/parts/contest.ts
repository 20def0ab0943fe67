import type { Bench } from "../bench.ts";
import type { Slice } from "../client/round-trips.ts";
import { execute } from "../databases.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { median, ratios, type Spread } from "../statistics.ts";

export const ASKERS = 64;

export type Contestant = { name: string; server: MeasuredServer; sessions: string[] };
/** The product and the one bare server that it is held against. */
export type Pair = { name: "product" | "bare"; server: MeasuredServer }[];
/** `cpu`: of the server, microseconds a round trip. */
export type Turn = Slice & { cpu: number };
/** By contestant, a turn a round. */
export type Rounds = Map<string, Turn[]>;

export async function contestant(
  bench: Bench,
  name: string,
  server: MeasuredServer,
  count = ASKERS,
): Promise<Contestant> {
  const sessions = await bench.load.tell("openSessions", { port: server.port, count });
  return { name, server, sessions };
}

/** The databases are those of the contestants, where they have one. */
export async function warmUp(bench: Bench, contestants: Contestant[], databases: string[]): Promise<void> {
  const most = bench.options.warmUp;
  for (const { server, sessions } of contestants) {
    const given = { port: server.port, askers: ASKERS, sessions, ms: 30_000, most, prefix: "warm", pauseMs: 0 };
    await bench.load.tell("roundTrips", given);
  }
  // PostgreSQL's own daemon does this within a minute; plans made before that are of another kind.
  for (const url of databases) if (!url.startsWith("file:")) await execute(url, "analyze");
}

/** Each contestant in every round, in an order that turns about. */
export async function inTurns(bench: Bench, contestants: Contestant[], askers: number): Promise<Rounds> {
  const { rounds, sliceMs } = bench.options;
  const turns: Rounds = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, server, sessions } of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const before = server.cpu();
      const slice = await bench.load.tell("roundTrips", {
        port: server.port,
        askers,
        sessions: askers === 1 ? sessions.slice(0, 1) : sessions,
        ms: sliceMs,
        prefix: `toolu_${askers}_${Date.now().toString(36)}`,
        pauseMs: askers === 1 ? 2 : 0,
      });
      const turn = { ...slice, cpu: (server.cpu() - before) / slice.count };
      turns.get(name)?.push(turn);
      bench.say(`  ${askers} askers, round ${round}, ${name}: ${told(turn)}`);
    }
  }
  return turns;
}

export type Comparison = { above: number; below: number; ratio: Spread };

export function compared(rounds: Rounds, above: string, below: string, figure: (turn: Turn) => number): Comparison {
  const [a, b] = [above, below].map((name) => (rounds.get(name) ?? []).map(figure)) as [number[], number[]];
  return { above: median(a), below: median(b), ratio: ratios(a, b) };
}

function told({ perSecond, ask, answer, cpu }: Turn): string {
  return `${perSecond.toFixed(0)}/s, ask ${ask.p50.toFixed(2)} ms, answer ${answer.p50.toFixed(2)} ms, CPU ${cpu.toFixed(0)} µs`;
}
