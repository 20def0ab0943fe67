import { atDeadlineOf } from "../../lib/domain/deadline.ts";
import { walkTree } from "../../lib/domain/follow-ups.ts";
import { isJsonObject } from "../../lib/domain/json.ts";
import { type PickedAnswer, QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { AnswerInput } from "../../lib/protocol/answer.ts";
import type { AskView } from "../../lib/protocol/ask.ts";

export type AskQuestion = AskView["questions"][number];

/** What a person has entered for one question and not sent yet. */
export type Field = {
  /** Ids of the chosen options; `true` or `false` for a yes-or-no question. */
  options: string[];
  /** Whether Other is chosen. Its text is kept when it is not. */
  isOther: boolean;
  /** The written answer, or the text of Other. */
  text: string;
  notes: string;
};

export function isField(value: unknown): value is Field {
  if (!isJsonObject(value) || !Array.isArray(value.options)) return false;
  const { options, isOther, text, notes } = value;
  const isText = (each: unknown) => typeof each === "string";
  return options.every(isText) && typeof isOther === "boolean" && isText(text) && isText(notes);
}

/** By question id. A question that is hidden again keeps its field, which is then not sent. */
export type Draft = Readonly<Record<string, Field>>;

/** Starts with a character of private use, so that no option has this id. */
export const OTHER = "\uE000other";
const EMPTY: Field = { options: [], isOther: false, text: "", notes: "" };

/** Whether nobody answering means that the defaults become the answers. */
export function takesDefaults(ask: AskView): boolean {
  return ask.status === "pending" && ask.deadline_at !== null && atDeadlineOf(ask).outcome === "defaults";
}

/** The draft of a card that nobody has touched: the defaults. What cannot be undone is never chosen in advance. */
export function firstDraft(ask: AskView): Draft {
  if (ask.irreversible) return {};
  return Object.fromEntries(ask.questions.map((question) => [question.question_id, defaultField(question)]));
}

function defaultField(question: AskQuestion): Field {
  const content = QUESTION_TYPES[question.type].defaultContent(question);
  if (!content) return EMPTY;
  return { ...EMPTY, options: content.chosen.map(({ id }) => id), text: content.text ?? "" };
}

export function fieldOf(draft: Draft, question: AskQuestion): Field {
  const { question_id } = question;
  return (Object.hasOwn(draft, question_id) && draft[question_id]) || EMPTY;
}

/** What can be chosen, in the order of the printed numbers: 1, 2, 3 …, Other last. */
export function choicesOf(question: AskQuestion): string[] {
  const { choices, hasOptions } = QUESTION_TYPES[question.type];
  const ids = choices(question).map(({ id }) => id);
  return hasOptions && question.allow_other ? [...ids, OTHER] : ids;
}

/** The draft after one choice was pressed. It replaces the others unless the question takes several. */
export function choose(draft: Draft, question: AskQuestion, choice: string): Draft {
  const field = fieldOf(draft, question);
  const { isMany } = QUESTION_TYPES[question.type];
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

/** The draft after all of these options, or none of them, were chosen. */
export function chooseAll(draft: Draft, question: AskQuestion, choices: readonly string[], isOn: boolean): Draft {
  const field = fieldOf(draft, question);
  const isChosen = (id: string) => (choices.includes(id) ? isOn : field.options.includes(id));
  return put(draft, question, { ...field, options: question.options.map(({ id }) => id).filter(isChosen) });
}

/** The draft after text was typed. Typing into Other chooses it. */
export function write(draft: Draft, question: AskQuestion, text: string): Draft {
  const field = fieldOf(draft, question);
  const { isWritten, isMany } = QUESTION_TYPES[question.type];
  if (isWritten) return put(draft, question, { ...field, text });
  const options = isMany ? field.options : [];
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

/** The text that counts: not that of Other while an option is chosen instead. */
export function textOf(draft: Draft, question: AskQuestion): string {
  const { isOther, text } = fieldOf(draft, question);
  return isOther || QUESTION_TYPES[question.type].isWritten ? text : "";
}

function pickedIn(draft: Draft, question: AskQuestion): PickedAnswer {
  const text = textOf(draft, question);
  return { option_ids: fieldOf(draft, question).options, text: text.trim() === "" ? null : text };
}

export function isGiven(draft: Draft, question: AskQuestion): boolean {
  const { option_ids, text } = pickedIn(draft, question);
  return option_ids.length > 0 || text !== null;
}

/** The unanswered questions that this person can see: the first level, and what the choices so far open. */
export function reachable(questions: readonly AskQuestion[], draft: Draft): AskQuestion[] {
  const chosenIn = (question: AskQuestion) => question.answer?.option_ids ?? fieldOf(draft, question).options;
  return [...walkTree(questions, chosenIn)].flatMap(({ question, isReached }) =>
    isReached && question.answer === null ? [question] : [],
  );
}

export function missing(questions: readonly AskQuestion[], draft: Draft): AskQuestion[] {
  return reachable(questions, draft).filter((question) => question.required && !isGiven(draft, question));
}

/** The question that holds the note of the card: the one that has a note, or else the first one. */
export function noteQuestion(questions: readonly AskQuestion[], draft: Draft): AskQuestion | undefined {
  const open = reachable(questions, draft);
  return open.find((question) => fieldOf(draft, question).notes !== "") ?? open[0];
}

/** What is sent. The note of a question that is left empty goes with the first answer, so that it is not lost. */
function sent(questions: readonly AskQuestion[], draft: Draft): Array<{ question: AskQuestion; notes: string }> {
  const open = reachable(questions, draft);
  const notesOf = (question: AskQuestion) => fieldOf(draft, question).notes.trim();
  const stray = open.filter((question) => !isGiven(draft, question)).map(notesOf);
  return open
    .filter((question) => isGiven(draft, question))
    .map((question, index) => ({
      question,
      notes: [notesOf(question), ...(index === 0 ? stray : [])].filter(Boolean).join("\n"),
    }));
}

/** The answers to send. Hidden questions are left out. */
export function answersOf(questions: readonly AskQuestion[], draft: Draft): Record<string, AnswerInput> {
  return Object.fromEntries(
    sent(questions, draft).map(({ question, notes }) => {
      const answer = QUESTION_TYPES[question.type].submit(pickedIn(draft, question));
      return [question.question_id, { ...answer, ...(notes && { notes }) }];
    }),
  );
}

/** Whether the person changed anything. */
export function isTouched(ask: AskView, draft: Draft): boolean {
  const untouched = firstDraft(ask);
  return ask.questions.some((question) => {
    const [now, first] = [fieldOf(draft, question), fieldOf(untouched, question)];
    return (
      now.text !== first.text || now.notes !== "" || now.isOther || now.options.join("\n") !== first.options.join("\n")
    );
  });
}

/** Whether the record holds the same answers: the draft was sent, or someone else answered alike. */
export function isRecorded(questions: readonly AskQuestion[], draft: Draft): boolean {
  const open = questions.map((question) => ({ ...question, answer: null }));
  return sent(open, draft).every(({ question: asked, notes }) => {
    const answer = questions.find(({ question_id }) => question_id === asked.question_id)?.answer;
    const { options } = fieldOf(draft, asked);
    if (!answer || options.join("\n") !== answer.option_ids.join("\n")) return false;
    return isSame(textOf(draft, asked), answer.text) && isSame(notes, answer.notes);
  });
}

function isSame(written: string, recorded: string | null): boolean {
  return written.normalize("NFC").trim() === (recorded ?? "").trim();
}
