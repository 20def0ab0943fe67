import { listAsks } from "../db/asks.ts";
import type { Change } from "../db/change.ts";
import { listMessages } from "../db/threads.ts";
import type { Ask } from "../domain/ask.ts";
import { pristine } from "../domain/lifecycle.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { Outcome } from "../protocol/ask.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { MessageView } from "../protocol/message.ts";
import { askEvents, askRow, inboxRow, plainChange, questionRows } from "./changes.ts";
import { type HubContext, requireConversation } from "./context.ts";

/**
 * A new conversation with the history up to the question of round `round`, which is pending again, as is whatever else
 * was open at that moment or has got another outcome since. The old conversation stays as it was. An agent of Parley's
 * own is in the turn in which it asked, and waits: it goes on as it would after a restart.
 */
export async function continueFrom(ctx: HubContext, call: Call, session_id: string, round: number): Promise<string> {
  requireRight(call.actor, "answer");
  const old = await requireConversation(ctx, session_id);
  const asks = await listAsks(ctx.db, session_id);
  const from = asks.find((ask) => ask.round === round);
  if (!from)
    throw new ParleyError("question_not_found", `This conversation has no round ${round}.`, {
      round,
      rounds: asks.length,
    });

  const history = await historyUntil(ctx, session_id, from.sequence_num);
  const outcomes = outcomesIn(history);
  const conversation_id = newId("conversation", call.now);
  const turn_id = from.turn_id !== null && ctx.runnable.has(old.agent) ? newId("turn", call.now) : null;
  const turnOf = (was: string | null) => (was === from.turn_id ? turn_id : null);
  const plain = plainChange(conversation_id, call, "conversation.continued", { from: session_id, round });
  const { command_id } = plain.audit;
  const copies = asks
    .filter((ask) => ask.sequence_num <= from.sequence_num)
    .map((ask) => copyOf(ask, outcomes.get(ask.tool_use_id)?.includes(ask.status) ?? false, call.now))
    .map((ask) => ({ ...ask, conversation_id, turn_id: turnOf(ask.turn_id), command_id }));
  const pending = copies.filter((ask) => ask.status === "pending");
  const open = new Set<unknown>(pending.map((ask) => ask.tool_use_id));
  // Partial answers to what is open again are left out: they are not given yet there.
  const messages = history.filter(
    ({ content }) => content.event !== "question.answered" || !open.has(content.tool_use_id),
  );
  const positions = new Map(messages.map((message, index) => [message.sequence_num, index + 1]));

  const change: Change = {
    ...plain,
    guard: { kind: "create" },
    create: {
      title: old.title,
      agent: old.agent,
      interactive: true,
      metadata: old.metadata,
      ask_limit: Math.max(ctx.limits.maxDepth, copies.length + ctx.limits.maxDepth),
      forked_from: session_id,
      forked_round: round,
    },
    rounds: copies.length,
    pending: pending.length,
    total_rounds: old.total_rounds,
    set: turn_id === null ? {} : { run_state: "streaming", turn_id },
    turns:
      turn_id === null
        ? []
        : [
            {
              id: turn_id,
              status: "running",
              owner: ctx.owner,
              nth_message: messages.findIndex((message) => message.turn_id === from.turn_id) + 1,
            },
          ],
    asks: copies.map((ask, index) => askRow(ask, index + 1, positions.get(ask.sequence_num) ?? 0)),
    questions: copies.flatMap(questionRows),
    answers: copies.flatMap((ask) =>
      ask.questions.flatMap(({ question_id, answered }) =>
        answered
          ? [
              {
                question_id,
                value: JSON.stringify(answered.answer),
                answered_by: JSON.stringify(answered.by),
                answered_at: answered.at,
                idempotency_key: answered.idempotency_key,
              },
            ]
          : [],
      ),
    ),
    messages: messages.map((message) => ({
      uuid: message.uuid,
      parent_uuid: null,
      turn_id: turnOf(message.turn_id),
      type: message.type,
      role: message.role,
      content: JSON.stringify(message.content),
      metadata: message.metadata && JSON.stringify(message.metadata),
      created_at: Date.parse(message.timestamp),
    })),
    inbox: copies.map((ask, index) => inboxRow(ask, old.agent, index + 1)),
    ask_events: askEvents(plain, "ask.continued", copies),
  };
  const committed = await ctx.db.write(change);
  ctx.conversations.set(conversation_id, { agent: old.agent, title: old.title });
  pending.forEach((ask, index) => {
    const numbers = { round: copies.indexOf(ask) + 1, sequence_num: positions.get(ask.sequence_num) ?? 0 };
    const about = { ask: { ...ask, ...numbers } };
    ctx.events.publish(index === 0 ? change : { ...change, messages: [] }, committed, about);
  });
  if (turn_id !== null) ctx.events.publish({ ...change, messages: [] }, committed, { started: { turn_id } });
  return conversation_id;
}

async function historyUntil(ctx: HubContext, session_id: string, last: number): Promise<MessageView[]> {
  const messages: MessageView[] = [];
  while (messages.length < last) {
    const page = await listMessages(ctx.db, session_id, messages.length, Math.min(1_000, last - messages.length));
    if (page.length === 0) break;
    messages.push(...page);
  }
  return messages;
}

/** How the asks may have stood at the end of these messages, by tool_use_id; those that were open are not in it. */
function outcomesIn(messages: MessageView[]): Map<unknown, unknown[]> {
  const outcomes = new Map<unknown, unknown[]>();
  for (const { type, content } of messages) {
    // What was imported does not say its outcome.
    if (type === "tool_result") outcomes.set(content.tool_use_id, [content.outcome ?? Outcome.options].flat());
    if (content.event === "question.reopened") outcomes.delete(content.tool_use_id);
  }
  return outcomes;
}

function copyOf(ask: Ask, settled: boolean, now: number): Ask {
  const fresh = {
    ...ask,
    inbox_item_id: newId("inbox", now),
    idempotency_key: null,
    questions: ask.questions.map((question) =>
      question.answered ? { ...question, answered: { ...question.answered, idempotency_key: null } } : question,
    ),
  };
  if (settled) return fresh;
  const deadline_at = ask.deadline_at === null ? null : now + (ask.deadline_at - ask.created_at);
  return { ...pristine(fresh, deadline_at), created_at: now };
}
