import { listMessages } from "../../db/hot/messages.ts";
import { findTurn } from "../../db/hot/turns.ts";
import { type TurnMessage, turnMessages } from "../../db/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import type { MessageView } from "../../protocol/message.ts";
import { type HubContext, requireConversation } from "../context.ts";

export type OpenTurn = {
  agent: string;
  started_by: string | null;
  /** What the person said. */
  text: string;
  /** The thread before it. */
  history: MessageView[];
  /** What the agent said and asked in this turn before a restart, in order. */
  recorded: TurnMessage[];
  /** The ask for which it was last parked. */
  parked_for: string | null;
};

type Context = Pick<HubContext, "db" | "node">;

const HISTORY = 1_000;

/** Whether this node runs the turn: nobody has stopped it, and no other node has taken it over. */
export async function runsTurn(ctx: Context, turn_id: string): Promise<boolean> {
  const turn = await findTurn(ctx.db, turn_id);
  return turn?.status === "running" && turn.owner === ctx.node.id;
}

/**
 * Whether an agent will use the result of an ask. An external agent may. A built-in one does not if its turn had ended
 * before the ask was settled.
 */
export async function isAwaited(ctx: Pick<HubContext, "db">, { turn_id, decided_at }: Ask): Promise<boolean> {
  if (turn_id === null) return true;
  // The answer is stored: a database failure now must not turn it into an error.
  const turn = await findTurn(ctx.db, turn_id).catch(() => undefined);
  return !turn || turn.ended_at === null || turn.ended_at >= (decided_at ?? 0);
}

/** What a turn begins or resumes with; undefined if this node no longer runs it. */
export async function openTurn(
  ctx: HubContext,
  conversation_id: string,
  turn_id: string,
): Promise<OpenTurn | undefined> {
  const [conversation, turn] = await Promise.all([
    requireConversation(ctx, { conversation_id }),
    findTurn(ctx.db, turn_id),
  ]);
  if (turn?.status !== "running" || turn.owner !== ctx.node.id) return undefined;
  const at = turn.message_sequence ?? 1;
  const before = await listMessages(ctx.db, conversation_id, Math.max(0, at - 1 - HISTORY), Math.min(at, HISTORY + 1));
  const messages = await turnMessages(ctx.db, turn);
  return {
    agent: conversation.agent,
    started_by: turn.started_by,
    text: String(before.at(-1)?.content.text ?? ""),
    history: before.slice(0, -1),
    recorded: messages.filter(
      ({ type, content }) =>
        type !== "info" &&
        !(type === "tool_result" && content.outcome !== undefined) &&
        // How the turn ended before one of its asks was reopened.
        !(type === "error" && content.code !== undefined),
    ),
    parked_for: turn.parked_for,
  };
}
