import type { Question } from "../../protocol/question.ts";
import type { Choice } from "./prompts/choice.ts";

/** What a person gave: options in their order, other text, or a text or a yes of their own. Nothing at all: skipped. */
export type Given = { chosen: string[]; text: string | null; yes: boolean | null };

export const NOTHING: Given = { chosen: [], text: null, yes: null };

/** How questions are put to the person at this terminal. */
export type Asker = {
  /** `signal` takes the question off the screen, where it is asked with keys. */
  ask: (question: Question, heading: string, signal?: AbortSignal) => Promise<Given>;
  /** Resolves with the value of the choice. */
  pick: (message: string, choices: Choice[]) => Promise<string>;
  close: () => void;
};

/** The person wants out, or can give no answer any more. */
export class Left extends Error {}
