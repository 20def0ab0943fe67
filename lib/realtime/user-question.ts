import { QUESTION_TYPES } from "../domain/question-types.ts";
import type { Announcement } from "../domain/views/envelopes.ts";
import type { AskView } from "../protocol/ask.ts";

type AskedQuestion = AskView["questions"][number];

/**
 * Sends each open question once to a client of the older dialect. Such clients know nothing of follow-ups: an ask is sent
 * whole at first; after an answer that leaves it open, each remaining question is sent separately, under its own id.
 */
export function createUserQuestions(emit: (question: ReturnType<typeof userQuestion>) => void) {
  /** The questions that were sent, by ask. */
  const sent = new Map<string, Set<string>>();

  return function send({ type, conversation_id, payload }: Announcement): void {
    const isState = type === "conversation.state";
    const asks = isState ? payload.pending : payload.ask ? [payload.ask] : [];
    const open = new Set(asks.filter(({ status }) => status === "pending").map(keyOf));
    // A settled ask may be reopened, and is then sent again.
    for (const ask of asks) if (!open.has(keyOf(ask))) sent.delete(keyOf(ask));
    if (isState)
      for (const key of sent.keys()) if (key.startsWith(`${conversation_id}\n`) && !open.has(key)) sent.delete(key);
    for (const ask of asks) {
      if (!open.has(keyOf(ask))) continue;
      const sentOfAsk = sent.get(keyOf(ask)) ?? new Set();
      sent.set(keyOf(ask), sentOfAsk);
      for (const question of openQuestions(ask)) {
        if (sentOfAsk.has(question.tool_use_id)) continue;
        sentOfAsk.add(question.tool_use_id);
        emit(question);
      }
    }
  };
}

function openQuestions(ask: AskView) {
  const begun = ask.questions.some(({ status }) => status === "answered");
  if (!begun) {
    const firstLevel = ask.questions.filter(({ parent }) => !parent);
    return [userQuestion(ask, ask.tool_use_id, firstLevel)];
  }
  const left = ask.questions.filter(({ status }) => status === "pending");
  return left.map((question) => userQuestion(ask, question.question_id, [question]));
}

/** Questions are answered by their index, options by the number on their button. */
function userQuestion({ created_at }: AskView, tool_use_id: string, questions: AskedQuestion[]) {
  return {
    type: "user_question" as const,
    tool_use_id,
    questions: questions.map((question) => {
      const { choices, isMany } = QUESTION_TYPES[question.type];
      return {
        question: question.text,
        header: question.header ?? "",
        options: choices(question).map(({ label, description }) => ({ label, description: description ?? "" })),
        multiSelect: isMany,
      };
    }),
    timestamp: Math.floor(Date.parse(created_at) / 1_000),
  };
}

function keyOf({ session_id, tool_use_id }: AskView): string {
  return `${session_id}\n${tool_use_id}`;
}
