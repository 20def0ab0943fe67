import { listMessages } from "../../db/hot/messages.ts";
import { findTurn } from "../../db/hot/turns.ts";
import { type TurnMessage, turnMessages } from "../../db/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import type { MessageView } from "../../protocol/message.ts";
import { type HubContext, requireConversation } from "../context.ts";

export type OpenTurn = {
  agent: string;
  /** What the person said. */
  text: string;
  /** The thread before it. */
  history: MessageView[];
  /** What the agent said and asked in this turn before a restart, in order. */
  recorded: TurnMessage[];
  /** The ask for which it was last parked. */
  parked_for: string | null;
};

const HISTORY = 1_000;

/** Whether this node runs the turn. It does not any more when somebody stopped it, or another node took it over. */
export async function runsTurn(ctx: HubContext, turn_id: string): Promise<boolean> {
  const turn = await findTurn(ctx.db, turn_id);
  return turn?.status === "running" && turn.owner === ctx.node;
}

/**
 * Whether somebody goes on with the result of an ask. Of an agent that runs elsewhere this is not known; one of Parley's
 * own does not if its turn had ended before the ask was settled.
 */
export async function isAwaited(ctx: HubContext, { turn_id, decided_at }: Ask): Promise<boolean> {
  if (turn_id === null) return true;
  // The answer is stored: a database that fails now is no reason to refuse it.
  const turn = await findTurn(ctx.db, turn_id).catch(() => undefined);
  return !turn || turn.ended_at === null || turn.ended_at >= (decided_at ?? 0);
}

/** What a turn begins with, or goes on with; undefined if this node does not run it any more. */
export async function openTurn(
  ctx: HubContext,
  conversation_id: string,
  turn_id: string,
): Promise<OpenTurn | undefined> {
  const [conversation, turn] = await Promise.all([
    requireConversation(ctx, conversation_id),
    findTurn(ctx.db, turn_id),
  ]);
  if (turn?.status !== "running" || turn.owner !== ctx.node) return undefined;
  const at = turn.message_sequence ?? 1;
  const before = await listMessages(ctx.db, conversation_id, Math.max(0, at - 1 - HISTORY), Math.min(at, HISTORY + 1));
  const messages = await turnMessages(ctx.db, turn);
  return {
    agent: conversation.agent,
    text: String(before.at(-1)?.content.text ?? ""),
    history: before.slice(0, -1),
    recorded: messages.filter(
      ({ type, content }) =>
        type !== "info" &&
        !(type === "tool_result" && content.outcome !== undefined) &&
        // How the turn ended the last time, before a question of it was opened again.
        !(type === "error" && content.code !== undefined),
    ),
    parked_for: turn.parked_for,
  };
}
