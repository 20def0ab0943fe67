import { walkTree } from "../../domain/follow-ups.ts";
import type { PickedAnswer } from "../../domain/question-types.ts";
import type { Question } from "../../protocol/question.ts";
import type { Step } from "./asker.ts";

export type Answers = Map<string, PickedAnswer>;
type Place = { before: PickedAnswer | undefined; isFirst: boolean };

type Form<Asked extends Question> = {
  ask: (question: Asked, place: Place) => Promise<Step>;
  /** Shows what will be sent. Resolves with the question to change, or nothing if it may be sent. */
  review?: (asked: Asked[], answers: Answers) => Promise<Asked | undefined>;
  /** The options chosen in questions that were answered before. */
  earlier?: ReadonlyMap<string, readonly string[]>;
};

/**
 * Asks every question that is reached, parents first. The person can go back, and change any answer in the review. Resolves
 * with the answers to the questions that are reached in the end, or with `reply` if the person prefers words.
 */
export async function fillIn<Asked extends Question>(
  questions: readonly Asked[],
  { ask, review, earlier = new Map() }: Form<Asked>,
): Promise<Answers | "reply"> {
  const answers: Answers = new Map();
  const chosenIn = ({ question_id }: Asked) => earlier.get(question_id) ?? answers.get(question_id)?.option_ids ?? [];
  const reached = () =>
    [...walkTree(questions, chosenIn)].flatMap(({ question, isReached }) =>
      isReached && !earlier.has(question.question_id) ? [question] : [],
    );
  let isChange = false;
  for (let at = 0; ; ) {
    const asked = reached();
    const question = asked[at];
    if (!question) {
      const kept: Answers = new Map(
        asked.flatMap(({ question_id }) => {
          const answer = answers.get(question_id);
          return answer ? [[question_id, answer]] : [];
        }),
      );
      const change = await review?.(asked, kept);
      if (!change) return kept;
      at = asked.indexOf(change);
      isChange = true;
      continue;
    }
    const step = await ask(question, { before: answers.get(question.question_id), isFirst: at === 0 });
    if (step === "reply") return step;
    if (step === "back") {
      at = Math.max(0, at - 1);
      continue;
    }
    answers.set(question.question_id, step);
    // After a change only its new follow-ups are asked.
    const open = reached().findIndex(({ question_id }) => !answers.has(question_id));
    at = isChange ? (open < 0 ? Number.POSITIVE_INFINITY : open) : at + 1;
  }
}
