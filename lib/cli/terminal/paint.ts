import type { WriteStream } from "node:tty";
import { styleText } from "node:util";

type One = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;
export type Format = One | readonly One[];
/** Colours a text. */
export type Paint = (format: Format, text: string) => string;

/**
 * The colours of a stream; none if it is not a terminal, or if NO_COLOR is set. Formats are applied one at a time: given a
 * list, Node 20 colours the text whatever the stream is.
 */
export function paintFor(stream: WriteStream): Paint {
  return (format, text) =>
    [format].flat().reduce((painted: string, one) => styleText(one as One, painted, { stream }), text);
}
