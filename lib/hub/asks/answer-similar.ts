import { findAskOfItem } from "../../db/asks.ts";
import { answersLike, isAlike } from "../../domain/alike.ts";
import type { Ask } from "../../domain/ask.ts";
import { requireUnclaimed } from "../../domain/claims.ts";
import { notInBulk, requirePending } from "../../domain/lifecycle.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import { isParleyError, ParleyError } from "../../protocol/errors.ts";
import type { Answerable } from "../access.ts";
import { yieldOften } from "../background/yield-often.ts";
import type { AskContext, HubContext } from "../context.ts";
import { requireShown } from "./answer.ts";
import { type AnswerOutcome, answerMany } from "./answer-many.ts";
import { loadAsk } from "./decide.ts";
import { secondPersonRule } from "./second-person.ts";

type Context = AskContext & Pick<HubContext, "limits">;

export type SimilarRequest = {
  tool_use_id: string;
  content_hash?: string | undefined;
  /** The answers to the ask that was shown. Without them, nothing is answered. */
  answers?: Record<string, AnswerInput> | undefined;
  inbox_item_ids: string[];
};

/**
 * Gives the answers to one ask to others that are alike, or says which of them could get them. Each is decided on its own, as
 * it is at that moment.
 */
export async function answerSimilar(
  ctx: Context,
  at: Answerable,
  { tool_use_id, content_hash, answers, inbox_item_ids }: SimilarRequest,
  idempotency_key: string | null = null,
): Promise<AnswerOutcome[]> {
  const { call, conversation_id } = at;
  const shown = await loadAsk(ctx, { conversation_id, tool_use_id });
  requireShown(shown, content_hash);
  const pause = yieldOften();
  const judge = async (id: string): Promise<AnswerOutcome> => {
    try {
      const ask = await askOfItem(ctx, call, id);
      if (!isAlike(shown, ask)) throw differs(ask);
      if (answers === undefined) await requireFree(ctx, call, ask);
      return { ask };
    } catch (error) {
      if (isParleyError(error)) return { error };
      throw error;
    }
  };
  const outcomes: AnswerOutcome[] = [];
  for (const id of inbox_item_ids) {
    await pause();
    outcomes.push(await judge(id));
  }
  if (answers === undefined) return outcomes;
  const alike = outcomes.flatMap(({ ask }) => (ask ? [ask] : []));
  const commands = alike.map((ask) => ({
    conversation_id: ask.conversation_id,
    tool_use_id: ask.tool_use_id,
    content_hash: ask.content_hash,
    answers: answersLike(shown, answers, ask),
  }));
  const answered = await answerMany(ctx, call, commands, idempotency_key);
  return outcomes.map((outcome) => (outcome.ask && answered[alike.indexOf(outcome.ask)]) || outcome);
}

async function askOfItem(ctx: Context, call: Call, id: string): Promise<Ask> {
  const missing = new ParleyError("question_not_found", `There is no question ${id} in the inbox.`);
  const target = await findAskOfItem(ctx.db, id);
  if (!target) throw missing;
  try {
    await ctx.access.to("answer", call, target.conversation_id);
  } catch (error) {
    // Who may not see a question must not learn that it exists.
    throw isParleyError(error) && error.code === "session_not_found" ? missing : error;
  }
  return loadAsk(ctx, target);
}

/** Throws what an answer to this ask would be refused with now. */
async function requireFree(ctx: Context, call: Call, ask: Ask): Promise<void> {
  requirePending(ask);
  if (ask.irreversible) throw notInBulk(ask);
  requireUnclaimed(ask, call.actor, call.now, false);
  const requireSecond = await secondPersonRule(ctx, await ctx.access.to("answer", call, ask.conversation_id));
  await requireSecond(ask, () => undefined);
}

function differs({ tool_use_id }: Ask): ParleyError {
  return new ParleyError(
    "invalid_answer",
    `${tool_use_id} has other questions or options than the one that was shown. Answer it separately.`,
    { problem: "it has other questions or options" },
  );
}
