import type { NewMessage } from "../../db/change.ts";
import { findAskOfRound, listAsks } from "../../db/hot/asks.ts";
import { listMessages } from "../../db/hot/messages.ts";
import { toJson } from "../../db/json.ts";
import type { Ask } from "../../domain/ask.ts";
import { branchTitle } from "../../domain/branch-title.ts";
import { isPending, pristine } from "../../domain/lifecycle.ts";
import { Outcome } from "../../protocol/ask.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { Runnable } from "../access.ts";
import { yieldOften } from "../background/yield-often.ts";
import { type HubContext, requireConversation } from "../context.ts";
import { type BuildContext, buildConversation, type Piece, Pieces } from "./build.ts";

const PAGE = 200;
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Creates a conversation with the history up to the question of round `round`, which is pending again, as is every ask
 * that was open at that moment or has a different outcome since. The old conversation does not change. A built-in agent
 * waits in the turn in which it asked, and continues as it would after a restart.
 */
export async function continueFrom(
  ctx: BuildContext & Pick<HubContext, "access" | "limits" | "node">,
  at: Runnable,
  round: number,
): Promise<string> {
  const { call, conversation_id: from_id } = at;
  const old = await requireConversation(ctx, at);
  const from = await findAskOfRound(ctx.db, from_id, round);
  if (!from)
    throw new ParleyError("question_not_found", `This conversation has no round ${round}.`, {
      round,
      rounds: old.current_round,
    });

  const outcomes = await outcomesUntil(ctx, from_id, from.sequence_num);
  const asks = (await listAsks(ctx.db, from_id)).filter((ask) => ask.sequence_num <= from.sequence_num);
  const conversation_id = newId("conversation", call.now);
  const turn_id = from.turn_id !== null && ctx.access.isBuiltIn(old) ? newId("turn", call.now) : null;
  const turnOf = (was: string | null) => (was === from.turn_id ? turn_id : null);
  const copies = new Map<number, Ask>();
  const open = new Set<unknown>();
  const pause = yieldOften();
  for (const [index, ask] of asks.entries()) {
    await pause();
    const settled = outcomes.get(ask.tool_use_id)?.includes(ask.status) ?? false;
    const copy = { ...copyOf(ask, settled, call.now), turn_id: turnOf(ask.turn_id), round: index + 1 };
    copies.set(ask.sequence_num, copy);
    if (isPending(copy)) open.add(ask.tool_use_id);
  }
  const pending: Ask[] = [];
  let messages = 0;
  let beginning = 0;

  async function* pieces(): AsyncGenerator<Piece> {
    const collected = new Pieces();
    for await (const page of historyUntil(ctx, from_id, from?.sequence_num ?? 0)) {
      for (const message of page) {
        // Drop partial answers to reopened asks: in the new conversation nobody has given them yet.
        if (message.content.event === "question.answered" && open.has(message.content.tool_use_id)) continue;
        messages += 1;
        if (beginning === 0 && message.turn_id === from?.turn_id) beginning = messages;
        const copy = copies.get(message.sequence_num);
        const ask = copy && { ...copy, sequence_num: messages };
        if (ask && isPending(ask)) pending.push(ask);
        const full = collected.add(rowOf(message, turnOf(message.turn_id)), ask && !isPending(ask) ? ask : undefined);
        if (full) yield full;
      }
    }
    yield collected.rest();
  }

  await buildConversation(ctx, ctx.access.branch(at, conversation_id, old), {
    create: {
      title: branchTitle(old.title, round),
      agent: old.agent,
      interactive: true,
      metadata: old.metadata,
      forked_from: from_id,
      forked_round: round,
      space_id: old.space_id,
      api_key_id: old.api_key_id,
    },
    actions: { conversation: "conversation.continued", ask: "ask.continued" },
    pieces: pieces(),
    complete: () => ({
      pending,
      after: { from: from_id, round, turn_id },
      ask_limit: asks.length + ctx.limits.maxDepth,
      total_rounds: old.total_rounds,
      turn:
        turn_id === null
          ? null
          : { id: turn_id, owner: ctx.node.owner, started_by: call.actor.id ?? null, message_sequence: beginning },
    }),
  });
  return conversation_id;
}

function rowOf(message: MessageView, turn_id: string | null): NewMessage {
  return {
    uuid: message.uuid,
    parent_uuid: null,
    turn_id,
    type: message.type,
    role: message.role,
    content: toJson(message.content),
    metadata: message.metadata && toJson(message.metadata),
    created_at: Date.parse(message.timestamp),
  };
}

async function* historyUntil(
  ctx: Pick<HubContext, "db">,
  conversation_id: string,
  last: number,
): AsyncGenerator<MessageView[]> {
  for (let after = 0; after < last; ) {
    const page = await listMessages(ctx.db, conversation_id, after, Math.min(PAGE, last - after));
    if (page.length === 0) return;
    yield page;
    after += page.length;
    await new Promise(setImmediate);
  }
}

/** The possible outcomes of the asks after this message, by tool_use_id; open asks are not in it. */
async function outcomesUntil(
  ctx: Pick<HubContext, "db">,
  conversation_id: string,
  last: number,
): Promise<Map<unknown, unknown[]>> {
  const outcomes = new Map<unknown, unknown[]>();
  for await (const page of historyUntil(ctx, conversation_id, last)) {
    for (const { type, content } of page) {
      // Imported results do not say their outcome.
      if (type === "tool_result") outcomes.set(content.tool_use_id, [content.outcome ?? Outcome.options].flat());
      if (content.event === "question.reopened") outcomes.delete(content.tool_use_id);
    }
  }
  return outcomes;
}

function copyOf(ask: Ask, settled: boolean, now: number): Ask {
  const fresh = {
    ...ask,
    inbox_item_id: newId("inbox", now),
    idempotency_key: null,
    reply_key: null,
    questions: ask.questions.map((question) =>
      question.answered ? { ...question, answered: { ...question.answered, idempotency_key: null } } : question,
    ),
  };
  if (settled) return fresh;
  // Replies allow only four-digit years.
  const deadline_at = ask.deadline_at === null ? null : Math.min(LATEST, now + (ask.deadline_at - ask.created_at));
  return { ...pristine(fresh, deadline_at), created_at: now };
}
