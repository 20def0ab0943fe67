import type { CheckedAnswer } from "../../protocol/answer.ts";

/** An answer as a person reads it. */
export function answerText({ labels, text, value }: CheckedAnswer): string {
  const parts = [...labels, ...(text === null ? [] : [text])];
  return parts.length > 0 ? parts.join(", ") : value === null ? "" : String(value);
}
