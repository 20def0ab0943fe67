import type { PickedAnswer } from "../../domain/question-types.ts";
import type { Question } from "../../protocol/question.ts";
import type { Choice } from "./prompts/choice.ts";

export const NO_ANSWER: PickedAnswer = { option_ids: [], text: null };

/** What a person does at a question: answers it, returns to the one before, or replies in words to all of them. */
export type Step = PickedAnswer | "back" | "reply";

export type AskSettings = {
  /** Shown above the question. */
  heading: string;
  /** Takes the question off the screen, if it is asked with keys. */
  signal?: AbortSignal;
  /** What the person picked before, if they return to the question. */
  before?: PickedAnswer | undefined;
  /** Where else the person may go from here. */
  ways?: Array<"back" | "reply">;
};

export type PickSettings = {
  /** Whether typing filters the choices. */
  filters?: boolean;
  /** The header of a list that can be filtered, if its labels are aligned columns. */
  columns?: string;
  signal?: AbortSignal;
};

/** Asks the person at this terminal. */
export type Asker = {
  ask: (question: Question, settings: AskSettings) => Promise<Step>;
  /** Resolves with the value of the choice. */
  pick: (message: string, choices: Choice[], settings?: PickSettings) => Promise<string>;
  /** A text in the person's own words. Undefined if they change their mind. */
  write: (message: string, signal?: AbortSignal) => Promise<string | undefined>;
  /** Calls `heard` with each key that is pressed until the returned function is called. Nothing without a keyboard. */
  onKey: (heard: (key: string) => void) => () => void;
  close: () => void;
};

/** The person quit, or the input ended. */
export class PromptAbandoned extends Error {}
