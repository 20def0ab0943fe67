/** What no text may hold: control characters except tab and newline, and the marks that reorder text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Text as it is stored: unsafe characters removed, Unicode in its composed form; otherwise as it came. */
export function cleanText(text: string): string {
  return isPlain(text) ? text : stripControls(text.toWellFormed()).normalize("NFC");
}

/** Whether `cleanText` would leave the text as it is. False negatives are possible and only cost time. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Removes the characters that could move a terminal's cursor or hide what a text says. Safe on a piece of a text. */
export function stripControls(text: string): string {
  return text.replace(UNSAFE, "");
}
