"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { type CSSProperties, isValidElement, type ReactNode, useEffect, useState } from "react";
import { iconButtonClass } from "./button.tsx";
import type { Line } from "./highlight.ts";

/** The lines of a text, highlighted once its language has loaded. */
export function useHighlighted(text: string, language: string): Line[] | undefined {
  const [found, setFound] = useState<{ text: string; lines: Line[] }>();
  useEffect(() => {
    let isCurrent = true;
    if (language) {
      import("./highlight.ts")
        .then(({ highlight }) => highlight(text, language))
        .then(
          (lines) => isCurrent && lines && lines.length > 0 && setFound({ text, lines }),
          () => {},
        );
    }
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  return found?.text === text ? found.lines : undefined;
}

/** A code block that can be copied. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const t = useTranslations("thread");
  const { text, language } = read(children);
  const lines = useHighlighted(text, language);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="code-block overflow-hidden rounded-md border border-line bg-raised">
      <div className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3 text-xs text-subtle pointer-coarse:h-11">
        <span>{language || t("code")}</span>
        <button
          type="button"
          className={iconButtonClass({ size: "sm" })}
          onClick={copy}
          aria-label={t(isCopied ? "copied" : "copy")}
        >
          {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        </button>
      </div>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-5">
        <code>{lines ? <Coloured lines={lines} /> : text}</code>
      </pre>
    </div>
  );
}

/** Highlighted lines, in the colours of both themes. */
export function Coloured({ lines }: { lines: Line[] }) {
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
