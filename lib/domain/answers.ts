import type { AnswerInput, CheckedAnswer } from "../protocol/answer.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Question } from "../protocol/question.ts";
import { checkedAnswer, QUESTION_TYPES } from "./question-types.ts";
import { type Dialect, isEmpty, readSubmitted, unknownField } from "./submitted-answer.ts";

/** Turns any form of an answer into the one that is stored, or rejects it and says what is expected. */
export function checkAnswer(question: Question, input: AnswerInput | undefined, dialect: Dialect): CheckedAnswer {
  const unknown = unknownField(input);
  if (unknown !== undefined) {
    const known = 'an answer that is an object has "answer", "other" and "notes"';
    throw rejected(question, `it has an unknown field ${JSON.stringify(unknown)}; ${known}`, dialect);
  }
  const submitted = readSubmitted(input);
  const notes = submitted.notes?.trim() ? submitted.notes : null;
  const { check, emptyValue } = QUESTION_TYPES[question.type];
  if (isEmpty(submitted)) {
    if (question.required) throw rejected(question, "an answer is required", dialect);
    return checkedAnswer(question, { value: emptyValue, chosen: [], text: null }, notes);
  }
  const content = check(question, submitted, dialect);
  if (typeof content === "string") throw rejected(question, content, dialect);
  return checkedAnswer(question, content, notes);
}

function rejected(question: Question, problem: string, dialect: Dialect): ParleyError {
  const { question_id, type, required, options, allow_other } = question;
  return new ParleyError("invalid_answer", `The answer to ${question_id} was rejected: ${problem}.`, {
    question_id,
    problem,
    expected: {
      type,
      required,
      ...(options.length > 0 && { options: options.map(({ id, label }) => ({ id, label })), other: allow_other }),
      ...QUESTION_TYPES[type].expected(dialect),
    },
  });
}
