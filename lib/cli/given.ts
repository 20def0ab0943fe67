import type { Question } from "../protocol/question.ts";

/** What a person gave: options in their order, other text, or a text or a yes of their own. Nothing at all: skipped. */
export type Given = { chosen: string[]; text: string | null; yes: boolean | null };

export const NOTHING: Given = { chosen: [], text: null, yes: null };

/** How one question is put to the person at this terminal. */
export type Asker = {
  ask: (question: Question, heading: string) => Promise<Given>;
  close: () => void;
};

/** The person wants out, or can give no answer any more. */
export class Left extends Error {}
