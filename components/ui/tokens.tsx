import type { CSSProperties } from "react";
import type { Line } from "./highlight.ts";

type Colours = CSSProperties & Record<"--light" | "--dark", string | undefined>;

/** A highlighted line, in the colours of both themes. */
export function Tokens({ line }: { line: Line }) {
  return line.map((token, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of finished code have no other key and never move.
    <span key={column} data-token style={coloursOf(token)}>
      {token.text}
    </span>
  ));
}

function coloursOf({ light, dark }: Line[number]): Colours {
  return { "--light": light, "--dark": dark };
}
