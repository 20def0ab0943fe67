import type { AnswerInput } from "../protocol/answer.ts";

/** An answer as it was submitted, with its forms reduced to one. */
export type SubmittedAnswer = {
  /** The parts of a list, or the one value as text; null if it can name no option. */
  choices: Array<string | { other: string }> | null;
  /** The value as it came. */
  bare: unknown;
  other: string | null;
  notes: string | null;
};

/** How answers to an ask may be written. */
export type Dialect = {
  /** Labels name options only where the agent could not give them ids. */
  takesLabels: boolean;
  /** The index form: "1" is the first option as printed on its button, "1,3" several. */
  indexed: boolean;
  textMax: number;
};

const ANSWER_FIELDS = ["answer", "other", "notes"];

export function readSubmitted(input: AnswerInput | undefined): SubmittedAnswer {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    const inner = readSubmitted(input.answer);
    return { ...inner, other: input.other ?? inner.other, notes: input.notes ?? null };
  }
  return { choices: partsOf(input), bare: input, other: null, notes: null };
}

function partsOf(input: Exclude<AnswerInput, { other?: unknown }> | undefined): SubmittedAnswer["choices"] {
  if (Array.isArray(input)) return input;
  return typeof input === "string" || typeof input === "number" ? [String(input)] : null;
}

/** A field that no answer has. It is rejected by name, so that no part of an answer is dropped silently. */
export function unknownField(input: AnswerInput | undefined): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  if (!Array.isArray(input))
    return Object.keys(input).find((key) => !ANSWER_FIELDS.includes(key)) ?? unknownField(input.answer);
  return input
    .flatMap((choice) => (typeof choice === "string" ? [] : Object.keys(choice)))
    .find((key) => key !== "other");
}

export function isEmpty({ choices, bare, other }: SubmittedAnswer): boolean {
  if (other?.trim()) return false;
  if (bare === undefined || bare === null) return true;
  return (choices ?? [bare]).every((choice) => typeof choice === "string" && choice.trim() === "");
}
