import { fenceOpenedBy, isFenceClosedBy } from "./markdown-fence.ts";

const LEAST = 2_000;
/** A line that cannot continue the block above the preceding blank line. */
const BEGINNING = /^[^\s>|\-+*\d[]/;

/**
 * Splits a text that grows at its end into parts that never change again: each ends at a blank line, outside code, before
 * a line that starts a new block. Joined, they are the original text.
 */
export function splitMarkdown(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    if (fence === undefined && isAfterBlank && at - from >= LEAST && BEGINNING.test(line)) {
      parts.push(text.slice(from, at));
      from = at;
    }
    if (fence === undefined) fence = fenceOpenedBy(line);
    else if (isFenceClosedBy(fence, line)) fence = undefined;
    isAfterBlank = line.trim() === "";
    at += line.length + 1;
  }
  parts.push(text.slice(from));
  return parts;
}
