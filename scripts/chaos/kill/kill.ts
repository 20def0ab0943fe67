import { setTimeout as sleep } from "node:timers/promises";
import { CONTRACT_LIMITS } from "../../../lib/protocol/limits.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRandom } from "../kit/random.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { readTables, type Tables } from "../kit/tables.ts";
import { Ledger, missingFrom, unknownIn } from "./ledger.ts";
import { type Shared, work } from "./load.ts";

const WORKERS = 8;
export const POINTS = ["before-commit", "inside-commit", "after-commit", "before-reply", "after-reply"] as const;
/** Every fourth round runs the whole server, pages included. */
const WHOLE = 4;
/** Every eighth kill comes while the server is starting. */
const STARTING = 8;
/** As long as a slow machine needs: only a failure takes this time. */
const SOON_MS = 120_000;
const POINT_MS = 120_000;

export const kill: Scenario = {
  name: "kill",
  about:
    "kill -9 of the server under load, at random moments and at named points: nothing acknowledged is lost (counts kills)",
  size: { small: 9, whole: 25 },
  run: runKill,
};

export async function runKill(options: RunOptions): Promise<Report> {
  const { databaseUrl, log, env = {} } = options;
  const random = createRandom(options.seed);
  const program = await buildServer();
  const ledger = new Ledger();
  const gate = createGate();
  let server: ServerProcess | undefined;
  let parked = 0;
  let ending = false;
  const client = createRestClient(() => server?.port ?? 0);
  const shared: Shared = {
    client,
    ledger,
    sessions: [],
    open: [],
    up: gate.pass,
    parked: (delta) => {
      parked += delta;
    },
    ending: () => ending,
  };
  const violations: string[] = [];
  const reached = Object.fromEntries(["random", "starting", ...POINTS].map((point) => [point, 0]));
  let kills = 0;
  let whole = 0;
  const problems = async () => {
    const tables = await readTables(databaseUrl);
    return [...ledger.violations.splice(0), ...violationsIn(tables), ...missingFrom(tables, ledger)];
  };

  const workers = Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => work(shared, random.fork(`worker ${worker}`), worker)),
  );
  // A failing worker ends the run; without this handler its rejection would end the process first.
  workers.catch(() => {});
  try {
    for (const round of rounds(options)) {
      if (round % STARTING === STARTING - 1) {
        await program.killWhileStarting({ databaseUrl, env }, random.between(50, 600));
        kills++;
        reached.starting = (reached.starting ?? 0) + 1;
        continue;
      }
      const point = round % 3 === 0 ? "random" : (POINTS[round % POINTS.length] ?? "random");
      const killAt: Record<string, string> =
        point === "random" ? {} : { PARLEY_KILL_AT: `${point}:${random.between(2, 30)}` };
      server = await program.start({
        databaseUrl,
        pages: round % WHOLE === 1,
        env: { ASK_MAX_DEPTH: "1000000", ...env, ...killAt },
      });
      const pauseMs = random.between(10, 250);
      if (round > 0) violations.push(...(await problems()), ...(await overdue(client, databaseUrl)));
      if (violations.length > 0) break;
      // The kill point counts from here on, so that the server's own work at its start does not reach it.
      if (point !== "random") server.child.kill("SIGUSR2");
      gate.open();
      const gone = server.exited.then(() => "point" as const);
      const first = await Promise.race([
        gone,
        workers.then(() => gone),
        sleep(point === "random" ? pauseMs : POINT_MS, "time" as const, { ref: false }),
      ]);
      gate.close();
      if (first === "time") server.child.kill("SIGKILL");
      await server.exited;
      kills++;
      if (round % WHOLE === 1) whole++;
      reached[first === "point" ? point : "random"] = (reached[first === "point" ? point : "random"] ?? 0) + 1;
      // Replies may still be in the sockets, and whatever they acknowledge counts.
      while (parked < WORKERS) await Promise.race([sleep(2), workers.then(() => sleep(2))]);
      if (kills % 50 === 0) log(`${kills} kills, ${ledger.acknowledged} acknowledged, ${ledger.retried} made again`);
    }
    await server?.stop("SIGKILL");
    server = await program.start({ databaseUrl, env: { ASK_MAX_DEPTH: "1000000", ...env } });
    violations.push(...(await problems()));
    ending = true;
    gate.open();
    if (violations.length === 0) await workers;
    violations.push(...(await settled(client, databaseUrl, ledger)), ...(await problems()));
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    ending = true;
    client.close();
    await server?.stop("SIGKILL");
    gate.open();
  }
  return {
    violations,
    figures: {
      kills,
      "of the whole server, with pages": whole,
      "at a random moment": reached.random ?? 0,
      "while it starts": reached.starting ?? 0,
      ...Object.fromEntries(POINTS.map((point) => [point, reached[point] ?? 0])),
      "asks acknowledged": ledger.asks.size,
      "answers acknowledged": ledger.answers.size,
      "replies acknowledged": ledger.replies.size,
      "deadlines acknowledged": ledger.extended.size,
      "cancels acknowledged": ledger.cancels.size,
      "results read": ledger.results.size,
      "calls made again after a kill": ledger.retried,
    },
  };
}

