import type { Ask } from "../../domain/ask.ts";
import type { Call } from "../../protocol/actor.ts";
import { isParleyError, type ParleyError } from "../../protocol/errors.ts";
import { yieldOften } from "../background/yield-often.ts";
import { toStorageUnavailable } from "../commit.ts";
import { type AnswerCommand, answer } from "./answer.ts";

export type AnswerOutcome = { ask: Ask; error?: undefined } | { ask?: undefined; error: ParleyError };

/**
 * Answers are checked independently; one failure does not block the rest. Answers to one conversation are taken in
 * order, because one may open the question that the next one answers.
 */
export async function answerMany(
  ctx: Parameters<typeof answer>[0],
  call: Call,
  requests: AnswerCommand[],
  idempotency_key: string | null = null,
): Promise<AnswerOutcome[]> {
  const judge = (request: AnswerCommand): Promise<AnswerOutcome> =>
    Promise.resolve()
      .then(() => ctx.access.to("answer", call, request.conversation_id))
      .then((at) => answer(ctx, at, request, idempotency_key, { inBulk: true }))
      .catch(toStorageUnavailable)
      .then(
        (ask) => ({ ask }),
        (error) => {
          if (isParleyError(error)) return { error };
          throw error;
        },
      );
  const pause = yieldOften();
  const last = new Map<string, Promise<AnswerOutcome>>();
  const outcomes: Array<Promise<AnswerOutcome>> = [];
  for (const request of requests) {
    await pause();
    const before = last.get(request.conversation_id);
    const outcome = before ? before.then(pause).then(() => judge(request)) : judge(request);
    // A failure while others still start is reported at the end, with all of them.
    outcome.catch(() => {});
    last.set(request.conversation_id, outcome);
    outcomes.push(outcome);
  }
  return Promise.all(outcomes);
}
