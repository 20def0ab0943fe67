import { ClientError } from "../../client.ts";
import type { AskView } from "../../protocol/ask.ts";
import { createTerminalClient, keepTrying } from "../terminal/hub-client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { givenAnswers } from "./given-answers.ts";
import type { TerminalOutcome } from "./transcript.ts";

/** How long to retry while Parley is away before leaving the question open. */
export const AWAY_MS = 15 * 60_000;

/** Tells Parley how its question ended at the terminal, on behalf of the person there. */
export async function settle(
  terminal: Terminal,
  ask: AskView,
  texts: string[],
  how: TerminalOutcome | "gone",
): Promise<void> {
  const hub = createTerminalClient(terminal);
  const { session_id, tool_use_id } = ask;
  const { answers, response } = typeof how === "string" ? NOTHING : { ...how, answers: givenAnswers(texts, ask, how) };
  const idempotencyKey = `terminal-${tool_use_id}`;
  const send = <Taken>(sent: () => Promise<Taken>) => keepTrying(sent, { forMs: AWAY_MS }).catch(notTaken);
  try {
    if (response !== undefined) {
      const body = { session_id, tool_use_id, text: response };
      if (await send(() => hub.call("reply", { body, idempotencyKey }))) return;
    } else if (Object.keys(answers).length > 0) {
      const body = { session_id, tool_use_id, answers };
      const answered = await send(() => hub.call("answer", { body, idempotencyKey }));
      if (answered && answered.status !== "pending") return;
    }
    const cancel = () => hub.call("cancel", { body: { session_id, tool_use_id, reason: REASONS[reasonOf(how)] } });
    await keepTrying(cancel, { forMs: AWAY_MS });
  } catch (error) {
    if (!isSettled(error)) throw error;
    // Somebody was faster, and their answer is the record. Different answers are reported when Claude Code continues with them.
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
