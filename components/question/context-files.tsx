"use client";

import { FileText } from "lucide-react";
import { useTranslations } from "next-intl";
import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { CodeLines } from "../ui/code-lines.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

type ContextFile = { path: string; lines?: string | number; text?: string };

type Props = {
  ask: AskView;
  /** How many of them are open at first. */
  open: number;
};

/** What the question is about: a command, a patch, files. A file without its text is only named. */
export function ContextFiles({ ask, open }: Props) {
  const t = useTranslations("card");
  const { context } = ask.input;
  const files = Array.isArray(context) ? context.filter(isContextFile) : [];
  if (files.length === 0) return null;
  return (
    <section aria-label={t("context")} className="overflow-hidden rounded-md border border-line">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one file can be named twice, and they never move.
        <ContextFileEntry key={index} file={file} isOpen={index < open} />
      ))}
    </section>
  );
}

function ContextFileEntry({ file, isOpen }: { file: ContextFile; isOpen: boolean }) {
  const t = useTranslations("card");
  const name = (
    <>
      <FileText size={14} className="shrink-0 text-subtle" aria-hidden />
      <span className="min-w-0 truncate font-mono">
        <VisibleText>{file.path}</VisibleText>
        {file.lines !== undefined && (
          <span className="text-subtle">
            :<VisibleText>{String(file.lines)}</VisibleText>
          </span>
        )}
      </span>
    </>
  );
  const row = "flex min-h-8 items-center gap-2 px-3 text-xs pointer-coarse:min-h-11";
  if (!file.text) return <p className={`${row} not-first:border-t border-line`}>{name}</p>;
  const first = /^\D*(\d{1,7})/.exec(String(file.lines ?? ""))?.[1];
  return (
    <details className="not-first:border-t border-line" open={isOpen}>
      <summary className={`${row} list-none border-line bg-raised hover:bg-hover [details[open]>&]:border-b`}>
        {name}
        <span className="ml-auto shrink-0 text-subtle">{t("lines", { count: file.text.split("\n").length })}</span>
      </summary>
      <CodeLines
        text={file.text}
        language={languageOf(file.path)}
        first={first === undefined ? undefined : Number(first)}
      />
    </details>
  );
}

/** By the ending of its name. A command is often named after its shell alone. */
function languageOf(path: string): string {
  return /(?:^|\.)([\w+-]+)$/.exec(path)?.[1] ?? "";
}

function isContextFile(value: unknown): value is ContextFile {
  if (!isJsonObject(value) || typeof value.path !== "string") return false;
  return (
    ["undefined", "string", "number"].includes(typeof value.lines) &&
    ["undefined", "string"].includes(typeof value.text)
  );
}
