import type { Ask } from "../../domain/ask.ts";
import { cancel as cancelRule, type Move } from "../../domain/lifecycle.ts";
import { requireReportable } from "../../domain/reports.ts";
import { asReporter, inTheNameOf, reportedPerson, requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import { type AskContext, type HubContext, requireVisible } from "../context.ts";
import { answering, requireShown } from "./answer.ts";
import { decide } from "./decide.ts";
import { replying } from "./reply.ts";
import { secondPersonRule } from "./second-person.ts";

/** What a person decided at the agent's own terminal or form: answers, words instead of a choice, or nothing. */
export type ReportedDecision = {
  conversation_id: string;
  tool_use_id: string;
  /** The name of that person, if the agent knows it. */
  by?: string | undefined;
  content_hash?: string | undefined;
  answers?: Record<string, AnswerInput> | undefined;
  text?: string | undefined;
  /** Why the question was closed without an answer. */
  reason?: string | undefined;
};

/**
 * Settles an ask with what its agent says a person decided. Parley did not see that person, and the record says so. Only the
 * agent that asked may report.
 */
export async function reportDecision(
  ctx: AskContext & Pick<HubContext, "limits">,
  call: Call,
  reported: ReportedDecision,
  idempotency_key: string | null = null,
): Promise<Ask> {
  requireRight(call.actor, "report");
  const { conversation_id, tool_use_id, by, content_hash, answers, text, reason } = reported;
  const { now } = call;
  const label = await requireVisible(ctx, call.actor, conversation_id);
  const agent = inTheNameOf(label.agent, call.actor);
  const requireSecond = await secondPersonRule(ctx, asReporter(agent), conversation_id);
  const person = reportedPerson(agent, by);
  const decided = (ask: Ask): Move | undefined => {
    if (reason === undefined) requireSecond(ask);
    requireReportable(ask, agent, { settles: reason === undefined });
    requireShown(ask, content_hash);
    // The agent has already continued, so it is too late to answer here.
    const take_over = true;
    if (answers !== undefined) {
      const request = { conversation_id, tool_use_id, answers, take_over };
      return answering(ctx, request, idempotency_key)(ask, person, now);
    }
    if (text !== undefined) return replying(ctx, { text, take_over }, idempotency_key)(ask, person, now);
    return cancelRule(ask, reason ?? "", person, now);
  };
  return decide(ctx, { actor: asReporter(agent), now }, { conversation_id, tool_use_id }, decided);
}
