import type { Ask } from "../domain/ask.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import type { AnswerRequest } from "../protocol/answer.ts";
import { isParleyError, type ParleyError } from "../protocol/errors.ts";
import { answer } from "./answer.ts";
import type { HubContext } from "./context.ts";

export type AnswerOutcome = { ask: Ask; error?: undefined } | { ask?: undefined; error: ParleyError };

/** Each judged on its own: one that is refused does not hold up the others. */
export async function answerMany(
  ctx: HubContext,
  call: Call,
  requests: AnswerRequest[],
  idempotency_key: string | null = null,
): Promise<AnswerOutcome[]> {
  requireRight(call.actor, "answer");
  return Promise.all(
    requests.map(async (request): Promise<AnswerOutcome> => {
      try {
        return { ask: await answer(ctx, call, request, idempotency_key) };
      } catch (error) {
        if (isParleyError(error)) return { error };
        throw error;
      }
    }),
  );
}
