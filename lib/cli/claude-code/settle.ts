import { ClientError } from "../../client.ts";
import type { AskView } from "../../protocol/ask.ts";
import { createTerminalClient, nameAt } from "../terminal/hub-client.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { asAgent } from "./as-agent.ts";
import { givenAnswers } from "./given-answers.ts";
import type { TerminalOutcome } from "./transcript.ts";

/** How long to retry while Parley is away before leaving the question open. */
export const AWAY_MS = 15 * 60_000;

/**
 * Reports to Parley how the question ended at the terminal. Parley cannot see the person there, so it records this as a
 * report.
 */
export async function settle(
  terminal: Terminal,
  ask: AskView,
  texts: string[],
  how: TerminalOutcome | "gone",
): Promise<void> {
  const hub = createTerminalClient(asAgent.at(terminal), "agent");
  const { session_id, tool_use_id } = ask;
  const { answers, response } = typeof how === "string" ? NOTHING : { ...how, answers: givenAnswers(texts, ask, how) };
  const about = { session_id, tool_use_id, by: nameAt(terminal) };
  const report = (decision: { answers: typeof answers } | { text: string } | { reason: string }) =>
    keepTrying(
      () => hub.call("reportDecision", { body: { ...about, ...decision }, idempotencyKey: `terminal-${tool_use_id}` }),
      { forMs: AWAY_MS },
    );
  try {
    if (response !== undefined) {
      if (await report({ text: response }).catch(notTaken)) return;
    } else if (Object.keys(answers).length > 0) {
      const answered = await report({ answers }).catch(notTaken);
      if (answered && answered.ask.status !== "pending") return;
    }
    await report({ reason: REASONS[reasonOf(how)] });
  } catch (error) {
    if (!isSettled(error)) throw error;
    // Someone else was faster, and their answer is on record. If Claude Code continues with different answers, they are
    // reported later.
    if (how !== "declined") return;
    const body = { session_id, answers: texts.map(() => null) };
    await keepTrying(() => hub.call("report", { params: { tool_use_id }, body }), { forMs: AWAY_MS });
  }
}

const NOTHING = { answers: {}, response: undefined };
const REASONS = {
  declined: "declined at the terminal",
  gone: "Claude Code was closed",
  answered: "answered at the terminal",
} as const;

function reasonOf(how: TerminalOutcome | "gone"): keyof typeof REASONS {
  return typeof how === "string" ? how : "answered";
}

function notTaken(error: unknown): undefined {
  if (!(error instanceof ClientError) || error.code !== "invalid_answer") throw error;
}

function isSettled(error: unknown): boolean {
  return error instanceof ClientError && ["duplicate_answer", "question_closed"].includes(error.code);
}
