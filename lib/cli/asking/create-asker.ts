import { walkTree } from "../../domain/follow-ups.ts";
import type { PickedAnswer } from "../../domain/question-types.ts";
import type { Question } from "../../protocol/question.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Asker } from "./asker.ts";

/** With keys if a person sits there; otherwise a numbered list, and one line of input per answer. */
export async function createAsker(terminal: Terminal): Promise<Asker> {
  if (!terminal.interactive) return (await import("./line-asker.ts")).createLineAsker(terminal);
  return (await import("./key-asker.ts")).createKeyAsker(terminal);
}

/** Asks every question that is reached, parents first. `earlier`: the options chosen in questions already answered. */
export async function askTree<Asked extends Question>(
  questions: readonly Asked[],
  ask: (question: Asked) => Promise<PickedAnswer>,
  earlier: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Map<string, PickedAnswer>> {
  const picked = new Map<string, PickedAnswer>();
  const chosenIn = ({ question_id }: Asked) => earlier.get(question_id) ?? picked.get(question_id)?.option_ids ?? [];
  for (const { question, isReached } of walkTree(questions, chosenIn)) {
    if (isReached && !earlier.has(question.question_id)) picked.set(question.question_id, await ask(question));
  }
  return picked;
}
