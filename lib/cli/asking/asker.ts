import type { PickedAnswer } from "../../domain/question-types.ts";
import type { Question } from "../../protocol/question.ts";
import type { Choice } from "./prompts/choice.ts";

export const NO_ANSWER: PickedAnswer = { option_ids: [], text: null };

/** Asks the person at this terminal. */
export type Asker = {
  /** `signal` takes the question off the screen, if it is asked with keys. */
  ask: (question: Question, heading: string, signal?: AbortSignal) => Promise<PickedAnswer>;
  /** Resolves with the value of the choice. */
  pick: (message: string, choices: Choice[]) => Promise<string>;
  close: () => void;
};

/** The person quit, or the input ended. */
export class PromptAbandoned extends Error {}
