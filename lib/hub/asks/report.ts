import { hasHappened } from "../../db/audit-events.ts";
import type { Ask } from "../../domain/ask.ts";
import { answeredElsewhere } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { requireRight, seesAll, underName } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { type AskContext, type HubContext, requireVisible } from "../context.ts";
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
  requireRight(call.actor, "ask");
  const { tool_use_id, answers } = reported;
  const target = { conversation_id: conversationOf(call, reported), tool_use_id };
  if (!seesAll(call.actor)) await requireVisible(ctx, call.actor, target.conversation_id);
  const before = await loadAsk(ctx, target);
  const isKnown = await isReported(ctx, before);
  const ask = await decide(ctx, call, target, (now) =>
    isKnown ? undefined : answeredElsewhere(now, answers, underName(before.asked_by.name, call.actor)),
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
