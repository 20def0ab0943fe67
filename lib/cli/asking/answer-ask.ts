import { randomUUID } from "node:crypto";
import { type Client, ClientError } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import { QUESTION_TYPES } from "../../domain/question-types.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { AskView } from "../../protocol/ask.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { whereOf } from "../terminal/who.ts";
import { askPerson, type Decision } from "./ask-person.ts";
import type { Asker } from "./asker.ts";
import type { Answers } from "./form.ts";

/** How long to try to send an answer while Parley is away. */
export const TRY_MS = 10_000;
const WAIT_S = 55;

/** Asks the person at this terminal and sends their answer. False if someone else was faster. */
export async function answerAsk(terminal: Terminal, hub: Client, asker: Asker, ask: AskView): Promise<boolean> {
  const { session_id, tool_use_id } = ask;
  const read = (wait: number, signal?: AbortSignal) =>
    hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait }, ...(signal && { signal }) });
  const [overtaken, done] = [new AbortController(), new AbortController()];
  void settledElsewhere(read, done.signal).then((settled) => settled && overtaken.abort());
  try {
    const decision = await askPerson(terminal, asker, ask, { signal: overtaken.signal, canReply: true });
    // Our own answer settles the ask too; stop watching first.
    done.abort();
    await send(hub, ask, decision);
    terminal.say(
      "reply" in decision ? "Replied: the agent continues with your words." : "Answered: the agent continues.",
    );
    return true;
  } catch (error) {
    const isSettled =
      error instanceof ClientError && (error.code === "duplicate_answer" || error.code === "question_closed");
    if (!overtaken.signal.aborted && !isSettled) throw error;
    const { decided_by, outcome } = (await read(0)).ask.result ?? {};
    const by = decided_by ? ` by ${stripControls(decided_by.name)} (${whereOf(decided_by)})` : "";
    terminal.say(`Already ${OUTCOMES[outcome ?? "answered"]}${by}.`);
    return false;
  } finally {
    done.abort();
  }
}

const OUTCOMES = { answered: "answered", replied: "replied to", cancelled: "cancelled", timeout: "timed out" };

async function send(hub: Client, ask: AskView, decision: Decision): Promise<void> {
  const { session_id, tool_use_id, content_hash } = ask;
  const idempotencyKey = randomUUID();
  const call = () =>
    "reply" in decision
      ? hub.call("reply", { body: { session_id, tool_use_id, text: decision.reply }, idempotencyKey })
      : hub.call("answer", {
          body: { session_id, tool_use_id, content_hash, answers: submitted(ask, decision.answers) },
          idempotencyKey,
        });
  await keepTrying<unknown>(call, { forMs: TRY_MS });
}

/** What was picked, as it is sent. */
export function submitted({ questions }: Pick<AskView, "questions">, answers: Answers): Record<string, AnswerInput> {
  return Object.fromEntries(
    questions.flatMap(({ question_id, type }) => {
      const one = answers.get(question_id);
      return one ? [[question_id, QUESTION_TYPES[type].submit(one)]] : [];
    }),
  );
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