/** Checks that asks due before this start are settled: a long-poll for them returns at once. */
async function overdue(client: RestClient, databaseUrl: string): Promise<string[]> {
  const now = Date.now();
  const late = (await readTables(databaseUrl)).inbox_item.filter(
    (item) => item.status === "open" && Number(item.due_at) < now,
  );
  const found = late.slice(0, 5).map(async ({ conversation_id, tool_use_id }) => {
    const path = `/api/asks/${encodeURIComponent(String(tool_use_id))}?session_id=${conversation_id}&wait=${CONTRACT_LIMITS.waitSeconds}`;
    const { ask } = OPERATIONS.readAsk.response.parse((await client.call("GET", path)).body);
    return ask.status === "timeout" ? [] : [`${tool_use_id}: its deadline passed, and it is ${ask.status}`];
  });
  return (await Promise.all(found)).flat();
}

/** Checks the quiet end state: every deadline handled, every chain sealed and intact, every row accounted for. */
async function settled(client: RestClient, databaseUrl: string, ledger: Ledger): Promise<string[]> {
  const until = Date.now() + SOON_MS;
  const isQuiet = ({ inbox_item, conversation, audit_seal }: Tables) => {
    const seals = new Map<unknown, number>();
    for (const { conversation_id, number } of audit_seal)
      seals.set(conversation_id, Math.max(seals.get(conversation_id) ?? 0, Number(number)));
    const due = inbox_item.some((item) => item.status === "open" && Number(item.due_at) < Number.MAX_SAFE_INTEGER);
    return !due && conversation.every((row) => seals.get(row.id) === row.last_audit);
  };
  let tables = await readTables(databaseUrl);
  while (!isQuiet(tables) && Date.now() < until) {
    await sleep(50);
    tables = await readTables(databaseUrl);
  }
  const found = isQuiet(tables) ? [] : ["deadlines or seals were not handled soon after the start"];
  for (const { id, last_audit, last_sequence } of tables.conversation) {
    const reply = await client.call("GET", `/api/audit?session_id=${id}&limit=1`);
    const { chain } = OPERATIONS.audit.response.parse(reply.body);
    if (!chain.intact || chain.events !== last_audit || chain.sealed !== last_audit)
      found.push(`${id}: the audit chain is ${JSON.stringify(chain)}`);
    const thread = await client.call(
      "GET",
      `/api/sessions/${id}/messages?after=${Math.max(0, Number(last_sequence) - 100)}`,
    );
    const { messages } = OPERATIONS.readMessages.response.parse(thread.body);
    if (messages.at(-1)?.sequence_num !== (last_sequence || undefined))
      found.push(`${id}: the thread ends at ${messages.at(-1)?.sequence_num}, and counts ${last_sequence}`);
  }
  return [...found, ...unknownIn(tables, ledger)];
}

function createGate(): { pass: () => Promise<void>; open: () => void; close: () => void } {
  let release = () => {};
  let passed = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    pass: () => passed,
    open: () => release(),
    close: () => {
      passed = new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  };
}
