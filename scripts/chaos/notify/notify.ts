import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { createRandom } from "../kit/random.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { type Arrival, type Hooks, startHooks } from "./receiver.ts";

const POINTS = ["after-plan", "after-lease", "after-send"] as const;
const HOOKS = ["first", "second", "third"];
/** Asked in each round; some of them are answered while others are sent. */
const ASKS = 6;
/** Nobody may be notified of a question as open later than this after it was settled. */
const LATE_MS = 5_000;
/** As long as a slow machine needs: only a failure takes this time. */
const SOON_MS = 120_000;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

export const notify: Scenario = {
  name: "notify",
  about:
    "kill -9 while people are told of questions, at named points: each is told, nobody three times, nobody late (counts kills)",
  size: { small: 4, whole: 4 },
  run: runNotify,
};

type Asked = {
  item: string;
  session_id: string;
  question_id: string;
  /** Null while open; unknown if the kill cut its answer off. */
  settledAt: number | null | "unknown";
};

export async function runNotify(options: RunOptions): Promise<Report> {
  const { databaseUrl, env = {} } = options;
  const random = createRandom(options.seed);
  const program = await buildServer();
  const hooks = await startHooks();
  const violations: string[] = [];
  const asked: Asked[] = [];
  const reached = Object.fromEntries([...POINTS, "random"].map((point) => [point, 0]));
  let server: ServerProcess | undefined;
  const client = createRestClient(() => server?.port ?? 0);
  const settings = {
    WEBHOOK_URL: hooks.url(HOOKS[0] ?? ""),
    WEBHOOK_SECRET: SECRET,
    NOTIFY_PRIVATE_HOSTS: "127.0.0.1",
    ...env,
  };
  let kills = 0;
  try {
    for (const round of rounds(options)) {
      const point = POINTS[round % POINTS.length] ?? POINTS[0];
      const env = { ...settings, PARLEY_KILL_AT: `${point}:${random.between(1, point === "after-send" ? 12 : 2)}` };
      server = await program.start({ databaseUrl, env });
      if (round === 0) await addHooks(client, hooks);
      // What the last kill left behind arrives first: a second kill would hit the same notifications again.
      violations.push(...(await missing(hooks, asked)));
      if (violations.length > 0) break;
      server.child.kill("SIGUSR2");
      const gone = server.exited.then(() => true);
      const work = askAndAnswer(client, asked, random.between(0, 3));
      const isReached = await Promise.race([gone, work.then(() => sleep(6_000, false, { ref: false }))]);
      if (!isReached) server.child.kill("SIGKILL");
      await server.exited;
      await work;
      kills++;
      reached[isReached ? point : "random"] = (reached[isReached ? point : "random"] ?? 0) + 1;
    }
    server = await program.start({ databaseUrl, env: settings });
    violations.push(...(await missing(hooks, asked)), ...repeated(hooks.arrivals), ...late(hooks.arrivals, asked));
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    client.close();
    await server?.stop("SIGKILL");
    await hooks.close();
  }
  const ids = new Set(hooks.arrivals.map(({ id }) => id));
  return {
    violations,
    figures: {
      kills,
      ...Object.fromEntries(POINTS.map((point) => [point, reached[point] ?? 0])),
      "at another moment": reached.random ?? 0,
      questions: asked.length,
      "of which settled meanwhile": asked.filter(({ settledAt }) => typeof settledAt === "number").length,
      notifications: ids.size,
      "arrived twice": hooks.arrivals.length - ids.size,
    },
  };
}

/** All but the first, which the settings name. */
async function addHooks(client: RestClient, hooks: Hooks): Promise<void> {
  for (const hook of HOOKS.slice(1)) {
    const target = { kind: "webhook", url: hooks.url(hook), secret: SECRET };
    const { status, text } = await client.call("POST", "/api/me/channels", { target });
    if (status !== 201) throw new Error(`a channel was refused: ${text}`);
  }
}

/** Asks, and answers some while they are sent. Calls that the kill cut off are forgotten: they were not acknowledged. */
async function askAndAnswer(client: RestClient, asked: Asked[], answers: number): Promise<void> {
  const own: Asked[] = [];
  try {
    for (let nth = 0; nth < ASKS; nth++) {
      const { body } = await client.call("POST", "/api/asks", { question_text: "Which way?", type: "text" });
      const { ask } = OPERATIONS.ask.response.parse(body);
      const question_id = ask.questions[0]?.question_id ?? "";
      const one = { item: ask.inbox_item_id, session_id: ask.session_id, question_id, settledAt: null } as Asked;
      own.push(one);
      asked.push(one);
    }
    // About when the sweep notifies people of them.
    await sleep(1_800);
    for (const one of own.slice(0, answers)) {
      const { session_id, question_id } = one;
      one.settledAt = "unknown";
      await client.call("POST", "/api/task/answer", { session_id, question_id, answer: "left" });
      one.settledAt = Date.now();
      await sleep(150);
    }
  } catch {
    // The server is gone.
  }
}

/** Waits until everyone has been notified of every open question. */
async function missing({ arrivals }: Hooks, asked: Asked[]): Promise<string[]> {
  const until = Date.now() + SOON_MS;
  const left = () => {
    const told = new Set(arrivals.map(({ hook, item }) => `${hook} ${item}`));
    return asked
      .filter(({ settledAt }) => settledAt === null)
      .flatMap(({ item }) => HOOKS.map((hook) => `/${hook} ${item}`))
      .filter((key) => !told.has(key));
  };
  while (left().length > 0 && Date.now() < until) await sleep(50);
  return left().map((key) => `${key}: nobody was told`);
}

function repeated(arrivals: Arrival[]): string[] {
  const times = new Map<string, number>();
  for (const { id, hook } of arrivals) times.set(`${hook} ${id}`, (times.get(`${hook} ${id}`) ?? 0) + 1);
  return [...times].filter(([, count]) => count > 2).map(([key, count]) => `${key} arrived ${count} times`);
}

function late(arrivals: Arrival[], asked: Asked[]): string[] {
  const settled = new Map(asked.map(({ item, settledAt }) => [item, settledAt]));
  return arrivals
    .filter(({ type, item, at }) => {
      const settledAt = settled.get(item) ?? null;
      return type !== "question.settled" && typeof settledAt === "number" && at > settledAt + LATE_MS;
    })
    .map(({ hook, item, type }) => `${hook} ${item}: ${type} came after it was settled`);
}
