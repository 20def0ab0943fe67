"use client";

import { reveal } from "../../lib/domain/views/reveal.ts";
import { Coloured, useHighlighted } from "./code-block.tsx";
import { VisibleText } from "./visible-text.tsx";

/** The text of a file with its line numbers, highlighted by the ending of its name. */
export function NumberedCode({ text, path, first }: { text: string; path: string; first: number }) {
  const lines = text.split("\n");
  // Colours would hide what VisibleText makes visible.
  const isPlain = reveal(text).every(({ kind }) => kind === "plain");
  const coloured = useHighlighted(text, isPlain ? (/\.([\w+-]+)$/.exec(path)?.[1] ?? "") : "");
  return (
    <pre tabIndex={0} className="flex max-h-80 overflow-auto border-t border-line py-2 font-mono text-xs leading-5">
      <span aria-hidden className="shrink-0 px-3 text-right text-subtle tabular-nums select-none">
        {lines.map((_, index) => `${first + index}\n`).join("")}
      </span>
      <code className="pr-3">{coloured ? <Coloured lines={coloured} /> : <VisibleText>{text}</VisibleText>}</code>
    </pre>
  );
}
