import { listMessages } from "../db/threads.ts";
import { findTurn, parkedAsks, type TurnMessage, turnMessages } from "../db/turns.ts";
import type { MessageView } from "../protocol/message.ts";
import { type HubContext, requireConversation } from "./context.ts";

export type OpenTurn = {
  agent: string;
  /** What the person said. */
  text: string;
  /** The thread before it. */
  history: MessageView[];
  /** What the agent said and asked in this turn before a restart, in order. */
  recorded: TurnMessage[];
  /** The asks for which it was put away then. */
  parked: string[];
};

const HISTORY = 1_000;

/** Whether this node runs the turn. It does not any more when somebody stopped it, or another node took it over. */
export async function runsTurn(ctx: HubContext, turn_id: string): Promise<boolean> {
  const turn = await findTurn(ctx.db, turn_id);
  return turn?.status === "running" && turn.owner === ctx.node;
}

/** What a turn begins with, or goes on with; undefined if this node does not run it any more. */
export async function openTurn(ctx: HubContext, session_id: string, turn_id: string): Promise<OpenTurn | undefined> {
  const [conversation, turn] = await Promise.all([requireConversation(ctx, session_id), findTurn(ctx.db, turn_id)]);
  if (turn?.status !== "running" || turn.owner !== ctx.node) return undefined;
  const at = turn.message_sequence ?? 1;
  const before = await listMessages(ctx.db, session_id, Math.max(0, at - 1 - HISTORY), Math.min(at, HISTORY + 1));
  const messages = await turnMessages(ctx.db, turn);
  return {
    agent: conversation.agent,
    text: String(before.at(-1)?.content.text ?? ""),
    history: before.slice(0, -1),
    recorded: messages.filter(
      ({ type, content }) => type !== "info" && !(type === "tool_result" && content.outcome !== undefined),
    ),
    parked: messages.length === 0 ? [] : await parkedAsks(ctx.db, turn),
  };
}
