"use client";

import { useState } from "react";
import { reveal } from "../../lib/domain/views/reveal.ts";
import { diffKinds, isDiff } from "./diff.ts";
import type { Line } from "./highlight.ts";
import { ShowAll } from "./show-all.tsx";
import { Tokens } from "./tokens.tsx";
import { useHighlighted } from "./use-highlighted.ts";
import { VisibleText } from "./visible-text.tsx";

/** Longer texts are cut to this many lines until the person opens them. */
const LINES = 12;

const COLOURS = { header: "text-subtle", added: "bg-good-fill", removed: "bg-danger-fill", same: "" } as const;

type Props = {
  text: string;
  language: string;
  /** The number of the first line. Without it, lines are not numbered. */
  first?: number | undefined;
};

/**
 * Code that someone approves: coloured, and open. Long lines wrap, because what scrolls out of sight would be approved
 * unseen.
 */
export function CodeLines({ text, language, first }: Props) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.replace(/\n$/, "").split("\n");
  const isPatch = isDiff(lines, language);
  const kinds = isPatch ? diffKinds(lines) : undefined;
  const coloured = useHighlighted(text, isPatch ? "" : language);
  const shown = isOpen ? lines : lines.slice(0, LINES);
  return (
    <>
      <pre className="py-2 font-mono text-xs leading-5">
        <code className="block">
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other key and never move.
            <span key={index} data-line={kinds?.[index]} className={`flex ${COLOURS[kinds?.[index] ?? "same"]}`}>
              {first !== undefined && !isPatch && (
                <span aria-hidden className="w-12 shrink-0 pr-3 text-right text-subtle tabular-nums select-none">
                  {first + index}
                </span>
              )}
              <span
                className={`min-w-0 flex-1 pr-3 whitespace-pre-wrap ${first === undefined || isPatch ? "pl-3" : ""}`}
              >
                <CodeLine line={line} coloured={coloured?.[index]} />
              </span>
            </span>
          ))}
        </code>
      </pre>
      {lines.length > LINES && (
        <ShowAll isOpen={isOpen} lines={lines.length} onToggle={() => setOpen(!isOpen)} className="mb-1 ml-1" />
      )}
    </>
  );
}

/** Colours would hide what VisibleText makes visible. An empty line keeps its height. */
function CodeLine({ line, coloured }: { line: string; coloured: Line | undefined }) {
  if (line === "") return "\u00A0";
  if (coloured && reveal(line).every(({ kind }) => kind === "plain")) return <Tokens line={coloured} />;
  return <VisibleText>{line}</VisibleText>;
}
