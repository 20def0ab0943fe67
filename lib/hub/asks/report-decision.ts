import type { Ask } from "../../domain/ask.ts";
import { cancel as cancelRule, type Move } from "../../domain/lifecycle.ts";
import { requireReportable } from "../../domain/reports.ts";
import { asReporter, inTheNameOf, reportedPerson } from "../../domain/rights.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { Access } from "../access.ts";
import type { AskContext, HubContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
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
  at: Access<"report">,
  reported: ReportedDecision,
  idempotency_key: string | null = null,
): Promise<Ask> {
  const { conversation_id, tool_use_id, by, content_hash, answers, text, reason } = reported;
  const { actor, now } = at.call;
  const agent = inTheNameOf((await labelOf(ctx, conversation_id)).agent, actor);
  const reporting = ctx.access.as(at, asReporter(agent));
  const requireSecond = await secondPersonRule(ctx, reporting);
  const person = reportedPerson(agent, by);
  const decided = (ask: Ask): Move | undefined => {
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
  return decide(ctx, reporting, { tool_use_id }, (ask) =>
    reason === undefined ? requireSecond(ask, () => decided(ask)) : decided(ask),
  );
}
