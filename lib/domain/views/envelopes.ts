import type { AskView } from "../../protocol/ask.ts";
import { ERRORS, type ErrorCode } from "../../protocol/errors.ts";
import type { ServerEventType } from "../../protocol/events.ts";
import type { MessageView } from "../../protocol/message.ts";

export type Told = { type: ServerEventType; turn_id: string | null; payload: Record<string, unknown> };

/** Something that everybody who watches a conversation is told. */
export type Announcement = Told & { conversation_id: string; trace_id: string };

/** How a durable message is announced: by exactly one envelope, which carries it. `ask` is there for what is about one. */
export function announce(message: MessageView, ask: AskView | null): Told {
  const payload = { message_sequence: message.sequence_num, message };
  const told = (type: ServerEventType, more: Record<string, unknown> = {}): Told => ({
    type,
    turn_id: message.turn_id,
    payload: { ...payload, ...more },
  });
  const { content } = message;
  switch (message.type) {
    case "text":
      return message.role === "user"
        ? told("user.message", { text: content.text })
        : told("assistant.chunk", { text: content.text });
    case "thinking":
      return told("assistant.thinking", { text: content.thinking });
    case "tool_use":
      return told("assistant.tool_call", { id: content.id, name: content.name, input: content.input });
    case "ask_user_question":
      return ask
        ? told("assistant.request_input", requested(ask))
        : told("assistant.tool_call", { id: content.tool_use_id, name: content.name, input: content.input });
    case "tool_result":
      if (isOutcome(content.outcome)) return told(`question.${content.outcome}`, settled(content, ask));
      return told("assistant.tool_result", {
        tool_use_id: content.tool_use_id,
        content: content.content,
        is_error: content.is_error,
      });
    case "error":
      return told("error", { code: socketCode(content.code), text: content.text });
    case "complete":
      return told("assistant.complete", content);
    default:
      return announceInfo(content, told, ask);
  }
}

function announceInfo(
  content: MessageView["content"],
  told: (type: ServerEventType, more?: Record<string, unknown>) => Told,
  ask: AskView | null,
): Told {
  if (content.event === "question.answered" || content.event === "question.reopened")
    return told(content.event, settled(content, ask));
  if (content.event === "conversation.interrupted")
    return told("conversation.interrupted", { text: content.text, by: content.by });
  return told("session.system_event", { event: content.event ?? null, text: content.text ?? null });
}

/** A message keeps the code of the table; a socket is told its own. */
function socketCode(code: unknown): string | null {
  return typeof code === "string" && code in ERRORS ? ERRORS[code as ErrorCode].socket : null;
}

function isOutcome(value: unknown): value is "answered" | "cancelled" | "timeout" {
  return value === "answered" || value === "cancelled" || value === "timeout";
}

function requested(ask: AskView): Record<string, unknown> {
  const first = ask.questions[0];
  return {
    tool_use_id: ask.tool_use_id,
    question_id: first?.question_id,
    questions: ask.questions,
    question: first?.text,
    options: first?.options,
    required: first?.required,
    metadata: ask.input.metadata ?? null,
    inbox_item_id: ask.inbox_item_id,
    deadline_at: ask.deadline_at,
    round: ask.round,
    total_rounds: ask.total_rounds,
    ask,
  };
}

function settled(content: Record<string, unknown>, ask: AskView | null): Record<string, unknown> {
  return {
    tool_use_id: content.tool_use_id,
    question_id: ask?.questions[0]?.question_id ?? null,
    decided_by: content.decided_by ?? content.by ?? null,
    reason: content.reason ?? null,
    ask,
  };
}
