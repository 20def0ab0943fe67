import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type Reply } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { faultOf } from "./judge.ts";
import { bodyText, mutated } from "./mutate.ts";
import { type FuzzRequest, validRequest, type World } from "./requests.ts";
import { goneBy, startFuzzTarget, statusFigures } from "./target.ts";
import { createTeamWorld, learnTeam, renew } from "./team-requests.ts";
import { repliesIn, sendWire, wireRequest } from "./wire.ts";

const AT_ONCE = 24;
const TIMEOUT_MS = 60_000;
const MAX_VIOLATIONS = 30;

export const fuzz: Scenario = {
  name: "fuzz",
  about: "hostile input to every operation: no 5xx, hang or crash, always the documented envelope (counts requests)",
  size: { small: 2_000, whole: 20_000 },
  run: (options) => runFuzz(options),
};

/** `isTeam`: people sign in, and most requests are about them, their keys and their spaces. */
export async function runFuzz(options: RunOptions, isTeam = false): Promise<Report> {
  const { seed, databaseUrl, log, env = {} } = options;
  const target = await startFuzzTarget(databaseUrl, env);
  const { server } = target;
  const client = createRestClient(() => server.port, TIMEOUT_MS);
  const world: World = { sessions: [], asks: [], cursors: [] };
  if (isTeam) world.team = await createTeamWorld(client, databaseUrl);
  const violations: string[] = [];
  const found = perKind(violations);
  const statuses = new Map<number, number>();
  let sent = 0;
  let reconnected = 0;
  let heapAtQuarter = 0;
  const numbers = rounds(options);

  const one = async (random: Random): Promise<string | undefined> => {
    const valid = validRequest(random, world);
    const draw = random.next();
    if (draw < 0.08) return wireFault(server.port, random, valid, statuses);
    const request = draw < 0.3 ? valid : mutated(random, valid);
    const text = bodyText(request);
    const { method, path } = request;
    const about = `${method} ${path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 300)} ${(text ?? "").slice(0, 600)}`;
    let reply: Reply | Error = await attempt(() => client.call(method, asciiPath(path), text, sendable(request, text)));
    if (reply instanceof Error && wasClosed(reply)) {
      reconnected++;
      const fresh = { ...sendable(request, text), connection: "close" };
      reply = await attempt(() => client.call(method, asciiPath(path), text, fresh));
    }
    if (reply instanceof Error) {
      // A body that is refused before it was fully sent may break the connection.
      const early = (text?.length ?? 0) > 1024 * 1024 && "code" in reply;
      return early ? undefined : `${reply.message}: ${about}`;
    }
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    learn(world, reply);
    if (world.team) learnTeam(world.team, reply);
    if (world.team && reply.status === 401 && request.headers.cookie === world.team.admin.headers.cookie)
      await renew(client, world.team);
    const fault = faultOf({ method, path, status: reply.status, text: reply.text });
    return fault && `${fault}\n    after ${about}`;
  };

  const worker = async () => {
    for (const number of numbers) {
      const random = createRandom(seed).fork(number);
      const fault = await one(random);
      sent++;
      if (fault) found.add(number, fault);
      if (violations.length >= MAX_VIOLATIONS || target.isGone()) return;
      const MiB = sent % 1_000 === 0 ? target.residentMiB() : 0;
      if (sent % 5_000 === 0) log(`${sent} requests, ${violations.length} violations, ${MiB} MiB`);
      if (sent === Math.floor(options.times / 4)) heapAtQuarter = await target.heap();
    }
  };
  let heap = 0;
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    heap = await target.heap();
    const alive = await client.call("GET", "/health");
    if (alive.status !== 200) violations.push(`/health says ${alive.text}`);
  } catch (error) {
    violations.push(goneBy(error, target));
  } finally {
    client.close();
    violations.push(...(await target.stop()));
  }
  const ok = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
  if (violations.length === 0 && ok < sent / 20) violations.push(`only ${ok} of ${sent} requests were accepted`);
  return {
    violations,
    figures: {
      requests: sent,
      accepted: ok,
      "sent again on a new connection": reconnected,
      ...statusFigures(statuses),
      "largest resident MiB": target.residentMiB(),
      "heap MiB after a quarter, and at the end": `${(heapAtQuarter / 2 ** 20).toFixed(1)}, ${(heap / 2 ** 20).toFixed(1)}`,
    },
  };
}

/** A few examples of each kind of fault say more than a thousand of the first kind. */
function perKind(violations: string[]): { add: (number: number, fault: string) => void } {
  const seen = new Map<string, number>();
  return {
    add: (number, fault) => {
      const kind = fault.replace(/[0-9a-z_-]*\d[0-9a-z_-]*/gi, "…").slice(0, 120);
      const count = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, count);
      if (count <= 3) violations.push(`request ${number}: ${fault}`);
    },
  };
}

/** A reused connection that the server was just closing: a client retries. A hang or a crash is something else. */
function wasClosed(error: Error): boolean {
  return "reused" in error && error.reused === true && "code" in error && error.code === "ECONNRESET";
}

function attempt(call: () => Promise<Reply>): Promise<Reply | Error> {
  return call().catch((error: Error) => error);
}

async function wireFault(
  port: number,
  random: Random,
  valid: FuzzRequest,
  statuses: Map<number, number>,
): Promise<string | undefined> {
  const wire = wireRequest(random, valid, port);
  const about = wire.parts.map(String).join("").slice(0, 400);
  const received = await sendWire(port, wire, TIMEOUT_MS);
  if (received === "hangs") return `no end within ${TIMEOUT_MS} ms\n    after ${about}`;
  if (wire.leaves || received.length === 0) return undefined;
  const replies = repliesIn(received);
  if (!replies) return `not HTTP: ${received.toString().slice(0, 300)}\n    after ${about}`;
  for (const { status, text } of replies) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const [, method = "GET", path = "/"] = /^\s*(\S+) (\S+)/.exec(about) ?? [];
    if (status < 400) continue;
    const fault = faultOf({ method, path: path.startsWith("/") ? path : "/api/", status, text });
    if (fault) return `${fault}\n    after ${about}`;
  }
  return undefined;
}

/** Collects real ids from replies, so that later requests get past validation. */
function learn(world: World, { status, body, headers }: Reply): void {
  if (status >= 300 || !String(headers["content-type"]).startsWith("application/json")) return;
  const asked = OPERATIONS.ask.response.safeParse(body).data?.ask;
  if (asked) world.asks.push(asked);
  const { session_id, next_cursor } = (body ?? {}) as { session_id?: string; next_cursor?: unknown };
  if (typeof session_id === "string") world.sessions.push(session_id);
  if (typeof next_cursor === "string") world.cursors.push(next_cursor);
  if (world.asks.length > 60) world.asks.shift();
  if (world.sessions.length > 40) world.sessions.shift();
  if (world.cursors.length > 40) world.cursors.shift();
}

function asciiPath(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character.toWellFormed()));
}

function sendable({ method, headers }: FuzzRequest, text: string | undefined): Record<string, string> {
  const length: Record<string, string> =
    text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
  if (text === undefined && method !== "GET" && method !== "HEAD") length["content-length"] = "0";
  return { ...headers, ...length };
}
