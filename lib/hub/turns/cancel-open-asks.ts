import { listPendingAsks } from "../../db/hot/asks.ts";
import type { TurnRow } from "../../db/tables.ts";
import { finishTurn } from "../../db/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { Access } from "../access.ts";
import { cancel } from "../asks/cancel.ts";
import type { AskContext } from "../context.ts";

/** Why a turn was stopped, as its asks say it; any other reason is an error code. */
export const STOPPED = { interrupted: "interrupted", closed: "the conversation was closed" } as const;
const AGENT_GONE = "the agent ended its turn without waiting for the answer";

/**
 * The last step of a turn that ended while it may have had open asks. The turn is `stopping` until this is done, so that
 * any node that finds it in that state can repeat it; its reason says how it ended.
 */
export async function cancelOpenAsks(
  ctx: AskContext,
  at: Access<"tend" | "ask">,
  { id, reason }: Pick<TurnRow, "id" | "reason">,
): Promise<void> {
  const stopped = reason === "interrupted" || reason === "closed" ? STOPPED[reason] : undefined;
  const open = (await listPendingAsks(ctx.db, at.conversation_id)).filter((ask) => ask.turn_id === id);
  await cancelAll(ctx, at, open, stopped ?? AGENT_GONE);
  const status = stopped || reason === "restarted" ? "interrupted" : reason === null ? "completed" : "error";
  await finishTurn(ctx.db, id, "stopping", status);
}

/** Asks that have been settled in the meantime keep their outcome. Nobody waits for the others any more, claimed or not. */
export async function cancelAll(
  ctx: AskContext,
  at: Access<"tend" | "ask">,
  asks: Ask[],
  reason: string,
): Promise<void> {
  await Promise.all(
    asks.map(({ tool_use_id }) =>
      cancel(ctx, at, { tool_use_id }, reason, true).catch((error) => {
        if (!isParleyError(error) || error.code === "storage_unavailable") throw error;
      }),
    ),
  );
}
