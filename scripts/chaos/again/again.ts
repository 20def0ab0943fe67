import type { Database } from "../../../lib/db/database.ts";
import type { Ask } from "../../../lib/domain/ask.ts";
import type { AskRequest } from "../../../lib/hub/asks/ask.ts";
import { attempt } from "../kit/attempt.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { agent, by, type Node, person, START, withNodes } from "../kit/node.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { insist, withLostReplies } from "./lost-replies.ts";

const LATER = START + 86_400_000;
const LIMITS = { maxDepth: 1_000_000 };

export const again: Scenario = {
  name: "again",
  about: "repeated asks ask once: lost replies, calls repeated in parallel and after a restart (counts keys)",
  size: { small: 100, whole: 500 },
  run: (options) => askAgain(options),
};

type AskRecord = { request: AskRequest; ask: Ask };

/** `bug` lets a test plant a bug below the hub and check that it is detected. */
export async function askAgain(options: RunOptions, bug = (db: Database) => db): Promise<Report> {
  const violations: string[] = [];
  const figures = {
    keys: 0,
    calls: 0,
    "broken before": 0,
    "broken after": 0,
    "killed after": 0,
    answered: 0,
    timeout: 0,
  };
  const all: AskRecord[] = [];
  const wrap = (db: Database) => bug(withLostReplies(db));
  const node = { limits: LIMITS, wrap };

  await withNodes(options.databaseUrl, [node, node], async (nodes) => {
    const conversation_id = await (nodes as [Node])[0].hub.createConversation(by(agent("asker")), {});
    for (const round of rounds(options)) {
      const random = createRandom(options.seed).fork(round);
      const request = requestOf(random, round, conversation_id);
      const onTry = (fault: string) => {
        figures.calls++;
        if (fault in figures) figures[fault as "killed after"]++;
      };
      const callers = Array.from({ length: random.between(1, 5) }, (_, index) => random.fork(index));
      const outcomes = await Promise.all(
        callers.map((own) => insist(own, () => own.pick(nodes).hub.ask(by(agent("asker")), request), onTry)),
      );
      const asks = outcomes.flatMap(({ value }) => (value ? [value] : []));
      const [ask] = asks;
      const wrong = (what: string) => violations.push(`key ${round} (${JSON.stringify(request)}): ${what}`);
      if (asks.length < outcomes.length || !ask) wrong(`was refused: ${outcomes.map(({ code }) => code)}`);
      if (new Set(asks.map(placeOf)).size > 1) wrong(`found several asks: ${asks.map(placeOf)}`);
      if (!ask) continue;
      all.push({ request, ask });
      figures.keys++;
      const other = { ...request, header: "Another" };
      const conflict = await attempt(() => random.pick(nodes).hub.ask(by(agent("asker")), other));
      if (conflict.code !== "idempotency_conflict") wrong(`asked something else and got ${conflict.code}`);
      if (random.chance(0.5)) await answerAgain(nodes, ask, random, onTry, wrong);
    }
    await (nodes as [Node])[0].hub.expire(LATER);
  });

  // After the restart only the rows are left, and the deadlines have passed.
  await withNodes(options.databaseUrl, [{ limits: LIMITS }], async ([fresh]) => {
    for (const { request, ask } of all) {
      const { value, code } = await attempt(() => (fresh as Node).hub.ask(by(agent("asker"), LATER), request));
      if (!value || placeOf(value) !== placeOf(ask)) violations.push(`${placeOf(ask)} was asked again and got ${code}`);
      if (value?.status === "pending" && value.deadline_at !== null)
        violations.push(`${placeOf(ask)} is still pending`);
      if (value && (value.status === "pending") !== (value.result === null))
        violations.push(`${placeOf(ask)} is ${value.status} with the result ${JSON.stringify(value.result)}`);
      if (value?.status === "answered" || value?.status === "timeout") figures[value.status]++;
    }
  });
  violations.push(...(await rowViolations(options.databaseUrl)));
  return { violations, figures };
}

/** Named by tool_use_id, key or both; in a conversation, in one found by its key, or in none (only a key finds it). */
function requestOf(random: Random, round: number, conversation_id: string): AskRequest {
  const names = random.pick([
    ["tool"],
    ["key"],
    ["tool", "key"],
    ["key", "alone"],
    ["tool", "key", "alone"],
    ["tool", "run"],
  ]);
  return {
    question: `Question ${round}?`,
    ...(names.includes("tool") && { tool_use_id: `tool ${round}` }),
    ...(names.includes("key") && { idempotency_key: `key ${round}` }),
    ...(names.includes("run") && { session_key: "run" }),
    ...(!names.includes("alone") && !names.includes("run") && { conversation_id }),
    ...random.pick([{}, { timeout_s: 60 }, { deadline_at: new Date(START + 60_000).toISOString() }]),
  };
}

/** The same for an answer with a key: a repeat returns the first reply, and another person's answer is a duplicate. */
async function answerAgain(
  nodes: Node[],
  ask: Ask,
  random: Random,
  onTry: (fault: string) => void,
  wrong: (what: string) => void,
): Promise<void> {
  const question_id = ask.questions[0]?.question_id ?? "";
  const request = { conversation_id: ask.conversation_id, question_id, answer: "yes" };
  const callers = Array.from({ length: random.between(1, 4) }, (_, index) => random.fork(`answer ${index}`));
  const outcomes = await Promise.all(
    callers.map((own) => insist(own, () => own.pick(nodes).hub.answer(by(person("ann")), request, "same key"), onTry)),
  );
  for (const { value, code } of outcomes)
    if (value?.status !== "answered") wrong(`the answer was sent again and got ${code ?? value?.status}`);
  const second = await attempt(() => random.pick(nodes).hub.answer(by(person("bob")), request, "another key"));
  if (second.code !== "duplicate_answer" || second.details.answered_by?.name !== "ann")
    wrong(`a second answer got ${second.code}`);
}

function placeOf({ conversation_id, tool_use_id, inbox_item_id }: Ask): string {
  return `${conversation_id}/${tool_use_id}/${inbox_item_id}`;
}
