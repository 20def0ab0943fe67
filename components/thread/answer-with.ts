import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { AnswerInput } from "../../lib/protocol/answer.ts";
import type { AskView } from "../../lib/protocol/ask.ts";

/** What words in the composer can do to an open ask. */
export type WordsFor =
  | { ask: AskView; kind: "answer"; answers: (text: string) => Record<string, AnswerInput> }
  | { ask: AskView; kind: "reply" };

/**
 * How a person can use the words they have typed on the open question: as the answer, if there is one question that takes
 * words, or else as a reply. Nothing if several asks are open, or if the answer cannot be undone and needs its card.
 */
export function wordsFor(pending: readonly AskView[]): WordsFor | undefined {
  const [ask, ...others] = pending;
  if (!ask || others.length > 0 || ask.irreversible) return undefined;
  const open = ask.questions.filter((question) => !question.parent && !question.answer);
  const [question] = open;
  if (!question || open.length > 1) return { ask, kind: "reply" };
  const { isWritten, hasOptions, submit } = QUESTION_TYPES[question.type];
  if (!isWritten && !(hasOptions && question.allow_other)) return { ask, kind: "reply" };
  return { ask, kind: "answer", answers: (text) => ({ [question.question_id]: submit({ option_ids: [], text }) }) };
}
