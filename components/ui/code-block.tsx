"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { isValidElement, type ReactNode, useContext, useState } from "react";
import { iconButtonClass } from "./button.tsx";
import { CodeLines } from "./code-lines.tsx";
import { isDiff } from "./diff.ts";
import { IsApproved } from "./is-approved.ts";
import { Tokens } from "./tokens.tsx";
import { useHighlighted } from "./use-highlighted.ts";

/** A code block that can be copied. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const t = useTranslations("thread");
  const { text, language } = read(children);
  const isApproved = useContext(IsApproved);
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
      {isApproved || isDiff(text.split("\n"), language) ? (
        <CodeLines text={text} language={language} />
      ) : (
        <Code text={text} language={language} />
      )}
    </div>
  );
}

function Code({ text, language }: { text: string; language: string }) {
  const lines = useHighlighted(text, language);
  return (
    <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-5">
      <code>
        {lines
          ? lines.map((line, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of finished code have no other key and never move.
              <span key={row}>
                <Tokens line={line} />
                {row < lines.length - 1 && "\n"}
              </span>
            ))
          : text}
      </code>
    </pre>
  );
}

function read(children: ReactNode): { text: string; language: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children))
    return { text: String(children ?? ""), language: "" };
  const { className = "", children: inner } = children.props;
  return { text: String(inner ?? "").replace(/\n$/, ""), language: /language-([\w+-]+)/.exec(className)?.[1] ?? "" };
}
