import type { AnswerInput, CheckedAnswer } from "../protocol/answer.ts";
import { lengthProblem } from "../protocol/characters.ts";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import type { Option, Question, QuestionType } from "../protocol/question.ts";
import { checkChoice, importedChoice, importedText } from "./choice-answers.ts";
import type { Dialect, SubmittedAnswer } from "./submitted-answer.ts";

/** What an answer says: the value by its type, the chosen options, the free text. */
export type AnswerContent = Pick<CheckedAnswer, "value" | "text"> & { chosen: Option[] };

/** What a person picked and wrote before it is submitted; both empty if they gave no answer. */
export type PickedAnswer = { option_ids: string[]; text: string | null };

/** Everything the rules need to know about one type of question. */
type QuestionTypeRules = {
  /** Whether the agent lists options; only then can Other be offered, and only an option can be the default. */
  hasOptions: boolean;
  /** Whether one answer may hold several choices. */
  isMany: boolean;
  /** Whether the answer is written rather than chosen. For the other types, text is Other. */
  isWritten: boolean;
  /** What a person chooses from, in the order of the printed numbers. */
  choices: (question: Question) => Option[];
  /** Whether the question's `default` is of this type. */
  fitsDefault: (value: NonNullable<Question["default"]>) => boolean;
  /** What the question's defaults say, or undefined if it has none. */
  defaultContent: (question: Question) => AnswerContent | undefined;
  /** The value stored when an optional question is left empty. */
  emptyValue: CheckedAnswer["value"];
  /** The answer to submit for what a person picked and wrote. */
  submit: (picked: PickedAnswer) => Exclude<AnswerInput, string | number | boolean | null | unknown[]>;
  /** What a submitted answer says, or why it is rejected. */
  check: (question: Question, submitted: SubmittedAnswer, dialect: Dialect) => AnswerContent | string;
  /** What a rejected caller should send, in addition to the type and the options. */
  expected: (dialect: Dialect) => Record<string, unknown>;
  /** Reads another program's recorded answer. Values that match no choice are kept as text. */
  imported: (question: Question, value: unknown) => AnswerContent;
};

const text: QuestionTypeRules = {
  hasOptions: false,
  isMany: false,
  isWritten: true,
  choices: () => [],
  fitsDefault: (value) => typeof value === "string",
  defaultContent: (question) =>
    typeof question.default === "string" ? written(question.default, question.default) : undefined,
  emptyValue: null,
  submit: (picked) => ({ answer: picked.text }),
  check: (_question, { bare, other }, { indexed, textMax }) => {
    if (typeof bare !== "string" || other !== null) return "expected text";
    // In the index form, `other:` is the only way to write text.
    const words = indexed ? bare.replace(/^other:\s*/, "") : bare;
    if (words.trim() === "") return "the text is empty";
    const problem = lengthProblem(words, textMax);
    return problem === undefined ? written(words, words) : `the text ${problem}`;
  },
  expected: ({ textMax }) => ({ max_characters: textMax }),
  imported: (_question, value) => {
    const words = importedText(value);
    return written(words, words);
  },
};

const boolean: QuestionTypeRules = {
  hasOptions: false,
  isMany: false,
  isWritten: false,
  choices: (question) => [yesOrNo(true, question.default === true), yesOrNo(false, question.default === false)],
  fitsDefault: (value) => typeof value === "boolean",
  defaultContent: (question) => (typeof question.default === "boolean" ? decided(question.default) : undefined),
  emptyValue: null,
  submit: ({ option_ids: [id] }) => ({ answer: id === undefined ? null : id === "true" }),
  check: (_question, { bare, other }, { indexed }) => {
    const value = indexed ? (BOOLEAN_BY_NUMBER.get(bare) ?? bare) : bare;
    return typeof value === "boolean" && other === null ? decided(value) : "expected true or false";
  },
  expected: () => ({}),
  imported: (_question, value) => (typeof value === "boolean" ? decided(value) : written(null, importedText(value))),
};

const multiple_choice: QuestionTypeRules = {
  hasOptions: true,
  isMany: false,
  isWritten: false,
  choices: ({ options }) => options,
  fitsDefault: () => false,
  defaultContent: ({ options }) => {
    const first = options.find((option) => option.default);
    return first && { value: first.id, chosen: [first], text: null };
  },
  emptyValue: null,
  submit: ({ option_ids: [id], text: other }) =>
    id === undefined && other !== null ? { other } : { answer: id ?? null },
  check: (question, submitted, dialect) => {
    const content = checkChoice(question, submitted, dialect, CONTRACT_LIMITS.answer.multiple_choice);
    if (typeof content === "string") return content;
    const { chosen, text: other } = content;
    if (chosen.length + (other === null ? 0 : 1) !== 1) return "expected exactly one choice";
    return { value: chosen[0]?.id ?? null, chosen, text: other };
  },
  expected: () => ({}),
  imported: (question, value) => {
    const { chosen, text: other } = importedChoice(question, value, false);
    return { value: chosen[0]?.id ?? null, chosen, text: other };
  },
};

const checkbox: QuestionTypeRules = {
  hasOptions: true,
  isMany: true,
  isWritten: false,
  choices: ({ options }) => options,
  fitsDefault: () => false,
  defaultContent: ({ options }) => {
    const chosen = options.filter((option) => option.default);
    return chosen.length > 0 ? { value: idsOf(chosen), chosen, text: null } : undefined;
  },
  emptyValue: [],
  submit: ({ option_ids, text: other }) => ({ answer: option_ids, ...(other !== null && { other }) }),
  check: (question, submitted, dialect) => {
    const content = checkChoice(question, submitted, dialect, CONTRACT_LIMITS.answer.checkbox);
    return typeof content === "string" ? content : { value: idsOf(content.chosen), ...content };
  },
  expected: () => ({}),
  imported: (question, value) => {
    const content = importedChoice(question, value, true);
    return { value: idsOf(content.chosen), ...content };
  },
};

/** The one place where the rules tell types apart. A new type does not compile until it has a row here. */
export const QUESTION_TYPES: Readonly<Record<QuestionType, QuestionTypeRules>> = {
  multiple_choice,
  checkbox,
  text,
  boolean,
};

/** An answer as it is stored. */
export function checkedAnswer({ question_id }: Question, content: AnswerContent, notes: string | null): CheckedAnswer {
  const { value, chosen, text: words } = content;
  return {
    question_id,
    value,
    option_ids: idsOf(chosen),
    labels: chosen.map(({ label }) => label),
    text: words,
    notes,
  };
}

const BOOLEAN_BY_NUMBER: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["1", true],
  [1, true],
  ["2", false],
  [2, false],
]);

function yesOrNo(value: boolean, isDefault = false): Option {
  return { id: String(value), label: value ? "Yes" : "No", ...(isDefault && { default: true }) };
}

const decided = (value: boolean): AnswerContent => ({ value, chosen: [yesOrNo(value)], text: null });

const written = (value: string | null, words: string): AnswerContent => ({ value, chosen: [], text: words });

const idsOf = (options: Option[]): string[] => options.map(({ id }) => id);
