import type { Database } from "../../../lib/db/database.ts";
import { readRows } from "../../../lib/db/test-sql.ts";
import type { Ask } from "../../../lib/domain/ask.ts";
import type { AnswerOutcome } from "../../../lib/hub/asks/answer-many.ts";
import type { Hub } from "../../../lib/hub/hub.ts";
import { DecidedBy } from "../../../lib/protocol/actor.ts";
import { attempt, type Outcome, yieldTurns } from "../kit/attempt.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { agent, by, type Node, person, START, withNodes } from "../kit/node.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";

const RACERS = 50;
const TIMEOUT_S = 60;
const OPENER = "opener";
const DEADLINE = START + TIMEOUT_S * 1_000;

export const race: Scenario = {
  name: "race",
  about:
    "one outcome: 50 racers per question (answer, reply, cancel, claim, take over, deadline, extend, reopen, close) on two nodes (counts questions)",
  size: { small: 40, whole: 200 },
  run: (options) => raceQuestions(options),
};

type Kind = "answer" | "reply" | "cancel" | "claim" | "takeOver" | "release" | "extend" | "expire" | "reopen" | "close";
/** Weighted by how often each appears. */
const KINDS: Kind[] = [
  ...Array<Kind>(40).fill("answer"),
  ...Array<Kind>(4).fill("reply"),
  ...Array<Kind>(4).fill("cancel"),
  ...Array<Kind>(4).fill("extend"),
  ...Array<Kind>(2).fill("claim"),
  ...Array<Kind>(2).fill("takeOver"),
  ...Array<Kind>(4).fill("release"),
  ...Array<Kind>(12).fill("expire"),
  ...Array<Kind>(8).fill("reopen"),
  "close",
];
type Racer = { kind: Kind; name: string; question_id: string; outcome: Outcome<Ask | number | undefined> };

/** `wrap` lets a test plant a bug below the hub and check that it is detected. */
export async function raceQuestions(options: RunOptions, wrap = (db: Database) => db): Promise<Report> {
  const violations: string[] = [];
  const figures = {
    questions: 0,
    racers: 0,
    answered: 0,
    replied: 0,
    cancelled: 0,
    timeout: 0,
    reopened: 0,
    extended: 0,
    claimed: 0,
    released: 0,
  };
  await withNodes(options.databaseUrl, [{ wrap }, { wrap }], async (nodes) => {
    const [{ db, hub }] = nodes as [Node, Node];
    for (const round of rounds(options)) {
      const random = createRandom(options.seed).fork(round);
      const ask = await openQuestion(hub, random, round);
      const racers = await runRace(nodes, ask, random);
      const truth = await readTruth(db, ask);
      const problems = [...racers.flatMap((racer) => judge(racer, truth)), ...compareCounts(racers, truth)];
      violations.push(...problems.map((problem) => `question ${round}: ${problem}`));
      figures.questions++;
      figures.racers += racers.length;
      for (const { action, status } of truth.events) {
        if (action === "question.reopened") figures.reopened++;
        else if (action === "question.extended") figures.extended++;
        else if (action === "question.claimed") figures.claimed++;
        else if (action === "question.released") figures.released++;
        else if (status === "answered" || status === "replied" || status === "cancelled" || status === "timeout")
          figures[status]++;
      }
    }
  });
  violations.push(...(await rowViolations(options.databaseUrl)));
  for (const [what, count] of Object.entries(figures))
    if (count === 0 && figures.questions >= 100) violations.push(`${what} is 0: this proves little`);
  return { violations, figures };
}

