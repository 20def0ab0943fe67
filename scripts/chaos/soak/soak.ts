import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { createRandom } from "../kit/random.ts";
import { isAccepted } from "../kit/raw-socket.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { readReport, residentBytes } from "../kit/server-probe.ts";
import { buildServer } from "../kit/server-program.ts";
import { deliveryFault, type Hears, type Watcher, watch } from "./watchers.ts";

const SOCKETS_EACH = 4;
const ANSWERS_PER_CONVERSATION = 3;
const MAX_CONVERSATIONS = 500;
const ANSWERS_A_SECOND = 50;
/** As many as Parley caches in memory: beyond this its caches no longer grow. */
const WARM_UP_ASKS = 1_200;
/** As long as a slow machine needs: only a failure takes this time. */
const TIMEOUT_MS = 120_000;
const MAX_GROWTH = 1.1;

export const soak: Scenario = {
  name: "soak",
  about: "4 sockets on each of up to 500 conversations, 50 answers/s: nothing lost, memory freed (counts answers)",
  size: { small: 150, whole: 150 },
  run: (options) => runSoak(options),
};

/** `hears` filters what reaches a watcher: a test loses an envelope with it, which must be detected. */
export async function runSoak(options: RunOptions, hears: Hears = () => true): Promise<Report> {
  const { databaseUrl, log, times, env = {}, timeoutMs = TIMEOUT_MS } = options;
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), "parley-soak-"));
  const report = join(folder, "report.json");
  const program = await buildServer();
  const server = await program.start({
    databaseUrl,
    env: { PARLEY_REPORT: report, ASK_MAX_DEPTH: "1000000", ...env },
    flags: ["--expose-gc"],
  });
  const client = createRestClient(() => server.port);
  const violations: string[] = [];
  const figures: Record<string, number | string> = {};
  try {
    const count = Math.max(1, Math.min(MAX_CONVERSATIONS, Math.floor(times / ANSWERS_PER_CONVERSATION)));
    const sessions = await inParallel(Array.from({ length: count }), () => createSession(client));
    await warmUp(server, client, sessions);
    const start = await heapOf(server, report);
    const residentAtStart = residentBytes(server.pid);

    const watchers = await watch(server.port, sessions, SOCKETS_EACH, hears);
    const open = await socketsOf(client);
    if (open !== watchers.length) violations.push(`${open} sockets are open, and ${watchers.length} should be`);
    const full = await heapOf(server, report);
    log(`${watchers.length} sockets on ${count} conversations`);

    const began = performance.now();
    const answered: Array<Promise<number>> = [];
    for (const round of rounds(options)) {
      await sleep(Math.max(0, began + (round * 1_000) / ANSWERS_A_SECOND - performance.now()));
      const session_id = round < count ? (sessions[round] ?? "") : random.pick(sessions);
      const by = random.chance(0.5) ? watchers.find((one) => one.session_id === session_id) : undefined;
      answered.push(askAndAnswer(client, session_id, `t${round}`, by));
      // A failing worker is reported at the end; until then its rejection must not crash the process.
      answered.at(-1)?.catch(() => {});
    }
    const waits = (await Promise.all(answered)).sort((a, b) => a - b);
    const seconds = (performance.now() - began) / 1_000;
    const delivered = await faults(client, watchers, timeoutMs);
    violations.push(...delivered.violations);

    for (const { socket } of watchers) socket.destroy();
    await allGone(client);
    const end = await heapOf(server, report);
    if (end > start * MAX_GROWTH) violations.push(`the heap was ${mib(start)} MiB before, and ${mib(end)} MiB after`);
    Object.assign(figures, {
      sockets: watchers.length,
      conversations: count,
      answers: waits.length,
      "answers a second": (waits.length / seconds).toFixed(1),
      "ask and answer ms, half and 99 of 100": `${waits[Math.floor(waits.length / 2)]?.toFixed(1)}, ${waits[Math.floor(waits.length * 0.99)]?.toFixed(1)}`,
      "messages delivered": delivered.messages,
      "heap MiB at the start, with all sockets, at the end": [start, full, end].map(mib).join(", "),
      "resident MiB at the start, at the end": [residentAtStart, residentBytes(server.pid)].map(mib).join(", "),
    });
  } catch (error) {
    violations.push(`${error instanceof Error ? error.message : error} ${server.output().slice(-500)}`);
  } finally {
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { violations, figures };
}

