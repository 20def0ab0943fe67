import type { AnswerInput, CheckedAnswer } from "../protocol/answer.ts";
import { lengthProblem } from "../protocol/characters.ts";
import { ParleyError } from "../protocol/errors.ts";
import { FIXED } from "../protocol/limits.ts";
import type { Option, Question, Shape } from "../protocol/question.ts";

/** Labels count as answers only where the agent could not give ids. */
const BY_LABEL: readonly Shape[] = ["questions", "shell", "codex", "opencode"];

export type Dialect = {
  shape: Shape;
  /** The index form: "1" is the first option as printed on its button, "1,3" several. */
  indexed: boolean;
  textMax: number;
};

const ANSWER_FIELDS = ["answer", "other", "notes"];

type Given = {
  choices: Array<string | { other: string }> | null;
  bare: unknown;
  other: string | null;
  notes: string | null;
};

/** Turns any form of an answer into the one that is stored, or refuses it and says what is expected. */
export function checkAnswer(question: Question, input: AnswerInput | undefined, dialect: Dialect): CheckedAnswer {
  const unknown = unknownField(input);
  if (unknown !== undefined) {
    const known = 'an answer that is an object has "answer", "other" and "notes"';
    throw refuse(question, `it has an unknown field ${JSON.stringify(unknown)}; ${known}`, dialect);
  }
  const given = unwrap(input);
  const answer = (value: CheckedAnswer["value"], chosen: Option[], text: string | null): CheckedAnswer => ({
    question_id: question.question_id,
    value,
    option_ids: chosen.map((option) => option.id),
    labels: chosen.map((option) => option.label),
    text,
    notes: given.notes?.trim() ? given.notes : null,
  });

  if (isEmpty(given)) {
    if (question.required) throw refuse(question, "an answer is required", dialect);
    return answer(question.type === "checkbox" ? [] : null, [], null);
  }

  if (question.type === "text") {
    if (typeof given.bare !== "string" || given.other !== null) throw refuse(question, "a text is expected", dialect);
    // Who answers by number has no other way to write a text.
    const text = dialect.indexed ? given.bare.replace(/^other:\s*/, "") : given.bare;
    if (text.trim() === "") throw refuse(question, "the text is empty", dialect);
    checkText(question, text, dialect);
    return answer(text, [], text);
  }

  if (question.type === "boolean") {
    const value = dialect.indexed ? indexedBoolean(given.bare) : given.bare;
    if (typeof value !== "boolean" || given.other !== null)
      throw refuse(question, "true or false is expected", dialect);
    const option: Option = { id: String(value), label: value ? "Yes" : "No" };
    return answer(value, [option], null);
  }

  const { chosen, other } = choose(question, given, dialect);
  if (other !== null) checkText(question, other, dialect);
  if (question.type === "checkbox") {
    return answer(
      chosen.map((option) => option.id),
      chosen,
      other,
    );
  }
  if (chosen.length + (other === null ? 0 : 1) !== 1) throw refuse(question, "exactly one choice is expected", dialect);
  return answer(chosen[0]?.id ?? null, chosen, other);
}

/** Nothing of an answer is dropped without a word. */
function unknownField(input: AnswerInput | undefined): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  if (!Array.isArray(input))
    return Object.keys(input).find((key) => !ANSWER_FIELDS.includes(key)) ?? unknownField(input.answer);
  return input
    .flatMap((choice) => (typeof choice === "string" ? [] : Object.keys(choice)))
    .find((key) => key !== "other");
}

function unwrap(input: AnswerInput | undefined): Given {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    const inner = unwrap(input.answer);
    return { ...inner, other: input.other ?? inner.other, notes: input.notes ?? null };
  }
  const choices = Array.isArray(input)
    ? input
    : typeof input === "string"
      ? [input]
      : typeof input === "number"
        ? [String(input)]
        : null;
  return { choices, bare: input, other: null, notes: null };
}

function isEmpty({ choices, bare, other }: Given): boolean {
  if (other?.trim()) return false;
  if (bare === undefined || bare === null) return true;
  return (choices ?? [bare]).every((choice) => typeof choice === "string" && choice.trim() === "");
}

function choose(question: Question, given: Given, dialect: Dialect): { chosen: Option[]; other: string | null } {
  const { bare, other: besides } = given;
  if (bare !== undefined && bare !== null && given.choices === null)
    throw refuse(question, "an option is expected", dialect);
  const choices = dialect.indexed && typeof bare === "string" ? splitIndexes(bare) : (given.choices ?? []);
  const length = choices.reduce(
    (sum, choice) => sum + (typeof choice === "string" && !choice.startsWith("other:") ? choice.length : 0),
    0,
  );
  const most = FIXED.answer[question.type === "checkbox" ? "checkbox" : "multiple_choice"];
  if (length > most) throw refuse(question, `the choice must have at most ${most} characters`, dialect);

  const others = besides?.trim() ? [besides] : [];
  const chosen = new Set<Option>();
  for (const choice of choices) {
    if (typeof choice !== "string") others.push(choice.other);
    else {
      const option = find(question, choice, dialect);
      if (option) chosen.add(option);
      else if (choice.startsWith("other:")) others.push(choice.slice("other:".length).trim());
      else throw refuse(question, `${JSON.stringify(choice.slice(0, 80))} is not one of the options`, dialect);
    }
  }
  if (others.length > 0 && !question.allow_other) throw refuse(question, "Other is not offered here", dialect);
  if (others.length > 1) throw refuse(question, "only one other text can be given", dialect);
  const other = others[0] ?? null;
  if (other !== null && other.trim() === "") throw refuse(question, "the other text is empty", dialect);
  return { chosen: question.options.filter((option) => chosen.has(option)), other };
}

function find(question: Question, choice: string, dialect: Dialect): Option | undefined {
  if (dialect.indexed && /^\d{1,3}$/.test(choice)) return question.options[Number(choice) - 1];
  const byId = question.options.find((option) => option.id === choice);
  if (byId || !BY_LABEL.includes(dialect.shape)) return byId;
  return question.options.find((option) => option.label === choice);
}

function splitIndexes(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.every((part) => /^\d{1,3}$/.test(part)) ? parts : [text];
}

function indexedBoolean(bare: unknown): unknown {
  if (bare === "1" || bare === 1) return true;
  if (bare === "2" || bare === 2) return false;
  return bare;
}

function checkText(question: Question, text: string, dialect: Dialect): void {
  const problem = lengthProblem(text, dialect.textMax);
  if (problem !== undefined) throw refuse(question, `the text ${problem}`, dialect);
}

function refuse(question: Question, why: string, dialect: Dialect): ParleyError {
  return new ParleyError("invalid_answer", `The answer to ${question.question_id} was not taken: ${why}.`, {
    question_id: question.question_id,
    problem: why,
    expected: {
      type: question.type,
      required: question.required,
      ...(question.options.length > 0 && { options: question.options.map(({ id, label }) => ({ id, label })) }),
      ...(question.options.length > 0 && { other: question.allow_other }),
      ...(question.type === "text" && { max_characters: dialect.textMax }),
    },
  });
}
