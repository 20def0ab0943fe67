import { hasHappened } from "../../db/audit-events.ts";
import type { Ask } from "../../domain/ask.ts";
import { answeredElsewhere } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { conversationOf } from "./ask.ts";
import { decide, load } from "./decide.ts";

export type Reported = {
  tool_use_id: string;
  conversation_id?: string | undefined;
  session_key?: string | undefined;
  agent?: string | undefined;
  answers: Array<string | null>;
};

/** Notes what the agent of a settled ask really went on with, and so that it has it. An open ask is left as it is. */
export async function report(ctx: HubContext, call: Call, reported: Reported): Promise<Ask> {
  requireRight(call.actor, "ask");
  const { tool_use_id, answers } = reported;
  const target = { conversation_id: conversationOfReport(call, reported), tool_use_id };
  const before = await load(ctx, target);
  const isKnown = await isReported(ctx, before);
  const ask = await decide(ctx, call, target, (now) =>
    isKnown ? undefined : answeredElsewhere(now, answers, { ...call.actor, name: before.asked_by.name }),
  );
  if (ask.status !== "pending") ctx.deliveries.add(ask, call);
  return ask;
}

function conversationOfReport({ actor }: Call, { conversation_id, session_key, agent = "external" }: Reported): string {
  if (conversation_id !== undefined) return conversation_id;
  if (session_key !== undefined) return conversationOf(actor.name, agent, "session", session_key);
  throw invalidRequest([{ path: "session_id", message: "is missing: give it, or the session_key you asked with" }]);
}

/** The report may come twice, after a lost reply. */
async function isReported(ctx: HubContext, { conversation_id, tool_use_id }: Ask): Promise<boolean> {
  return hasHappened(ctx.db, { conversation_id, tool_use_id, action: "question.answered_elsewhere" });
}
