import { isDeepStrictEqual } from "node:util";
import type { Ask } from "../../../lib/domain/ask.ts";
import { attempt } from "../kit/attempt.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { agent, by, type Node, type NodeOptions, openNode, person, START } from "../kit/node.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { DEADLINE_KINDS, type DeadlineKind } from "./kinds.ts";

const SWEEP_MS = 200;
const DAYS_400 = 400 * 86_400;
const ASKS_AT_ONCE = 25;
/** No timer may be longer, however distant its deadline: one beyond 24.8 days would fire at once. */
const LONGEST_TIMER_MS = 3_600_000;
const LOST_AFTER_MS = 10_000;

export const deadlines: Scenario = {
  name: "deadlines",
  about:
    "deadlines from 1 s to 400 days, two sweepers, the server down in between: once, never early (counts questions)",
  size: { small: 100, whole: 500 },
  run: (options) => passDeadlines(options),
};

type PendingAsk = { ask: Ask; kind: DeadlineKind; name: string };
type Figures = Record<
  "questions" | "timeout" | "restarts" | "reopened" | "longest timer, ms" | "default" | "person",
  number
>;

/** `options.node` lets a test plant a bug below the hub and check that it is detected. */
export async function passDeadlines({ node, ...options }: RunOptions & { node?: NodeOptions }): Promise<Report> {
  const violations: string[] = [];
  const figures: Figures = {
    questions: 0,
    timeout: 0,
    restarts: 0,
    reopened: 0,
    "longest timer, ms": 0,
    default: 0,
    person: 0,
  };
  const time = new VirtualTime(options.databaseUrl, node);
  const timers = watchTimers();
  try {
    for (const round of rounds({ ...options, times: Math.ceil(options.times / ASKS_AT_ONCE) })) {
      const random = createRandom(options.seed).fork(round);
      await time.open();
      const waiting = await askMany(time, random, round);
      for (const one of waiting) {
        const problem = await passOne(time, one, random, figures);
        if (problem) violations.push(`${one.ask.tool_use_id} (${one.name}): ${problem}`);
        figures.questions++;
      }
    }
  } finally {
    timers.stop();
    await time.close();
  }
  figures["longest timer, ms"] = timers.longest();
  if (timers.longest() > LONGEST_TIMER_MS) violations.push(`a timer was set for ${timers.longest()} ms`);
  violations.push(
    ...time.errors.map((error) => `in the background: ${error}`),
    ...(await rowViolations(options.databaseUrl)),
  );
  return { violations, figures };
}

/** Two nodes that share a clock, which stands still unless the scenario moves it. */
class VirtualTime {
  now = START;
  readonly errors: unknown[] = [];
  readonly #url: string;
  readonly #options: NodeOptions;
  nodes: Node[] = [];

  constructor(url: string, options: NodeOptions = {}) {
    this.#url = url;
    this.#options = options;
  }

