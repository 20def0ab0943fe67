import type { Ask } from "../domain/ask.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import type { AnswerRequest } from "../protocol/answer.ts";
import { isParleyError, type ParleyError } from "../protocol/errors.ts";
import { answer } from "./answer.ts";
import type { HubContext } from "./context.ts";
import { tellOfStorage } from "./tell-of-storage.ts";

export type AnswerOutcome = { ask: Ask; error?: undefined } | { ask?: undefined; error: ParleyError };

/**
 * Each judged on its own: one that is refused does not hold up the others. Those of one conversation are taken in their
 * order, because an answer may bring up the question of the next.
 */
export async function answerMany(
  ctx: HubContext,
  call: Call,
  requests: AnswerRequest[],
  idempotency_key: string | null = null,
): Promise<AnswerOutcome[]> {
  requireRight(call.actor, "answer");
  const judge = (request: AnswerRequest): Promise<AnswerOutcome> =>
    answer(ctx, call, request, idempotency_key)
      .catch(tellOfStorage)
      .then(
        (ask) => ({ ask }),
        (error) => {
          if (isParleyError(error)) return { error };
          throw error;
        },
      );
  const last = new Map<string, Promise<AnswerOutcome>>();
  const outcomes = requests.map((request) => {
    const before = last.get(request.session_id);
    const outcome = before ? before.then(() => judge(request)) : judge(request);
    last.set(request.session_id, outcome);
    return outcome;
  });
  return Promise.all(outcomes);
}
