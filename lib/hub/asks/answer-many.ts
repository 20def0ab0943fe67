import type { Ask } from "../../domain/ask.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { isParleyError, type ParleyError } from "../../protocol/errors.ts";
import { createPauses } from "../background/pauses.ts";
import type { HubContext } from "../context.ts";
import { tellOfStorage } from "../tell-of-storage.ts";
import { type AnswerCommand, answer } from "./answer.ts";

export type AnswerOutcome = { ask: Ask; error?: undefined } | { ask?: undefined; error: ParleyError };

/**
 * Each judged on its own: one that is refused does not hold up the others. Those of one conversation are taken in their
 * order, because an answer may bring up the question of the next.
 */
export async function answerMany(
  ctx: HubContext,
  call: Call,
  requests: AnswerCommand[],
  idempotency_key: string | null = null,
): Promise<AnswerOutcome[]> {
  requireRight(call.actor, "answer");
  const judge = (request: AnswerCommand): Promise<AnswerOutcome> =>
    answer(ctx, call, request, idempotency_key)
      .catch(tellOfStorage)
      .then(
        (ask) => ({ ask }),
        (error) => {
          if (isParleyError(error)) return { error };
          throw error;
        },
      );
  const pause = createPauses();
  const last = new Map<string, Promise<AnswerOutcome>>();
  const outcomes: Array<Promise<AnswerOutcome>> = [];
  for (const request of requests) {
    await pause();
    const before = last.get(request.conversation_id);
    const outcome = before ? before.then(pause).then(() => judge(request)) : judge(request);
    // One that fails while others are still begun is told of in the end, with all of them.
    outcome.catch(() => {});
    last.set(request.conversation_id, outcome);
    outcomes.push(outcome);
  }
  return Promise.all(outcomes);
}
