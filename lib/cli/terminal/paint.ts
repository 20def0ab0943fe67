import type { WriteStream } from "node:tty";
import { styleText } from "node:util";

export type Format = Parameters<typeof styleText>[0];
/** Colours a text. */
export type Paint = (format: Format, text: string) => string;

/** The colours of a stream; none if it is not a terminal, or if NO_COLOR is set. */
export function paintFor(stream: WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream });
}
