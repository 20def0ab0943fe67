import type { AnswerInput } from "../protocol/answer.ts";
import type { Question } from "../protocol/question.ts";

type Questions = { questions: readonly Question[] };

/** Whether two asks have the same questions and options in the same order, so that one answer fits both. */
export function isAlike(a: Questions, b: Questions): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf({ questions }: Questions): string {
  return JSON.stringify(
    questions.map((question) => [
      question.type,
      question.text,
      question.required,
      question.allow_other,
      question.options.map((option) => [option.label, option.description ?? ""]),
      parentOf(questions, question),
    ]),
  );
}

/** The places of the question and the option that lead to a follow-up. */
function parentOf(questions: readonly Question[], { parent }: Question): [number, number] | undefined {
  if (!parent) return undefined;
  const place = questions.findIndex(({ question_id }) => question_id === parent.question_id);
  return [place, questions[place]?.options.findIndex(({ id }) => id === parent.option_id) ?? -1];
}

/** The answers to one ask as answers to another that is alike: by position, because the ids differ. */
export function answersLike(
  from: Questions,
  answers: Readonly<Record<string, AnswerInput>>,
  to: Questions,
): Record<string, AnswerInput> {
  return Object.fromEntries(
    Object.entries(answers).map(([key, answer]) => {
      const place = from.questions.findIndex(({ question_id }) => question_id === key);
      const [source, target] = [from.questions[place], to.questions[place]];
      return source && target ? [target.question_id, moved(source, answer, target)] : [key, answer];
    }),
  );
}

function moved(from: Question, answer: AnswerInput, to: Question): AnswerInput {
  const id = (value: string) => to.options[from.options.findIndex((option) => option.id === value)]?.id ?? value;
  const ids = <Other>(value: string | Array<string | Other>) =>
    typeof value === "string" ? id(value) : value.map((each) => (typeof each === "string" ? id(each) : each));
  if (typeof answer === "string" || Array.isArray(answer)) return ids(answer);
  if (typeof answer !== "object" || answer === null) return answer;
  const { answer: inner } = answer;
  return typeof inner === "string" || Array.isArray(inner) ? { ...answer, answer: ids(inner) } : answer;
}
