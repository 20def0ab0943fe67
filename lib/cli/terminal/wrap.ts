import type { WriteStream } from "node:tty";
import { wrapTextWithPrefix } from "@clack/core";

/** A text with lines that fit the screen, broken between words. In a pipe it stays as it is. */
export function wrapped(text: string, stream: WriteStream, indent = ""): string {
  return stream.isTTY ? wrapTextWithPrefix(stream, text, indent) : text.replaceAll(/^/gm, indent);
}