/** Fills Parley's caches with conversations that nobody looks at again, and opens and closes sockets. */
async function warmUp(server: ServerProcess, client: RestClient, sessions: string[]): Promise<void> {
  const others = await inParallel(Array.from({ length: 20 }), () => createSession(client));
  const asks = Array.from({ length: WARM_UP_ASKS }, (_, n) => n);
  await inParallel(asks, (n) => askAndAnswer(client, others[n % others.length] ?? "", `w${n}`, undefined));
  // The final reads load code on first use, so use them once before measuring.
  await inParallel(others, (id) => client.call("GET", `/api/sessions/${id}`));
  for (let times = 0; times < 2; times++) {
    for (const { socket } of await watch(server.port, sessions, SOCKETS_EACH, () => true)) socket.destroy();
    await allGone(client);
  }
}

/** Asks and answers, over REST or through a watching socket. Returns the milliseconds each took. */
async function askAndAnswer(
  client: RestClient,
  session_id: string,
  tool_use_id: string,
  by: Watcher | undefined,
): Promise<number> {
  const began = performance.now();
  const question = { session_id, tool_use_id, question_text: "Go on?", type: "boolean" };
  const asked = await client.call("POST", "/api/asks", question);
  if (asked.status !== 201) throw new Error(`an ask was answered with ${asked.text.slice(0, 300)}`);
  if (by) {
    const id = Number(tool_use_id.slice(1));
    const input = { conversation_id: session_id, question_id: tool_use_id, answer: true };
    const reply = by.socket.acknowledged(id, TIMEOUT_MS);
    by.socket.send(`42${id}${JSON.stringify(["user.input_response", input])}`);
    const said = await reply;
    if (!isAccepted(said)) throw new Error(`an answer was acknowledged with ${JSON.stringify(said)}`);
  } else {
    const body = { session_id, question_id: tool_use_id, answer: true };
    const reply = await client.call("POST", "/api/task/answer", body);
    if (reply.status !== 200) throw new Error(`an answer was answered with ${reply.text.slice(0, 300)}`);
  }
  return performance.now() - began;
}

/** Waits until every watcher has all messages or nothing came for `timeoutMs`, and lists what is missing, duplicate or out of order. */
async function faults(client: RestClient, watchers: Watcher[], timeoutMs: number) {
  const ids = [...new Set(watchers.map(({ session_id }) => session_id))];
  const lasts = await inParallel(ids, async (id) => {
    const { body } = await client.call("GET", `/api/sessions/${id}`);
    return [id, OPERATIONS.readSession.response.parse(body).last_sequence] as const;
  });
  const last = new Map(lasts);
  const behind = () => watchers.some(({ session_id, got }) => got.length < (last.get(session_id) ?? 0));
  let quietMs = 0;
  for (let before = -1; behind() && quietMs < timeoutMs; quietMs += 50) {
    const now = watchers.reduce((sum, { got }) => sum + got.length, 0);
    if (now !== before) quietMs = 0;
    before = now;
    await sleep(50);
  }
  const violations = watchers.flatMap(({ session_id, got, socket }) => {
    const fault = deliveryFault(got, last.get(session_id) ?? 0);
    return fault ? [`${session_id}: ${fault}${socket.closed() ? ", and the socket was closed" : ""}`] : [];
  });
  return { violations, messages: watchers.reduce((sum, { got }) => sum + got.length, 0) };
}

async function createSession(client: RestClient): Promise<string> {
  return OPERATIONS.createSession.response.parse((await client.call("POST", "/api/sessions", {})).body).session_id;
}

async function socketsOf(client: RestClient): Promise<number> {
  return Number(/^parley_sockets (\d+)/m.exec((await client.call("GET", "/metrics")).text)?.[1] ?? Number.NaN);
}

async function allGone(client: RestClient): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; (await socketsOf(client)) !== 0; await sleep(50))
    if (Date.now() > end) throw new Error(`${await socketsOf(client)} sockets are left`);
}

/** The minimum of several tries: freed memory is not always collected at once. */
async function heapOf(server: ServerProcess, report: string): Promise<number> {
  const heaps: number[] = [];
  for (let times = 0; times < 4; times++) {
    await sleep(500);
    heaps.push((await readReport(server, report)).heap);
  }
  return Math.min(...heaps);
}

async function inParallel<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
