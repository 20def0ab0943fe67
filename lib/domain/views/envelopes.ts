import type { AskView } from "../../protocol/ask.ts";
import { ERRORS, isErrorCode } from "../../protocol/errors.ts";
import type { EnvelopeBody, ServerEventType } from "../../protocol/events.ts";
import type { MessageContent, MessageView } from "../../protocol/message.ts";

/** Something that everyone who watches a conversation gets. */
export type Announcement<Type extends ServerEventType = ServerEventType> = EnvelopeBody<Type> & {
  conversation_id: string;
  trace_id: string;
};

/** How a durable message is announced: by exactly one envelope, which carries it. `ask` is set for messages about an ask. */
export function announce(message: MessageView, ask: AskView | null): EnvelopeBody {
  const { turn_id, sequence_num: message_sequence } = message;
  switch (message.type) {
    case "text": {
      const type = message.role === "user" ? "user.message" : "assistant.chunk";
      return { type, turn_id, payload: { message_sequence, message, text: message.content.text } };
    }
    case "thinking":
      return {
        type: "assistant.thinking",
        turn_id,
        payload: { message_sequence, message, text: message.content.thinking },
      };
    case "tool_use": {
      const { id, name, input } = message.content;
      return { type: "assistant.tool_call", turn_id, payload: { message_sequence, message, id, name, input } };
    }
    case "ask_user_question": {
      if (ask)
        return { type: "assistant.request_input", turn_id, payload: { message_sequence, message, ...requested(ask) } };
      const { tool_use_id: id, name, input } = message.content;
      return { type: "assistant.tool_call", turn_id, payload: { message_sequence, message, id, name, input } };
    }
    case "tool_result": {
      const { outcome, tool_use_id, content, is_error } = message.content;
      if (outcome)
        return {
          type: `question.${outcome}`,
          turn_id,
          payload: { message_sequence, message, ...settled(message.content, ask) },
        };
      return {
        type: "assistant.tool_result",
        turn_id,
        payload: { message_sequence, message, tool_use_id, content, is_error },
      };
    }
    case "error": {
      const { code, text } = message.content;
      return { type: "error", turn_id, payload: { message_sequence, message, code: socketCode(code), text } };
    }
    case "complete":
      return { type: "assistant.complete", turn_id, payload: { message_sequence, message, ...message.content } };
    case "info":
      return { turn_id, ...announceInfo(message.content, message, ask) };
  }
}

function announceInfo(content: MessageContent["info"], message: MessageView, ask: AskView | null) {
  const message_sequence = message.sequence_num;
  const { event = null, text, by } = content;
  switch (event) {
    case "question.answered":
    case "question.reopened":
    case "question.extended":
      return { type: event, payload: { message_sequence, message, ...settled(content, ask) } } as const;
    case "conversation.interrupted":
      return { type: event, payload: { message_sequence, message, text, by } } as const;
    default:
      return {
        type: "session.system_event",
        payload: { message_sequence, message, event, text: text ?? null },
      } as const;
  }
}

/** A message keeps the code of the table; sockets get their own. */
function socketCode(code: string | undefined): string | null {
  return code !== undefined && isErrorCode(code) ? ERRORS[code].socket : null;
}

function requested(ask: AskView) {
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

function settled({ tool_use_id, decided_by, by, reason }: MessageContent["info" | "tool_result"], ask: AskView | null) {
  return {
    tool_use_id,
    question_id: ask?.questions[0]?.question_id ?? null,
    decided_by: decided_by ?? by ?? null,
    reason: reason ?? null,
    ask,
  };
}
