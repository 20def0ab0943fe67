import { labelsOf } from "../question/answer-labels.ts";
import { type AskQuestion, answersOf, type Draft, type Field, fieldOf, reachable, textOf } from "../question/draft.ts";

type Questions = { questions: readonly AskQuestion[] };

/** Whether two asks have the same questions and options in the same order, so that one draft fits both. */
export function isAlike(a: Questions, b: Questions): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf(ask: Questions): string {
  const place = new Map(ask.questions.map((question, index) => [question.question_id, index]));
  return JSON.stringify(
    ask.questions.map((question) => [
      question.type,
      question.text,
      question.required,
      question.allow_other,
      question.options.map((option) => [option.label, option.description ?? ""]),
      question.parent && [place.get(question.parent.question_id), question.parent.option_id],
    ]),
  );
}

/** Turns a draft for one ask into answers for a similar one: by position, because the ids differ. */
export function answersFor(from: Questions, draft: Draft, to: Questions): ReturnType<typeof answersOf> {
  const moved: Record<string, Field> = {};
  to.questions.forEach((question, index) => {
    const source = from.questions[index];
    if (!source) return;
    const field = fieldOf(draft, source);
    const options = field.options.map((id) => {
      const place = source.options.findIndex((option) => option.id === id);
      return place < 0 ? id : (question.options[place]?.id ?? id);
    });
    moved[question.question_id] = { ...field, options };
  });
  return answersOf(to.questions, moved);
}

/** What will be sent, as the person reads it. */
export function summaryOf(ask: Questions, draft: Draft, t: (key: "yes" | "no") => string): string {
  return reachable(ask.questions, draft)
    .map((question) => {
      const text = textOf(draft, question);
      return [...labelsOf(question, fieldOf(draft, question).options, t), ...(text ? [text] : [])].join(", ");
    })
    .filter(Boolean)
    .join(" · ");
}
