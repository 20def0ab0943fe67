import type { Question } from "../protocol/question.ts";
import type { AskQuestion } from "./ask.ts";
import { checkedAnswer, QUESTION_TYPES } from "./question-types.ts";

type TreeNode = Pick<Question, "question_id" | "parent">;

/**
 * Walks the questions of an ask, parents first. A question is reached if it is on the first level, or if its parent was
 * reached and the option that opens it was chosen there. `chosenIn` is read after the question was visited: an answer given
 * during the visit opens its follow-ups.
 */
export function* walkTree<Node extends TreeNode>(
  questions: readonly Node[],
  chosenIn: (question: Node) => readonly string[],
): Generator<{ question: Node; isReached: boolean }> {
  const chosen = new Map<string, readonly string[]>();
  for (const question of questions) {
    const { parent } = question;
    const isReached = !parent || (chosen.get(parent.question_id)?.includes(parent.option_id) ?? false);
    yield { question, isReached };
    if (isReached) chosen.set(question.question_id, chosenIn(question));
  }
}

/** The questions after `decide` has seen each of them, parents first. A follow-up that is reached becomes pending. */
export function mapTree(
  questions: readonly AskQuestion[],
  decide: (question: AskQuestion) => AskQuestion,
): AskQuestion[] {
  const decided = new Map<string, AskQuestion>();
  const chosenIn = ({ question_id }: AskQuestion) => decided.get(question_id)?.answered?.answer.option_ids ?? [];
  for (const { question, isReached } of walkTree(questions, chosenIn)) {
    const opened = isReached && question.status === "inactive" ? { ...question, status: "pending" as const } : question;
    decided.set(question.question_id, decide(opened));
  }
  return [...decided.values()];
}

/** Reached, required and unanswered: what the ask still waits for. */
export function missing(questions: readonly AskQuestion[]): AskQuestion[] {
  return questions.filter((question) => question.status === "pending" && question.required);
}

/** The questions with their defaults as answers, or undefined if a required one has none. */
export function withDefaults(questions: readonly AskQuestion[]): AskQuestion[] | undefined {
  const by = { kind: "default", name: "default", surface: "deadline" } as const;
  const answered = mapTree(questions, (question) => {
    const content = question.status === "pending" ? QUESTION_TYPES[question.type].defaultContent(question) : undefined;
    if (!content) return question;
    const answer = checkedAnswer(question, content, null);
    return { ...question, status: "timeout", answered: { answer, by, at: 0, idempotency_key: null } };
  });
  const tookOne = answered.some((question) => question.answered?.by === by);
  return tookOne && missing(answered).length === 0 ? answered : undefined;
}
