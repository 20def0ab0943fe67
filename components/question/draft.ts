import type { AnswerInput } from "../../lib/protocol/answer.ts";
import type { AskView } from "../../lib/protocol/ask.ts";

export type AskQuestion = AskView["questions"][number];

/** What a person has put down for one question and not sent yet. */
export type Field = {
  /** Ids of the chosen options; `true` or `false` for a yes-or-no question. */
  options: string[];
  /** Whether Other is chosen. Its text stays when it is not. */
  isOther: boolean;
  /** The text of a free-text question, or of Other. */
  text: string;
  notes: string;
};

/** By question id. What was hidden again keeps what was put down, and is not sent. */
export type Draft = Readonly<Record<string, Field>>;

/** No id of an agent: a character of private use. */
export const OTHER = "\uE000other";
const EMPTY: Field = { options: [], isOther: false, text: "", notes: "" };

/** Defaults are chosen beforehand. */
export function firstDraft(questions: readonly AskQuestion[]): Draft {
  return Object.fromEntries(questions.map((question) => [question.question_id, firstField(question)]));
}

function firstField(question: AskQuestion): Field {
  if (typeof question.default === "boolean") return { ...EMPTY, options: [String(question.default)] };
  if (typeof question.default === "string") return { ...EMPTY, text: question.default };
  const chosen = question.options.filter((option) => option.default).map((option) => option.id);
  return { ...EMPTY, options: question.type === "multiple_choice" ? chosen.slice(0, 1) : chosen };
}

export function fieldOf(draft: Draft, question: AskQuestion): Field {
  const { question_id } = question;
  return (Object.hasOwn(draft, question_id) && draft[question_id]) || firstField(question);
}

/** What can be chosen, in the order of its numbers: 1, 2, 3 …, Other last. */
export function choicesOf(question: AskQuestion): string[] {
  if (question.type === "boolean") return ["true", "false"];
  const ids = question.options.map((option) => option.id);
  return question.allow_other && question.type !== "text" ? [...ids, OTHER] : ids;
}

/** One choice pressed: several may be chosen in a checkbox question, one in the others. */
export function choose(draft: Draft, question: AskQuestion, choice: string): Draft {
  const field = fieldOf(draft, question);
  const isMany = question.type === "checkbox";
  if (choice === OTHER) {
    const isOther = isMany ? !field.isOther : true;
    return put(draft, question, { ...field, isOther, ...(!isMany && { options: [] }) });
  }
  const isChosen = field.options.includes(choice);
  const options = isMany ? toggled(question, field.options, choice) : [choice];
  if (!isMany && isChosen && !field.isOther) return draft;
  return put(draft, question, { ...field, options, ...(!isMany && { isOther: false }) });
}

function toggled(question: AskQuestion, chosen: readonly string[], choice: string): string[] {
  const next = chosen.includes(choice) ? chosen.filter((id) => id !== choice) : [...chosen, choice];
  return question.options.map((option) => option.id).filter((id) => next.includes(id));
}

/** Typing in Other chooses it. */
export function write(draft: Draft, question: AskQuestion, text: string): Draft {
  const field = fieldOf(draft, question);
  if (question.type === "text") return put(draft, question, { ...field, text });
  const options = question.type === "checkbox" ? field.options : [];
  return put(draft, question, { ...field, text, isOther: true, options });
}

export function note(draft: Draft, question: AskQuestion, notes: string): Draft {
  return put(draft, question, { ...fieldOf(draft, question), notes });
}

export function clear(draft: Draft, question: AskQuestion): Draft {
  return put(draft, question, { ...fieldOf(draft, question), options: [], isOther: false });
}

function put(draft: Draft, question: AskQuestion, field: Field): Draft {
  return { ...draft, [question.question_id]: field };
}

export function isGiven(draft: Draft, question: AskQuestion): boolean {
  const field = fieldOf(draft, question);
  if (question.type === "text") return field.text.trim() !== "";
  return field.options.length > 0 || (field.isOther && field.text.trim() !== "");
}

/** Questions that wait for an answer of this person: those on the first level, and what the choices so far bring up. */
export function reachable(questions: readonly AskQuestion[], draft: Draft): AskQuestion[] {
  const reached = new Set<string>();
  for (const question of questions)
    if (isReached(question, reached, questions, draft)) reached.add(question.question_id);
  return questions.filter((question) => reached.has(question.question_id) && question.answer === null);
}

function isReached(
  question: AskQuestion,
  reached: ReadonlySet<string>,
  questions: readonly AskQuestion[],
  draft: Draft,
): boolean {
  const { parent } = question;
  if (!parent) return true;
  if (!reached.has(parent.question_id)) return false;
  const asked = questions.find(({ question_id }) => question_id === parent.question_id);
  if (!asked) return false;
  const chosen = asked.answer ? asked.answer.option_ids : fieldOf(draft, asked).options;
  return chosen.includes(parent.option_id);
}

export function missing(questions: readonly AskQuestion[], draft: Draft): AskQuestion[] {
  return reachable(questions, draft).filter((question) => question.required && !isGiven(draft, question));
}

/** What is sent: the answers to what is reachable, and nothing of what is hidden. */
export function answersOf(questions: readonly AskQuestion[], draft: Draft): Record<string, AnswerInput> {
  const given = reachable(questions, draft).filter((question) => isGiven(draft, question));
  return Object.fromEntries(
    given.map((question) => [question.question_id, answerOf(question, fieldOf(draft, question))]),
  );
}

function answerOf(question: AskQuestion, { options, isOther, text, notes }: Field): AnswerInput {
  const beside = notes.trim() ? { notes } : {};
  if (question.type === "text") return { answer: text, ...beside };
  if (question.type === "boolean") return { answer: options[0] === "true", ...beside };
  const other = isOther && text.trim() ? { other: text } : {};
  if (question.type === "checkbox") return { answer: options, ...other, ...beside };
  return options[0] === undefined ? { ...other, ...beside } : { answer: options[0], ...beside };
}

/** Whether there is anything of the person's own in it. */
export function isTouched(questions: readonly AskQuestion[], draft: Draft): boolean {
  return questions.some((question) => {
    const [now, first] = [fieldOf(draft, question), firstField(question)];
    return (
      now.text !== first.text || now.notes !== "" || now.isOther || now.options.join("\n") !== first.options.join("\n")
    );
  });
}

/** Whether the record holds what was put down: then it was sent, or somebody thought the same. */
export function isRecorded(questions: readonly AskQuestion[], draft: Draft): boolean {
  const open = questions.map((question) => ({ ...question, answer: null }));
  const given = reachable(open, draft).filter((question) => isGiven(draft, question));
  return given.every((asked) => {
    const answer = questions.find(({ question_id }) => question_id === asked.question_id)?.answer;
    const { options, isOther, text, notes } = fieldOf(draft, asked);
    if (!answer || options.join("\n") !== answer.option_ids.join("\n")) return false;
    return same(asked.type === "text" || isOther ? text : "", answer.text) && same(notes, answer.notes);
  });
}

function same(written: string, kept: string | null): boolean {
  return written.normalize("NFC").trim() === (kept ?? "").trim();
}
