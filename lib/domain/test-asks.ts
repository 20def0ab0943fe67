import type { Actor } from "../protocol/actor.ts";
import type { AnswerInput } from "../protocol/answer.ts";
import { isParleyError } from "../protocol/errors.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import type { Ask } from "./ask.ts";
import { answer, pristine } from "./lifecycle.ts";
import { createNormalise } from "./shapes/normalise.ts";

// Asks without a database, for tests of the rules.

const normalise = createNormalise(DEFAULT_LIMITS);

export const PERSON: Actor = { kind: "person", name: "ann", surface: "rest", rights: ["answer", "read"] };

/** A question with several answers. */
export const providers = {
  question_id: "providers",
  question_text: "Which providers?",
  type: "checkbox",
  options: [
    { id: "google", label: "Google", default: true },
    { id: "github", label: "GitHub" },
  ],
};

/** The request as a pending ask in a new conversation, asked at instant 0. */
export function asked(request: Record<string, unknown>, deadline_at: number | null = null): Ask {
  const { questions, options, ...ask } = normalise(request, () => "made_1");
  return pristine(
    {
      ...ask,
      conversation_id: "ses_1",
      round: 1,
      total_rounds: options.total_rounds ?? null,
      content_hash: "",
      idempotency_key: null,
      turn_id: null,
      status: "pending",
      version: 0,
      command_id: "cmd_1",
      sequence_num: 1,
      inbox_item_id: "inb_1",
      deadline_at,
      on_timeout: options.on_timeout ?? "terminate",
      irreversible: options.irreversible ?? false,
      asked_by: { kind: "agent", name: "agent", surface: "rest" },
      created_at: 0,
      decided_at: null,
      result: null,
      reply_key: null,
      assignee: null,
      requested_assignee: null,
      claim: null,
      delivered_at: null,
      questions: questions.map((question) => ({ ...question, status: "inactive", answered: null })),
    },
    deadline_at,
  );
}

/** The ask after these answers, by question id, at instant 5. */
export function answered(ask: Ask, given: Record<string, AnswerInput>, indexed = false): Ask {
  const command = {
    given: new Map(Object.entries(given)),
    indexed,
    idempotency_key: null,
    textMax: 10_000,
    resume: true,
  };
  return answer(ask, command, PERSON, 5).ask;
}

/** The code of a refusal; undefined if it was accepted. */
export function refusal(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return error.code;
  }
}

/** The problems of a refused request, one per line; empty if it was accepted. */
export function problemsText(attempt: () => unknown): string {
  try {
    attempt();
    return "";
  } catch (error) {
    if (!isParleyError(error)) throw error;
    const problems = error.details?.problems ?? [];
    return problems.map(({ path, message }) => `${path}: ${message}`).join("\n");
  }
}