/** One question, four at once, or a dozen open follow-ups: the last two are answered in parts. */
async function openQuestion(hub: Hub, random: Random, round: number): Promise<Ask> {
  const call = { tool_use_id: `ask${round}`, timeout_s: TIMEOUT_S };
  const options = [
    { id: "a", label: "A" },
    { id: "b", label: "B" },
  ];
  const kind = random.int(4);
  if (kind === 0) {
    const questions = [1, 2, 3, 4].map((n) => ({ question: `Part ${n}?`, options }));
    return hub.ask(by(agent("asker")), { ...call, questions });
  }
  const root = { ...call, question_text: "Which way?", type: "multiple_choice", options };
  if (kind !== 1) return hub.ask(by(agent("asker")), root);
  const parts = Array.from({ length: 12 }, (_, n) => ({ question_text: `Part ${n}?`, type: "text" }));
  const ask = await hub.ask(by(agent("asker")), { ...root, follow_up_questions: { a: parts } });
  const answer = { conversation_id: ask.conversation_id, question_id: ask.tool_use_id, answer: "a" };
  return hub.answer(by(person(OPENER)), answer);
}

/** In a third of the races the first racer finishes before the others start, so that every kind wins some. */
async function runRace(nodes: Node[], ask: Ask, random: Random): Promise<Racer[]> {
  const racers = Array.from({ length: RACERS }, (_, index) => racer(nodes, ask, random, index));
  const [first, ...others] = racers;
  const started = first?.();
  if (random.chance(0.33)) await started;
  const rest = await Promise.all(others.map((run) => run()));
  return started ? [await started, ...rest] : rest;
}

/** Draws all random choices before the race, so that a seed gives the same racers however the race goes. */
function racer(nodes: Node[], ask: Ask, random: Random, index: number): () => Promise<Racer> {
  const kind = random.pick(KINDS);
  const name = `racer ${index}`;
  const { hub } = random.pick(nodes);
  const { question_id, type } = random.pick(ask.questions);
  const answer = type === "text" ? name : random.pick(["a", "a", "b"]);
  const turns = index === 0 ? 0 : random.int(12);
  const conversation_id = ask.conversation_id;
  const target = { conversation_id, tool_use_id: ask.tool_use_id };
  const call = by({ ...person(name), id: name });
  const items = [ask.inbox_item_id];
  const run: Record<Kind, () => Promise<Ask | number | undefined>> = {
    answer: () => hub.answer(call, { conversation_id, question_id, answer }),
    reply: () => hub.reply(call, { ...target, text: name }),
    claim: async () => only(await hub.claim(call, items)),
    takeOver: async () => only(await hub.claim(call, items, true)),
    release: async () => only(await hub.release(call, items)),
    // A different deadline for each, none later than the moment at which deadlines pass here.
    extend: () => hub.extend(call, target, { timeout_s: 1 + index }),
    cancel: () => hub.cancel(call, target, "no longer needed"),
    expire: () => hub.expire(DEADLINE),
    reopen: () => hub.reopen(by(person(name), DEADLINE), target, TIMEOUT_S),
    close: async () => void (await hub.close(by(person(name)), conversation_id)),
  };
  return async () => {
    await yieldTurns(turns);
    return { kind, name, question_id, outcome: await attempt(run[kind]) };
  };
}

/** The outcome of the only one of several. */
function only([outcome]: AnswerOutcome[]): Ask | undefined {
  if (outcome?.error) throw outcome.error;
  return outcome?.ask;
}

type Truth = {
  isClosed: boolean;
  /** By question. */
  answeredBy: Map<string, DecidedBy>;
  events: Array<{ action: string; actor: DecidedBy; status: string }>;
};

/** Reads from the rows what happened. */
async function readTruth(db: Database, { conversation_id, tool_use_id }: Ask): Promise<Truth> {
  const where = [conversation_id, tool_use_id];
  const [conversation] = await readRows<{ closed_at: number | null }>(
    db,
    "select closed_at from conversation where id = ?",
    [conversation_id],
  );
  const answers = await readRows<{ question_id: string; answered_by: string }>(
    db,
    "select question_id, answered_by from answer where conversation_id = ?",
    [conversation_id],
  );
  const events = await readRows<{ action: string; actor: string; after: string }>(
    db,
    "select action, actor, after from audit_event where conversation_id = ? and tool_use_id = ? order by number",
    where,
  );
  return {
    isClosed: conversation?.closed_at !== null,
    answeredBy: new Map(answers.map((row) => [row.question_id, DecidedBy.parse(JSON.parse(row.answered_by))])),
    events: events.map((row) => ({
      action: row.action,
      actor: JSON.parse(row.actor),
      status: JSON.parse(row.after).status,
    })),
  };
}

