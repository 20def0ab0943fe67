import type { AskView } from "../../lib/protocol/ask.ts";
import { answersOf, type Draft, type Field, fieldOf } from "../question/draft.ts";

/** Whether an ask has the same questions with the same options, in the same order, so that one draft fits both. */
export function isAlike(a: AskView, b: AskView): boolean {
  return shapeOf(a) === shapeOf(b);
}

function shapeOf(ask: AskView): string {
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

/** A draft made for one ask, as answers to another that is alike: by place, because ids differ. */
export function answersFor(from: AskView, draft: Draft, to: AskView): ReturnType<typeof answersOf> {
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
