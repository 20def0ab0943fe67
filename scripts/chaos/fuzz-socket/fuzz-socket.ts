import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { BODIES } from "../fuzz/bodies.ts";
import { acknowledgementFault } from "../fuzz/judge.ts";
import type { World } from "../fuzz/requests.ts";
import { goneBy, startFuzzTarget } from "../fuzz/target.ts";
import { sendWire } from "../fuzz/wire.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { isAccepted, openRawSocket, type RawSocket } from "../kit/raw-socket.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { handshake } from "./handshakes.ts";
import { brokenFrames, commandPacket } from "./packets.ts";

const AT_ONCE = 8;
/** Below the burst limit of a socket: throttled commands are not parsed at all. */
const COMMANDS_A_SOCKET = 40;
const LAST_ID = 9_999;
const SWALLOWED_MS = 200;
const TIMEOUT_MS = 60_000;
const MAX_VIOLATIONS = 20;
/** Growth between a quarter of the run and its end. A leak of a few kilobytes per input exceeds it at any size. */
const MAX_HEAP_GROWTH = 32 * 1024 * 1024;
/** Allowed in addition to what was open before: connections to the database and those of this client. */
const MORE_FILES = 40;

export const fuzzSocket: Scenario = {
  name: "fuzz-socket",
  about:
    "hostile input to the socket: commands, packets, frames, handshakes; no crash, no INTERNAL, no growth (counts inputs)",
  size: { small: 600, whole: 2_000 },
  run: runFuzzSocket,
};

async function runFuzzSocket(options: RunOptions): Promise<Report> {
  const { seed, log, databaseUrl, env = {} } = options;
  const target = await startFuzzTarget(databaseUrl, { PARLEY_HURRY: "1", ASK_MAX_DEPTH: "1000000", ...env });
  const { server } = target;
  const client = createRestClient(() => server.port, TIMEOUT_MS);
  const world: World = { sessions: [], asks: [], cursors: [] };
  const violations: string[] = [];
  const figures = { inputs: 0, commands: 0, accepted: 0, refused: 0, "broken frames": 0, handshakes: 0, cut: 0 };
  let heapAtQuarter = 0;
  const numbers = rounds(options);

  const command = async (random: Random, socket: RawSocket, id: number): Promise<string | undefined> => {
    const packet = commandPacket(random, world, id);
    const reply = socket.acknowledged(id, TIMEOUT_MS);
    socket.send(packet);
    const about = `\n    after ${packet.slice(0, 400)}`;
    try {
      const said = await reply;
      figures.commands++;
      // Only a packet that is too large closes the connection instead of getting a reply.
      if (said === undefined) return packet.length > 1_000_000 ? undefined : `the connection was closed${about}`;
      if (isAccepted(said)) figures.accepted++;
      else figures.refused++;
      const fault = acknowledgementFault(said);
      return fault && `${fault}${about}`;
    } catch (error) {
      return `${error instanceof Error ? error.message : error}${about}`;
    }
  };

  const worker = async () => {
    let socket: RawSocket | undefined;
    let sent = 0;
    for (const number of numbers) {
      const random = createRandom(seed).fork(number);
      if (number % 20 === 0) await learn(client, world, random);
      const draw = random.next();
      let fault: string | undefined;
      if (draw < 0.1) {
        figures.handshakes++;
        fault = await handshakeFault(server.port, random, world);
      } else {
        if (!socket || socket.closed() || sent >= COMMANDS_A_SOCKET) {
          socket?.destroy();
          sent = 0;
          socket = await openRawSocket(server.port, random.chance(0.3) ? "&dialect=user_question" : "");
        }
        if (draw < 0.7) fault = await command(random, socket, ++sent);
        else {
          figures["broken frames"]++;
          for (const frame of brokenFrames(random, world)) socket.write(frame);
          await taken(socket);
          if (socket.closed()) figures.cut++;
          socket.destroy();
          socket = undefined;
        }
      }
      figures.inputs++;
      if (fault) violations.push(`input ${number}: ${fault}`);
      if (violations.length >= MAX_VIOLATIONS || target.isGone()) break;
      const MiB = figures.inputs % 500 === 0 ? target.residentMiB() : 0;
      if (figures.inputs % 5_000 === 0) log(`${figures.inputs} inputs, ${MiB} MiB`);
      if (figures.inputs === Math.floor(options.times / 4)) heapAtQuarter = await target.heap();
    }
    socket?.destroy();
  };

  let heap = 0;
  try {
    await learn(client, world, createRandom(seed));
    const files = openFiles(server);
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    violations.push(...(await left(server, client, files)), ...(await serves(server, world)));
    heap = await target.heap();
  } catch (error) {
    violations.push(goneBy(error, target));
  } finally {
    client.close();
    violations.push(...(await target.stop()));
  }
  if (heapAtQuarter > 0 && heap - heapAtQuarter > MAX_HEAP_GROWTH)
    violations.push(`the heap grew from ${heapAtQuarter} to ${heap} bytes`);
  if (violations.length === 0 && figures.accepted < figures.commands / 10)
    violations.push(`only ${figures.accepted} of ${figures.commands} commands were accepted`);
  return {
    violations,
    figures: {
      ...figures,
      "largest resident MiB": target.residentMiB(),
      "heap MiB after a quarter, and at the end": `${(heapAtQuarter / 2 ** 20).toFixed(1)}, ${(heap / 2 ** 20).toFixed(1)}`,
    },
  };
}

