import type { Ask } from "../../../lib/domain/ask.ts";
import { yieldTurns } from "../kit/attempt.ts";
import { agent, by, type Node, person, withNodes } from "../kit/node.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { createGates, type Gate } from "./gates.ts";

const LIMITS = { maxDepth: 1_000_000 };
const SWEEP_MS = 25;
/** Far longer than a released wait takes; a wait that takes this long was not released. */
const LOST_AFTER_MS = 10_000;

export const resume: Scenario = {
  name: "resume",
  about:
    "no lost resume: an answer before, during and after the wait registers, and with all wake-ups dropped (counts waits)",
  size: { small: 70, whole: 70 },
  run: (options) => resumeWaits(options),
};

type Race = {
  /** The waiter reads the rows before it waits, because its node does not know the question yet. */
  reads: boolean;
  wait: () => Promise<Ask>;
  answer: () => Promise<Ask>;
  look: () => Promise<Ask>;
  hold: (operation: "read" | "write", moment: "before" | "after") => Gate;
};

/** Every order of a wait and its answer, in one process. Each returns what the waiter gets. */
export const ORDERS: Record<string, (race: Race) => Promise<Ask>> = {
  "answered, then waited for": async ({ wait, answer }) => {
    await answer();
    return wait();
  },
  "waited for, then answered": async ({ wait, answer }) => {
    const waiting = wait();
    await yieldTurns(5);
    await answer();
    return waiting;
  },
  "answered between the registration and the look": answeredAtTheLook("before"),
  "answered after the look, before the reply": answeredAtTheLook("after"),
  "waited for while the answer is about to be committed": waitedForAtTheCommit("before"),
  "waited for when the answer is committed but not announced": waitedForAtTheCommit("after"),
  "waited for after someone's slow look came back too late": async ({ wait, answer, look, hold }) => {
    const slow = hold("read", "after");
    const looking = look();
    await slow.reached;
    await answer();
    slow.release();
    await looking;
    return wait();
  },
};

function answeredAtTheLook(when: "before" | "after"): (race: Race) => Promise<Ask> {
  return async ({ reads, wait, answer, hold }) => {
    const look = hold("read", when);
    const waiting = wait();
    await (reads ? look.reached : yieldTurns(5));
    await answer();
    look.release();
    return waiting;
  };
}

function waitedForAtTheCommit(when: "before" | "after"): (race: Race) => Promise<Ask> {
  return async ({ wait, answer, hold }) => {
    const commit = hold("write", when);
    const answering = answer();
    await commit.reached;
    const waiting = wait();
    await yieldTurns(5);
    commit.release();
    await answering;
    return waiting;
  };
}

async function resumeWaits(options: RunOptions): Promise<Report> {
  const violations: string[] = [];
  const figures = { waits: 0, "wake-ups dropped": 0, "slowest without wake-up, ms": 0, aborted: 0 };
  const gates = createGates();
  const nodes = [{ limits: LIMITS, wrap: gates.wrap }, { limits: LIMITS }, { limits: LIMITS, sweepMs: SWEEP_MS }];
  await withNodes(options.databaseUrl, nodes, async (opened) => {
    const [here, elsewhere, sweeping] = opened as [Node, Node, Node];
    const conversation_id = await elsewhere.hub.createConversation(by(agent("asker")), {});
    const orders = Object.entries(ORDERS);
    for (const round of rounds(options)) {
      const [name, order] = orders[round % orders.length] as (typeof orders)[number];
      // Asked on the other node, so that this one does not know the question yet.
      for (const asking of [here, elsewhere]) {
        const tool_use_id = `${asking === here ? "known" : "unknown"} ${round}`;
        await asking.hub.ask(by(agent("asker")), { conversation_id, tool_use_id, question: "Go on?" });
        const race = { ...callsOf(here, conversation_id, tool_use_id), reads: asking !== here, hold: gates.hold };
        const status = await within(LOST_AFTER_MS, order(race));
        if (status !== "answered") violations.push(`${name}, ${tool_use_id}: the waiter got ${status}`);
        figures.waits++;
      }
      const random = createRandom(options.seed).fork(round);
      const slow = await waitWithoutWakeUp(elsewhere, sweeping, conversation_id, round, random);
      if (slow === undefined) violations.push(`${round}: nobody found out that the question was answered elsewhere`);
      figures["wake-ups dropped"]++;
      figures["slowest without wake-up, ms"] = Math.max(figures["slowest without wake-up, ms"], slow ?? 0);
      await abortWait(here, conversation_id, round, random);
      figures.aborted++;
      if (here.hub.waiting() + sweeping.hub.waiting() > 0) violations.push(`${round}: a wait is left behind`);
    }
  });
  return { violations, figures };
}

function callsOf({ hub }: Node, conversation_id: string, tool_use_id: string) {
  return {
    wait: () => hub.wait(by(agent("asker")), { conversation_id, tool_use_id, seconds: 50 }),
    look: () => hub.readAsk(by(agent("asker")), { conversation_id, tool_use_id }),
    answer: () => hub.answer(by(person("ann")), { conversation_id, question_id: tool_use_id, answer: "yes" }),
  };
}

/** Another node answers without notifying this one. Returns the milliseconds until the waiter knows. */
async function waitWithoutWakeUp(
  elsewhere: Node,
  sweeping: Node,
  conversation_id: string,
  round: number,
  random: Random,
): Promise<number | undefined> {
  const tool_use_id = `elsewhere ${round}`;
  const asking = random.pick([elsewhere, sweeping]);
  await asking.hub.ask(by(agent("asker")), { conversation_id, tool_use_id, question: "Go on?" });
  const waiting = callsOf(sweeping, conversation_id, tool_use_id).wait();
  await yieldTurns(random.int(10));
  await callsOf(elsewhere, conversation_id, tool_use_id).answer();
  const answeredAt = performance.now();
  const status = await within(LOST_AFTER_MS, waiting);
  return status === "answered" ? Math.round(performance.now() - answeredAt) : undefined;
}

/** The caller leaves before, while or after the wait begins: no wait may be left behind. */
async function abortWait({ hub }: Node, conversation_id: string, round: number, random: Random): Promise<void> {
  const tool_use_id = `aborted ${round}`;
  await hub.ask(by(agent("asker")), { conversation_id, tool_use_id, question: "Go on?" });
  const leaving = new AbortController();
  const turns = random.int(6);
  if (turns === 0) leaving.abort();
  const waiting = hub.wait(by(agent("asker")), { conversation_id, tool_use_id, seconds: 50, signal: leaving.signal });
  await yieldTurns(turns);
  leaving.abort();
  await waiting;
}

/** The status that the waiter got, or "nothing" if it was never released. */
async function within(ms: number, waiting: Promise<Ask>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("nothing"), ms);
  });
  return Promise.race([waiting.then((ask) => ask.status), lost]).finally(() => clearTimeout(timer));
}
