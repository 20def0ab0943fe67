import type { Ask } from "../../domain/ask.ts";
import { requireUnclaimed } from "../../domain/claims.ts";
import { answer as answerRule, type Move } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { AnswerInput, AnswerRequest } from "../../protocol/answer.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Answerable } from "../access.ts";
import type { AskContext, HubContext } from "../context.ts";
import { decide } from "./decide.ts";
import { secondPersonRule } from "./second-person.ts";

/** An answer as the hub takes it. */
export type AnswerCommand = Omit<AnswerRequest, "session_id"> & { conversation_id: string };

/** Answers a question, with its follow-ups if they come along, or all questions of an ask at once. */
export async function answer(
  ctx: AskContext & Pick<HubContext, "limits">,
  at: Answerable,
  request: AnswerCommand,
  idempotency_key: string | null = null,
  { resume = true, inBulk = false }: { resume?: boolean; inBulk?: boolean } = {},
): Promise<Ask> {
  const { question_id, tool_use_id } = request;
  if (request.answers === undefined && question_id === undefined) {
    throw invalidRequest([
      { path: "question_id", message: "is missing: name the question, or give tool_use_id and answers" },
    ]);
  }
  if (request.answers !== undefined && (tool_use_id ?? question_id) === undefined) {
    throw invalidRequest([{ path: "tool_use_id", message: "is missing: answers needs the ask they are for" }]);
  }
  const target = tool_use_id === undefined ? { question_id } : { tool_use_id };
  const rule = answering(ctx, request, idempotency_key, { resume, inBulk });
  const requireSecond = await secondPersonRule(ctx, at);
  return decide(ctx, at, target, (ask) => requireSecond(ask, () => rule(ask, at.call.actor, at.call.now)));
}

/** What an answer makes of the ask; undefined if it was given before. */
export function answering(
  { limits }: Pick<HubContext, "limits">,
  request: AnswerCommand,
  idempotency_key: string | null,
  { resume = true, inBulk = false }: { resume?: boolean; inBulk?: boolean } = {},
): (ask: Ask, actor: Actor, now: number) => Move | undefined {
  return (ask, actor, now) => {
    requireShown(ask, request.content_hash);
    const { submitted, indexed } =
      request.answers === undefined ? single(request) : several(ask, request, request.answers);
    if (isRetry(ask, submitted, idempotency_key)) return undefined;
    requireUnclaimed(ask, actor, now, request.take_over ?? false);
    const command = { given: submitted, indexed, idempotency_key, textMax: limits.textMax, resume, inBulk };
    return answerRule(ask, command, actor, now);
  };
}

/** A person's answer or reply is bound to the question that they saw. */
export function requireShown(ask: Ask, content_hash: string | undefined): void {
  if (content_hash === undefined || content_hash === ask.content_hash) return;
  throw new ParleyError(
    "idempotency_conflict",
    "The question has changed since it was shown. Review it before you answer.",
  );
}

type SubmittedAnswers = { submitted: Map<string, AnswerInput | undefined>; indexed: boolean };

function single({ question_id = "", answer: value, other, notes, follow_up_answers }: AnswerCommand): SubmittedAnswers {
  const submitted = new Map<string, AnswerInput | undefined>([[question_id, merged(value, other, notes)]]);
  for (const [id, followUp] of Object.entries(follow_up_answers ?? {})) submitted.set(id, followUp);
  return { submitted, indexed: false };
}

/** `other` and `notes` may be siblings of the answer instead of members. */
function merged(
  value: AnswerInput | undefined,
  other: string | undefined,
  notes: string | undefined,
): AnswerInput | undefined {
  if (other === undefined && notes === undefined) return value;
  const inner =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? value
      : { answer: typeof value === "number" ? String(value) : value };
  return { ...inner, ...(other !== undefined && { other }), ...(notes !== undefined && { notes }) };
}

/**
 * By question id, or by index from 0 where no question has such an id; an index brings option numbers with it. Index 0 is
 * the first question of the ask, or the very question that was named instead of the ask.
 */
function several(ask: Ask, named: AnswerCommand, answers: Record<string, AnswerInput>): SubmittedAnswers {
  const ids = new Set(ask.questions.map((question) => question.question_id));
  const entries = Object.entries(answers);
  if (entries.length === 0) throw invalidRequest([{ path: "answers", message: "is empty" }]);
  if (entries.every(([key]) => ids.has(key))) return { submitted: new Map(entries), indexed: false };
  const byIndex = ask.questions.filter(({ parent, question_id }) =>
    named.tool_use_id === undefined ? question_id === named.question_id : !parent,
  );
  const submitted = new Map<string, AnswerInput>();
  for (const [key, value] of entries) {
    const question = /^\d{1,3}$/.test(key)
      ? byIndex[Number(key)]
      : ask.questions.find((one) => one.question_id === key || one.text === key);
    if (!question) {
      throw new ParleyError("question_not_found", `This ask has no question ${key}.`, { question_id: key });
    }
    submitted.set(question.question_id, value);
  }
  return { submitted, indexed: entries.some(([key]) => /^\d{1,3}$/.test(key) && !ids.has(key)) };
}

/** A repeated key gets the first reply again: the caller lost it. */
function isRetry(ask: Ask, submitted: ReadonlyMap<string, unknown>, idempotency_key: string | null): boolean {
  if (idempotency_key === null) return false;
  return ask.questions.some(
    (question) => submitted.has(question.question_id) && question.answered?.idempotency_key === idempotency_key,
  );
}