/** Waits until the server has read the input or hung up. An unfinished frame swallows this probe. */
async function taken(socket: RawSocket): Promise<void> {
  const reply = socket.acknowledged(LAST_ID, TIMEOUT_MS).catch(() => undefined);
  socket.send(`42${LAST_ID}["inbox.unsubscribe",{}]`);
  await Promise.race([reply, sleep(SWALLOWED_MS, undefined, { ref: false })]);
}

async function handshakeFault(port: number, random: Random, world: World): Promise<string | undefined> {
  const wire = handshake(random, port, world.sessions);
  const received = await sendWire(port, wire, TIMEOUT_MS);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(String(received))?.[1] ?? 0);
  return status >= 500 ? `${status}\n    after ${wire.parts.join("").slice(0, 400)}` : undefined;
}

/** Creates data to aim at: conversations of a built-in and of an external agent, and an open ask. */
async function learn(client: RestClient, world: World, random: Random): Promise<void> {
  const agent = random.chance(0.3) ? "demo" : "external";
  const made = await client.call("POST", "/api/sessions", { agent });
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  world.sessions.push(session_id);
  const asked = await client.call("POST", "/api/asks", {
    ...BODIES.ask(random, { session: session_id, ask: undefined, target: { session_id, tool_use_id: "none" } }),
    session_id,
    wait: 0,
  });
  const ask = OPERATIONS.ask.response.safeParse(asked.body).data?.ask;
  if (ask) world.asks.push(ask);
  if (world.asks.length > 40) world.asks.shift();
  if (world.sessions.length > 40) world.sessions.shift();
}

/** Reports what is still open after every client has left. */
async function left(server: ServerProcess, client: RestClient, files: number): Promise<string[]> {
  let sockets = Number.NaN;
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(50)) {
    const { text } = await client.call("GET", "/metrics");
    sockets = Number(/^parley_sockets (\d+)/m.exec(text)?.[1] ?? Number.NaN);
    if (sockets === 0 && openFiles(server) <= files + MORE_FILES) return [];
  }
  return [`${sockets} sockets and ${openFiles(server)} files are left open; there were ${files} files`];
}

function openFiles({ pid }: ServerProcess): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Checks that a correct client is still served. */
async function serves(server: ServerProcess, world: World): Promise<string[]> {
  const socket = await openRawSocket(server.port);
  const reply = socket.acknowledged(1, TIMEOUT_MS);
  socket.send(`421${JSON.stringify(["conversation.subscribe", { conversation_id: world.sessions.at(-1) }])}`);
  const said = await reply;
  socket.destroy();
  return isAccepted(said) ? [] : [`a good command got ${JSON.stringify(said)}`];
}
