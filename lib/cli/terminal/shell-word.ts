import { stripControls } from "../../domain/clean-text.ts";

/** One word of a command that a person may copy: an agent chose some of what stands in it. */
export function shellWord(text: string): string {
  const plain = stripControls(text);
  return /^[\w./:@#+-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}