/** Checks the reply to one racer against what happened. */
function judge({ kind, name, question_id, outcome }: Racer, truth: Truth): string[] {
  const did = (action: string, status?: string) =>
    truth.events.some(
      (event) => event.action === action && event.actor.name === name && (status ?? event.status) === event.status,
    );
  if (outcome.code === undefined) {
    if (kind === "answer" && truth.answeredBy.get(question_id)?.name !== name)
      return [`${name} was told that its answer to ${question_id} was accepted, but it was not`];
    if (kind === "reply" && !did("question.replied", "replied")) return [`${name} replied in vain`];
    if (kind === "extend" && !did("question.extended", "pending")) return [`${name} extended nothing`];
    if ((kind === "claim" || kind === "takeOver") && !did("question.claimed")) return [`${name} claimed nothing`];
    if (kind === "cancel" && !did("question.cancelled", "cancelled")) return [`${name} cancelled nothing`];
    if (kind === "reopen" && !did("question.reopened")) return [`${name} reopened nothing`];
    if (kind === "close" && !truth.isClosed) return [`${name} closed nothing`];
    return [];
  }
  const said = `${name}, who wanted to ${kind}, was told ${outcome.code} ${JSON.stringify(outcome.details)}`;
  const { answered_by, decided_by, status, claimed_by } = outcome.details;
  const wasSettled = (as: string | undefined, actor: DecidedBy | undefined) =>
    truth.events.some((event) => event.status === as && event.actor.name === actor?.name);
  const needsPending = kind !== "expire" && kind !== "reopen" && kind !== "close";
  const wasClaimed = () =>
    truth.events.some(({ action, actor }) => action === "question.claimed" && actor.name === claimed_by);
  const wasAnswered = () =>
    kind === "answer"
      ? truth.answeredBy.get(question_id)?.name === answered_by?.name && answered_by !== undefined
      : wasSettled("answered", answered_by);
  const isTrue: Record<string, () => boolean> = {
    duplicate_answer: () => needsPending && (wasAnswered() || wasSettled("replied", answered_by)),
    question_closed: () => needsPending && wasSettled(status, decided_by),
    question_not_found: () => kind === "answer",
    claimed: () => ["answer", "reply", "cancel", "claim"].includes(kind) && claimed_by !== name && wasClaimed(),
    conversation_interrupted: () => kind === "reopen" && truth.isClosed,
    invalid_request: () => kind === "reopen" && truth.events.some((event) => event.status === status),
  };
  return isTrue[outcome.code]?.() ? [] : [said];
}

/** As many racers must be told that they won as the rows have wins, and at most one per question. */
function compareCounts(racers: Racer[], truth: Truth): string[] {
  const actions = {
    answer: "question.answered",
    reply: "question.replied",
    cancel: "question.cancelled",
    extend: "question.extended",
    claim: "question.claimed",
    takeOver: "question.claimed",
    reopen: "question.reopened",
  } as const;
  return (["answer", "reply", "cancel", "extend", "claim", "takeOver", "reopen"] as const).flatMap((kind) => {
    const those = racers.filter((racer) => racer.kind === kind);
    const names = new Set(those.map((racer) => racer.name));
    const won = those.filter((racer) => racer.outcome.code === undefined).length;
    const events = truth.events.filter(({ action, actor }) => action === actions[kind] && names.has(actor.name)).length;
    const answers = [...truth.answeredBy.values()].filter(({ name }) => names.has(name)).length;
    if (won === events && (kind !== "answer" || won === answers)) return [];
    return [`${won} racers were told that they won (${kind}); there are ${events} events and ${answers} answers`];
  });
}
