import type { Question } from "../../protocol/question.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Asker, Given } from "./prompt-result.ts";

/** With keys where somebody sits; elsewhere a numbered list, and one line for each answer. */
export async function createAsker(terminal: Terminal): Promise<Asker> {
  if (!terminal.interactive) return (await import("./line-asker.ts")).createLineAsker(terminal);
  return (await import("./key-asker.ts")).createKeyAsker(terminal);
}

/** Every question that is reached, parents first, so that an answer brings up its follow-ups at once. */
export async function askTree<Asked extends Question>(
  questions: readonly Asked[],
  ask: (question: Asked) => Promise<Given>,
  earlier: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Map<string, Given>> {
  const given = new Map<string, Given>();
  const chosen = new Map(earlier);
  for (const question of questions) {
    if (chosen.has(question.question_id)) continue;
    const { parent } = question;
    if (parent && !chosen.get(parent.question_id)?.includes(parent.option_id)) continue;
    const answer = await ask(question);
    given.set(question.question_id, answer);
    chosen.set(question.question_id, answer.yes === null ? answer.chosen : [String(answer.yes)]);
  }
  return given;
}
