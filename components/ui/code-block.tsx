"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { type CSSProperties, isValidElement, type ReactNode, useEffect, useState } from "react";
import type { Line } from "./highlight.ts";

/** A code block, highlighted once its language has loaded. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const t = useTranslations("thread");
  const { text, language } = read(children);
  const [lines, setLines] = useState<Line[]>();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    if (language) {
      import("./highlight.ts")
        .then(({ highlight }) => highlight(text, language))
        .then(
          (found) => isCurrent && setLines(found),
          () => {},
        );
    }
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line px-3 text-xs text-muted">
        <span>{language || t("code")}</span>
        <button type="button" className="button-plain" onClick={copy} aria-label={t("copy")}>
          {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        </button>
      </div>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-sm">
        <code>{lines && lines.length > 0 ? <Coloured lines={lines} /> : text}</code>
      </pre>
    </div>
  );
}

function Coloured({ lines }: { lines: Line[] }) {
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of finished code have no other key and never move.
    <span key={row}>
      {line.map((token, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <span key={column} data-token style={coloursOf(token)}>
          {token.text}
        </span>
      ))}
      {row < lines.length - 1 && "\n"}
    </span>
  ));
}

type Colours = CSSProperties & Record<"--light" | "--dark", string | undefined>;

function coloursOf({ light, dark }: Line[number]): Colours {
  return { "--light": light, "--dark": dark };
}

function read(children: ReactNode): { text: string; language: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children))
    return { text: String(children ?? ""), language: "" };
  const { className = "", children: inner } = children.props;
  return { text: String(inner ?? "").replace(/\n$/, ""), language: /language-([\w+-]+)/.exec(className)?.[1] ?? "" };
}
