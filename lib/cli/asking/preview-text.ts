import { visibleText } from "../terminal/visible-text.ts";

const FENCE = /^\s*(```|~~~)\s*\S*\s*$/;

/** A preview as a terminal shows it: the code, without the marks around it. */
export function previewText(preview: string): string {
  return visibleText(preview)
    .split("\n")
    .filter((line) => !FENCE.test(line))
    .join("\n");
}
