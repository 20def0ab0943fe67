import { listForks } from "../../db/conversations.ts";
import { listAsks, listAsksAfter, listAsksBetween, listPendingAsks } from "../../db/hot/asks.ts";
import { countExchanges, listMessages, placeBeforeNewest } from "../../db/hot/messages.ts";
import { parseJson } from "../../db/json.ts";
import { withClaimAt } from "../../domain/claims.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { askView } from "../../domain/views/ask-view.ts";
import { roundOf } from "../../domain/views/dialog-history.ts";
import { sessionSummary } from "../../domain/views/session-summary.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { LiveState, Round, SessionState } from "../../protocol/session.ts";
import type { Readable } from "../access.ts";
import { yieldOften } from "../background/yield-often.ts";
import { type HubContext, requireConversation } from "../context.ts";

/** A conversation with its rounds: all of them, or only the newest ones. */
export async function readConversation(
  ctx: Pick<HubContext, "db">,
  at: Readable,
  newest?: number,
): Promise<SessionState> {
  const { conversation_id } = at;
  const row = await requireConversation(ctx, at);
  const read =
    newest === undefined || newest >= row.current_round
      ? listAsks(ctx.db, conversation_id)
      : listAsksAfter(ctx.db, conversation_id, row.current_round - newest);
  const [asks, continued_as] = await Promise.all([read, listForks(ctx.db, conversation_id)]);
  // The row was read before the asks: counting again keeps the reply consistent.
  const isWhole = asks[0] === undefined || asks[0].round === 1;
  const pending = isWhole ? asks.filter(isPending) : await listPendingAsks(ctx.db, conversation_id);
  const current_round = asks.at(-1)?.round ?? 0;
  const pause = yieldOften();
  const dialog_history: Round[] = [];
  for (const ask of asks) {
    await pause();
    dialog_history.push(roundOf(askView(ask)));
  }
  return {
    ...sessionSummary({ ...row, pending_asks: pending.length, current_round }),
    metadata: parseJson(row.metadata),
    dialog_history,
    pending: pending.map((ask) => askView(withClaimAt(ask, at.call.now))),
    continued_from: row.forked_from === null ? null : { session_id: row.forked_from, round: row.forked_round ?? 0 },
    continued_as,
  };
}

/** What a conversation is doing, without its history: every watcher gets this repeatedly. */
export async function readState(ctx: Pick<HubContext, "db">, at: Readable): Promise<LiveState> {
  const row = await requireConversation(ctx, at);
  const pending = row.pending_asks > 0 ? await listPendingAsks(ctx.db, at.conversation_id) : [];
  return {
    turn_id: row.turn_id,
    queued: row.queued_turns,
    pending: pending.map((ask) => askView(withClaimAt(ask, at.call.now))),
    ...sessionSummary(row),
  };
}

export async function readMessages(
  ctx: Pick<HubContext, "db">,
  at: Readable,
  {
    after = 0,
    limit = 200,
    bytes,
    asks = "false",
  }: {
    after?: number | undefined;
    limit?: number | undefined;
    /** Ends the page early, at about this size; it has at least one message. */
    bytes?: number | undefined;
    asks?: "true" | "false" | undefined;
  },
): Promise<{ messages: MessageView[]; last_sequence: number; asks?: AskView[]; exchanges_before?: number }> {
  const { conversation_id } = at;
  const { last_sequence } = await requireConversation(ctx, at);
  const messages = await listMessages(ctx.db, conversation_id, after, limit, bytes);
  const [first, last] = [messages[0], messages.at(-1)];
  if (asks !== "true") return { messages, last_sequence };
  const exchanges_before = await countExchanges(ctx.db, conversation_id, after);
  if (!first || !last) return { messages, last_sequence, asks: [], exchanges_before };
  const between = await listAsksBetween(ctx.db, conversation_id, first.sequence_num, last.sequence_num);
  return { messages, last_sequence, asks: between.map((ask) => askView(ask)), exchanges_before };
}

/** The end of a thread: at most `max` messages and about `bytes`. */
export async function readNewest(
  ctx: Pick<HubContext, "db">,
  at: Readable,
  { max, bytes }: { max: number; bytes: number },
): Promise<{ messages: MessageView[]; asks: AskView[]; exchanges_before: number }> {
  const after = await placeBeforeNewest(ctx.db, at.conversation_id, max, bytes);
  const page = await readMessages(ctx, at, { after, limit: max, asks: "true" });
  return { messages: page.messages, asks: page.asks ?? [], exchanges_before: page.exchanges_before ?? 0 };
}
