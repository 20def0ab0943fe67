import type { Terminal } from "../terminal/terminal.ts";
import { type Asker, PromptAbandoned } from "./asker.ts";
import type { Choice } from "./prompts/choice.ts";

/** With keys if a person sits there; otherwise a numbered list, and one line of input per answer. */
export async function createAsker(terminal: Terminal): Promise<Asker> {
  if (!terminal.interactive) return (await import("./line-asker.ts")).createLineAsker(terminal);
  return (await import("./key-asker.ts")).createKeyAsker(terminal);
}

/** Asks one question of the person at this terminal. Undefined if they leave it. */
export async function pickOnce(terminal: Terminal, message: string, choices: Choice[]): Promise<string | undefined> {
  const asker = await createAsker(terminal);
  try {
    return await asker.pick(message, choices);
  } catch (error) {
    if (error instanceof PromptAbandoned) return undefined;
    throw error;
  } finally {
    asker.close();
  }
}
