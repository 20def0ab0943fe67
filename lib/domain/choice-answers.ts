import { lengthProblem } from "../protocol/characters.ts";
import type { Option, Question } from "../protocol/question.ts";
import { choicesIn } from "./shapes/claude-choices.ts";
import type { Dialect, SubmittedAnswer } from "./submitted-answer.ts";

/** The options that an answer chooses, and the text given as Other. */
type Choice = { chosen: Option[]; text: string | null };

/** An imported text longer than all labels of a question together cannot be a list of them. */
const MAX_IMPORTED_LIST = 50_000;

/** What a submitted answer chooses, or why it is rejected. */
export function checkChoice(
  question: Question,
  submitted: SubmittedAnswer,
  dialect: Dialect,
  maxLength: number,
): Choice | string {
  const { bare } = submitted;
  if (bare !== undefined && bare !== null && submitted.choices === null) return "expected an option";
  const choices = dialect.indexed && typeof bare === "string" ? splitIndexes(bare) : (submitted.choices ?? []);
  const length = choices.reduce(
    (sum, choice) => sum + (typeof choice === "string" && !choice.startsWith("other:") ? choice.length : 0),
    0,
  );
  if (length > maxLength) return `the choice must have at most ${maxLength} characters`;

  const others = submitted.other?.trim() ? [submitted.other] : [];
  const chosen = new Set<Option>();
  for (const choice of choices) {
    if (typeof choice !== "string") {
      others.push(choice.other);
      continue;
    }
    const option = findOption(question, choice, dialect);
    if (option) chosen.add(option);
    else if (choice.startsWith("other:")) others.push(choice.slice("other:".length).trim());
    else return unknownChoice(question, choice);
  }
  const problem = otherProblem(question, others, dialect);
  if (problem !== undefined) return problem;
  return { chosen: question.options.filter((option) => chosen.has(option)), text: others[0] ?? null };
}

/** Most callers that are refused sent what the person reads. */
function unknownChoice({ options }: Question, choice: string): string {
  const shown = JSON.stringify(choice.slice(0, 80));
  const named = options.find(({ label }) => label.toLowerCase() === choice.trim().toLowerCase());
  if (!named) return `${shown} is not one of the options`;
  return `${shown} is the label of option ${JSON.stringify(named.id)}: send its id`;
}

function otherProblem(question: Question, others: string[], { textMax }: Dialect): string | undefined {
  const [other] = others;
  if (other === undefined) return undefined;
  if (!question.allow_other) return "Other is not offered here";
  if (others.length > 1) return "only one other text can be given";
  if (other.trim() === "") return "the other text is empty";
  const problem = lengthProblem(other, textMax);
  return problem && `the text ${problem}`;
}

function findOption({ options }: Question, choice: string, { indexed, takesLabels }: Dialect): Option | undefined {
  if (indexed && /^\d{1,3}$/.test(choice)) return options[Number(choice) - 1];
  const byId = options.find((option) => option.id === choice);
  if (byId || !takesLabels) return byId;
  return options.find((option) => option.label === choice);
}

function splitIndexes(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.every((part) => /^\d{1,3}$/.test(part)) ? parts : [text];
}

/** Reads another program's recorded answer, by id or by label. Values that name no option are kept as text. */
export function importedChoice(question: Question, value: unknown, isMany: boolean): Choice {
  const text = typeof value === "string" ? value : "";
  const labels = question.options.map(({ label }) => label);
  const read = choicesIn(text, labels, isMany && text.length <= MAX_IMPORTED_LIST);
  const names = typeof value === "string" ? [value, ...read.chosen] : importedParts(value);
  const chosen = question.options.filter((option) => names.includes(option.id) || names.includes(option.label));
  if (chosen.length === 0) return { chosen, text: read.other || importedText(value) };
  const rest = (typeof value === "string" ? [read.other] : names).filter(
    (name) => name !== "" && !question.options.some(({ id, label }) => id === name || label === name),
  );
  return { chosen, text: rest.length > 0 ? rest.join(", ") : null };
}

/** A recorded answer in words. */
export function importedText(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = importedParts(value).filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : JSON.stringify(value);
}

function importedParts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
}
