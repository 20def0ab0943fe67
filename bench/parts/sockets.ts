import { rmSync, writeFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Bench, sleep } from "../bench.ts";
import { execute, sqlitePath } from "../databases.ts";
import { type MeasuredServer, PROBED } from "../measured-server.ts";
import type { Line } from "../table.ts";
import { ASKERS, compared, type Pair, type Rounds } from "./contest.ts";
import { productValues } from "./product-values.ts";
import { broadcasts, idleSockets } from "./socket-crowd.ts";
import { replays } from "./socket-replay.ts";

/** The path through sockets, compared with a bare Socket.IO server that writes the same rows. */
export async function sockets(bench: Bench): Promise<Line[]> {
  const { databases, load, options } = bench;
  const url = await databases.createForProduct("sqlite");
  const first = await bench.startProduct(url);
  const sessions = await load.run("openSessions", { port: first.port, count: ASKERS + 2 });
  const [thread = "", crowd = "", ...own] = sessions;
  const { sample } = await seenOnce(bench, first, crowd);
  await sleep(options.settleMs);
  await bench.stopServers();
  await execute(url, longThread(thread, options.thread));

  const copy = sqlitePath(await databases.create("sqlite"));
  const source = new Sqlite(sqlitePath(url), { readonly: true });
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const values = `${copy}.json`;
  const event = JSON.parse(sample.slice(2))[1] as unknown;
  writeFileSync(values, JSON.stringify({ event, ...productValues(sqlitePath(url), crowd, "example") }));
  const startBoth = async (): Promise<Pair> => [
    { name: "product", server: await bench.startProduct(url, PROBED) },
    { name: "bare", server: await bench.startBare("bare-sockets", { args: [copy, values], nodeFlags: PROBED }) },
  ];

  const pair = await startBoth();
  const lines = [...(await trips(bench, pair, own)), ...(await replays(bench, pair, thread))];
  await bench.stopServers();
  // Memory can be attributed only in a process that has done nothing else.
  const fresh = await startBoth();
  lines.push(...(await idleSockets(bench, fresh, crowd)), await broadcasts(bench, fresh, crowd));
  await bench.stopServers();
  rmSync(values);
  return lines;
}

async function seenOnce({ load }: Bench, { port }: MeasuredServer, session: string) {
  await load.run("openWatchers", { port, sessions: [session], count: 1 });
  const seen = await load.run("broadcast", { port, session, id: "example" });
  await load.run("closeWatchers", { port });
  return seen;
}

/** Of 500 bytes each. */
function longThread(session: string, count: number): string {
  const content = JSON.stringify({ text: "x".repeat(500 - '{"text":""}'.length) });
  return `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count})
    insert into message (conversation_id, sequence_num, uuid, type, role, content, created_at)
    select '${session}', n, lower(hex(randomblob(16))), 'text', 'assistant', '${content}', 1700000000000 + n from s;
    update conversation set last_sequence = ${count} where id = '${session}';`;
}

async function trips(bench: Bench, pair: Pair, sessions: string[]): Promise<Line[]> {
  const { load, options } = bench;
  for (const { server } of pair) {
    const { port } = server;
    const max = options.warmUp / 2;
    await load.run("socketTrips", { port, askers: ASKERS, sessions, ms: 30_000, max, prefix: "warm" });
  }
  const [many, one] = [await inTurns(bench, pair, sessions, ASKERS), await inTurns(bench, pair, sessions, 1)];
  const rate = compared(many, "product", "bare", (turn) => turn.perSecond);
  const legs = [
    ["asked → seen in a socket", "ask"],
    ["answered there → the agent has it", "answer"],
  ] as const;
  return [
    {
      figure: `${ASKERS} conversations, asked → seen → answered → resumed/s`,
      kind: "sqlite",
      product: rate.above.toFixed(0),
      against: `bare ${rate.below.toFixed(0)}`,
      ratio: rate.ratio,
      target: { value: rate.ratio.median, atLeast: 0.55 },
    },
    ...legs.map(([figure, leg]): Line => {
      const { above, below, ratio } = compared(one, "product", "bare", (turn) => turn[leg].p50);
      return {
        figure: `1 conversation, ${figure}, median`,
        kind: "sqlite",
        product: `${above.toFixed(2)} ms`,
        against: `bare ${below.toFixed(2)} ms`,
        ratio,
        target: { value: ratio.median, atMost: 2 },
      };
    }),
  ];
}

async function inTurns(bench: Bench, pair: Pair, sessions: string[], askers: number): Promise<Rounds> {
  const { rounds, sliceMs } = bench.options;
  const turns: Rounds = new Map(pair.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, server } of round % 2 === 0 ? pair : pair.toReversed()) {
      const prefix = `toolu_${askers}_${Date.now().toString(36)}`;
      const before = server.cpu();
      const trips = { port: server.port, askers, sessions, ms: sliceMs, prefix };
      const slice = await bench.load.run("socketTrips", trips);
      turns.get(name)?.push({ ...slice, cpu: (server.cpu() - before) / slice.count });
      const { perSecond, ask, answer } = slice;
      bench.say(
        `  ${askers} askers, round ${round}, ${name}: ${perSecond.toFixed(0)}/s, ask ${ask.p50.toFixed(2)} ms, answer ${answer.p50.toFixed(2)} ms`,
      );
    }
  }
  return turns;
}
