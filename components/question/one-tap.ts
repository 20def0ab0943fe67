import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { type Draft, fieldOf } from "./draft.ts";

/**
 * Whether one tap on an option is the whole answer: the card asks for one choice and nothing else, no option has a preview
 * that people tap to see, there is no note to finish, and what the agent does can be undone.
 */
export function isOneTap(ask: Pick<AskView, "questions" | "irreversible">, draft: Draft): boolean {
  const [only, ...others] = ask.questions;
  if (!only || others.length > 0 || only.answer || ask.irreversible) return false;
  const { choices, isMany } = QUESTION_TYPES[only.type];
  if (isMany || choices(only).length === 0 || only.options.some(({ preview }) => preview)) return false;
  return fieldOf(draft, only).notes === "";
}