  async open(): Promise<void> {
    const options = { ...this.#options, clock: () => this.now, sweepMs: SWEEP_MS };
    while (this.nodes.length < 2) this.nodes.push(await openNode(this.#url, options));
  }

  async close(): Promise<void> {
    for (const node of this.nodes.splice(0)) {
      await node.close();
      this.errors.push(...node.errors);
    }
  }

  /** Both nodes sweep at once, and their own timers may sweep as well. */
  async moveTo(now: number): Promise<void> {
    this.now = Math.max(this.now, now);
    await Promise.all(this.nodes.map((node) => node.hub.expire(this.now)));
  }
}

/** Log-uniform, so that seconds are as likely as months. Some are due at the same moment. */
async function askMany(time: VirtualTime, random: Random, round: number): Promise<PendingAsk[]> {
  const all: PendingAsk[] = [];
  for (let index = 0; index < ASKS_AT_ONCE; index++) {
    const { hub } = random.pick(time.nodes);
    const id = `ask${round}.${index}`;
    const [name, kindOf] = random.pick(Object.entries(DEADLINE_KINDS));
    const kind = kindOf(id);
    const timeout_s = random.chance(0.2) ? 3_600 : Math.round(DAYS_400 ** random.next());
    let ask = await hub.ask(by(agent("asker"), time.now), { ...kind.body, tool_use_id: id, timeout_s });
    for (const [question_id, answer] of Object.entries(kind.answered ?? {}))
      ask = await hub.answer(by(person("ann"), time.now), {
        conversation_id: ask.conversation_id,
        question_id,
        answer,
      });
    all.push({ ask, kind, name });
  }
  return all.sort((a, b) => (a.ask.deadline_at ?? 0) - (b.ask.deadline_at ?? 0));
}

async function passOne(
  time: VirtualTime,
  one: PendingAsk,
  random: Random,
  figures: Figures,
): Promise<string | undefined> {
  const { ask, kind } = one;
  const deadline = ask.deadline_at ?? 0;
  const reader = random.int(2);
  const read = (): Promise<Ask> => {
    const target = { conversation_id: ask.conversation_id, tool_use_id: ask.tool_use_id };
    return (time.nodes[reader] as Node).hub.readAsk(by(agent("asker"), time.now), target);
  };
  if (deadline - 1 > time.now && kind.by !== "person") {
    await time.moveTo(deadline - 1);
    if ((await read()).status !== "pending") return "was settled before its deadline";
  }
  if (random.chance(0.1)) {
    await time.close();
    time.now = Math.max(time.now, deadline + random.int(100_000));
    await time.open();
    figures.restarts++;
    if (!(await becomes(read))) return "was not handled after a restart";
  } else await time.moveTo(deadline + (random.chance(0.5) ? 0 : random.int(5_000)));

  const after = await read();
  const wrong = judge(after, kind, deadline);
  if (wrong) return wrong;
  if (after.status === "timeout") figures.timeout++;
  if (kind.by !== "system") figures[kind.by]++;
  if (after.status === "timeout" && random.chance(0.3)) {
    figures.reopened++;
    return passAgain(time, after, kind, random, read);
  }
  return undefined;
}

/** Reopens asks on one node, with a new deadline that the other node must enforce. */
async function passAgain(
  time: VirtualTime,
  ask: Ask,
  kind: DeadlineKind,
  random: Random,
  read: () => Promise<Ask>,
): Promise<string | undefined> {
  const [one, other] = random.shuffle(time.nodes) as [Node, Node];
  const target = { conversation_id: ask.conversation_id, tool_use_id: ask.tool_use_id };
  const reopened = await attempt(() => one.hub.reopen(by(person("ann"), time.now), target, random.between(1, 100)));
  if (!reopened.value) return `was not reopened: ${reopened.code}`;
  const deadline = reopened.value.deadline_at ?? 0;
  time.now = deadline;
  await other.hub.expire(deadline - 1);
  await other.hub.expire(deadline);
  return judge(await read(), kind, deadline);
}

/** Checks what the agent gets, and that the record names no person as its source. */
function judge(
  { status, result, decided_at, questions }: Ask,
  kind: DeadlineKind,
  deadline: number,
): string | undefined {
  const expected = kind.by === "person" ? "answered" : "timeout";
  if (status !== expected || result === null) return `is ${status} instead of ${expected}`;
  if (result.decided_by.kind !== kind.by) return `was decided by ${result.decided_by.kind} instead of ${kind.by}`;
  if (status === "timeout" && (decided_at ?? 0) < deadline) return "timed out early";
  if (status === "timeout" && !result.content.startsWith("Nobody answered"))
    return `tells the agent: ${result.content}`;
  const answered = questions.filter((question) => question.answered).map((question) => question.question_id);
  if (!isDeepStrictEqual(answered, Object.keys(kind.answered ?? {}))) return `has answers to ${answered}`;
  return holds(result.output, kind.output) ? undefined : `has the output ${JSON.stringify(result.output)}`;
}

function holds(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return whole === part;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([key, value]) => holds(Reflect.get(whole, key), value));
}

async function becomes(read: () => Promise<Ask>): Promise<boolean> {
  const until = performance.now() + LOST_AFTER_MS;
  while (performance.now() < until) {
    if ((await read()).status !== "pending") return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

/** Records every timer that this process sets. */
function watchTimers(): { longest: () => number; stop: () => void } {
  const original = globalThis.setTimeout;
  let longest = 0;
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof original>) => {
    longest = Math.max(longest, args[1] ?? 0);
    return original(...args);
  }, original) as typeof original;
  return {
    longest: () => longest,
    stop: () => {
      globalThis.setTimeout = original;
    },
  };
}
