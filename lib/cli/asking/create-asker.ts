import type { Terminal } from "../terminal/terminal.ts";
import type { Asker } from "./asker.ts";

/** With keys if a person sits there; otherwise a numbered list, and one line of input per answer. */
export async function createAsker(terminal: Terminal): Promise<Asker> {
  if (!terminal.interactive) return (await import("./line-asker.ts")).createLineAsker(terminal);
  return (await import("./key-asker.ts")).createKeyAsker(terminal);
}
