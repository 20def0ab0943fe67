import { randomUUID } from "node:crypto";
import { type Client, ClientError } from "../../client.ts";
import { type PickedAnswer, QUESTION_TYPES } from "../../domain/question-types.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { Question } from "../../protocol/question.ts";
import { keepTrying } from "../terminal/hub-client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Asker, NO_ANSWER, PromptAbandoned } from "./asker.ts";
import { askTree } from "./create-asker.ts";

/** How long to try to send an answer while Parley is away. */
export const TRY_MS = 10_000;
const WAIT_S = 55;

/** Asks the person at this terminal and sends their answer. False if somebody else was faster. */
export async function answerAsk(terminal: Terminal, hub: Client, asker: Asker, ask: AskView): Promise<boolean> {
  const { session_id, tool_use_id, content_hash } = ask;
  const read = (wait: number, signal?: AbortSignal) =>
    hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait }, ...(signal && { signal }) });
  const [overtaken, done] = [new AbortController(), new AbortController()];
  void settledElsewhere(read, done.signal).then((settled) => settled && overtaken.abort());
  try {
    const answers = await askAll(terminal, asker, ask, overtaken.signal);
    // Our own answer settles the ask too; stop watching first.
    done.abort();
    const idempotencyKey = randomUUID();
    const body = { session_id, tool_use_id, content_hash, answers };
    await keepTrying(() => hub.call("answer", { body, idempotencyKey }), { forMs: TRY_MS });
    terminal.say("Answered: the agent goes on.");
    return true;
  } catch (error) {
    const isSettled =
      error instanceof ClientError && (error.code === "duplicate_answer" || error.code === "question_closed");
    if (!overtaken.signal.aborted && !isSettled) throw error;
    const { decided_by, outcome } = (await read(0)).ask.result ?? {};
    terminal.say(`Already ${OUTCOMES[outcome ?? "answered"]} by ${decided_by?.name} (${decided_by?.surface}).`);
    return false;
  } finally {
    done.abort();
  }
}

const OUTCOMES = { answered: "answered", replied: "replied to", cancelled: "cancelled", timeout: "timed out" };

async function askAll(
  terminal: Terminal,
  asker: Asker,
  ask: AskView,
  signal: AbortSignal,
): Promise<Record<string, AnswerInput>> {
  const questions = ask.irreversible ? ask.questions.map(withoutDefaults) : ask.questions;
  const earlier = new Map(
    questions.flatMap(({ question_id, answer: one }) => (one ? [[question_id, one.option_ids]] : [])),
  );
  const picked = await askTree(questions, (question) => asker.ask(question, heading(ask, question), signal), earlier);
  if (ask.irreversible) await confirm(terminal, asker, questions, picked);
  return Object.fromEntries(
    questions.flatMap((question) => {
      const one = picked.get(question.question_id);
      return one ? [[question.question_id, QUESTION_TYPES[question.type].submit(one)]] : [];
    }),
  );
}

/** Nothing that cannot be undone is preselected. */
function withoutDefaults<Asked extends Question>({ default: _, options, ...question }: Asked) {
  return { ...question, options: options.map(({ default: __, ...option }) => option) };
}

/** Shows what will be sent, and asks once more. */
async function confirm(
  terminal: Terminal,
  asker: Asker,
  questions: Question[],
  picked: ReadonlyMap<string, PickedAnswer>,
): Promise<void> {
  for (const question of questions) {
    const { option_ids, text } = picked.get(question.question_id) ?? NO_ANSWER;
    const choices = QUESTION_TYPES[question.type].choices(question).filter(({ id }) => option_ids.includes(id));
    const said = [...choices.map(({ label }) => label), ...(text === null ? [] : [text])].join(", ");
    if (said !== "") terminal.say(`  ${question.text} → ${said}`);
  }
  terminal.warn("  This cannot be undone.");
  const sends = await asker.pick("Send this answer?", [
    { value: "no", label: "No, leave the question open" },
    { value: "yes", label: "Yes, send it" },
  ]);
  if (sends !== "yes") throw new PromptAbandoned("");
}

/** The heading of a question: its round, and its place in it. */
function heading({ questions, round, total_rounds }: AskView, { question_id, parent }: Question): string {
  const firstLevel = questions.filter((question) => !question.parent);
  const nth = firstLevel.findIndex((question) => question.question_id === question_id) + 1;
  const option = questions
    .find((question) => question.question_id === parent?.question_id)
    ?.options.find(({ id }) => id === parent?.option_id);
  return [
    `Round ${round}/${total_rounds}`,
    ...(nth > 0 && firstLevel.length > 1 ? [`question ${nth} of ${firstLevel.length}`] : []),
    ...(option ? [`you chose ${option.label}`] : []),
  ].join(" · ");
}

/** True once the ask is settled, false if that no longer matters. */
async function settledElsewhere(
  read: (wait: number, signal: AbortSignal) => Promise<{ ask: AskView }>,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    try {
      const { ask } = await keepTrying(() => read(WAIT_S, signal), { forMs: TRY_MS, signal });
      if (ask.result) return !signal.aborted;
    } catch {
      return false;
    }
  }
  return false;
}
