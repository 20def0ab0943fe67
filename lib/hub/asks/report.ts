import { hasHappened } from "../../db/audit-events.ts";
import type { Ask } from "../../domain/ask.ts";
import { answeredElsewhere } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { requireReportable } from "../../domain/reports.ts";
import { asReporter, inTheNameOf } from "../../domain/rights.ts";
import { requiresSecondPerson } from "../../domain/team.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AskContext, HubContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
import { conversationIdOf, keeperOf } from "./ask.ts";
import { decide, loadAsk } from "./decide.ts";

export type AgentReport = {
  tool_use_id: string;
  conversation_id?: string | undefined;
  session_key?: string | undefined;
  agent?: string | undefined;
  answers: Array<string | null>;
};

/** Records the answers that the agent of a settled ask really used, which it therefore has. An open ask is unchanged. */
export async function report(
  ctx: AskContext & Pick<HubContext, "deliveries">,
  call: Call,
  reported: AgentReport,
): Promise<Ask> {
  const { tool_use_id, answers } = reported;
  const at = await ctx.access.to("ask", call, conversationOf(call, reported));
  const asked = await loadAsk(ctx, { conversation_id: at.conversation_id, tool_use_id });
  const label = await labelOf(ctx, at.conversation_id);
  const agent = inTheNameOf(label.agent, call.actor);
  requireReportable(asked, agent, { settles: false });
  const isKnown = await isReported(ctx, asked);
  const reporter = asReporter(agent);
  // As for a decision that it reports: see `requireReportable` and `second-person.ts`.
  const maySettle = call.actor.rights.includes("report") && !asked.irreversible;
  const counts = maySettle && !requiresSecondPerson(ctx.team(), label.space_id);
  const ask = await decide(ctx, ctx.access.as(at, reporter), { tool_use_id }, (before) =>
    isKnown ? undefined : answeredElsewhere(before, answers, reporter, { now: call.now, counts }),
  );
  ctx.deliveries.add(call, ask);
  return ask;
}

function conversationOf({ actor }: Call, { conversation_id, session_key, agent: given }: AgentReport): string {
  // As when it asked: a key is bound to the name of its agent.
  const agent = actor.key?.agent ?? given ?? "external";
  if (conversation_id !== undefined) return conversation_id;
  if (session_key !== undefined) return conversationIdOf(keeperOf(actor), agent, "session", session_key);
  throw invalidRequest([{ path: "session_id", message: "is missing: give it, or the session_key you asked with" }]);
}

/** A report can arrive twice, after a lost reply. */
async function isReported(ctx: AskContext, { conversation_id, tool_use_id }: Ask): Promise<boolean> {
  return hasHappened(ctx.db, { conversation_id, tool_use_id, action: "question.answered_elsewhere" });
}
