import { stripControls } from "../../domain/clean-text.ts";

/** Quotes one word of a command that a person may copy. Agents chose parts of the text, so it must not run anything. */
export function shellWord(text: string): string {
  const plain = stripControls(text);
  return /^[\w./:@#+-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}
