import type { AskView } from "../../lib/protocol/ask.ts";
import type { AskQuestion } from "./draft.ts";

/** A question of a settled ask with its final answer, and how deep it is nested. */
export type RecordedQuestion = { question: AskQuestion; depth: number };

/** What was asked and answered, in order. Follow-ups that nobody reached are left out. */
export function recordOf(ask: AskView): RecordedQuestion[] {
  const depths = new Map<string, number>();
  // Defaults applied at the deadline are nobody's answers; only the result contains them.
  const answerOf = (question: AskQuestion) =>
    question.answer ?? ask.result?.answers.find(({ question_id }) => question_id === question.question_id) ?? null;
  return ask.questions.flatMap((each) => {
    const question = { ...each, answer: answerOf(each) };
    const depth = each.parent ? (depths.get(each.parent.question_id) ?? 0) + 1 : 0;
    depths.set(each.question_id, depth);
    return each.status !== "inactive" || question.answer ? [{ question, depth }] : [];
  });
}
