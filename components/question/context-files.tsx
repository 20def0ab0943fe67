"use client";

import { FileText } from "lucide-react";
import { useTranslations } from "next-intl";
import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { NumberedCode } from "../ui/numbered-code.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

type ContextFile = { path: string; lines?: string | number; text?: string };

/** The files that the question refers to, folded. A file without its text is only named. */
export function ContextFiles({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  const { context } = ask.input;
  const files = Array.isArray(context) ? context.filter(isContextFile) : [];
  if (files.length === 0) return null;
  return (
    <section aria-label={t("context")} className="overflow-hidden rounded-md border border-line">
      {files.map((file) => (
        <ContextFileEntry key={`${file.path}:${file.lines}`} file={file} />
      ))}
    </section>
  );
}

function ContextFileEntry({ file }: { file: ContextFile }) {
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
  const first = Number(/^\D*(\d{1,7})/.exec(String(file.lines ?? ""))?.[1] ?? 1);
  return (
    <details className="not-first:border-t border-line">
      <summary className={`${row} list-none bg-raised hover:bg-hover`}>
        {name}
        <span className="ml-auto shrink-0 text-subtle">{t("lines", { count: file.text.split("\n").length })}</span>
      </summary>
      <NumberedCode text={file.text} path={file.path} first={first} />
    </details>
  );
}

function isContextFile(value: unknown): value is ContextFile {
  if (!isJsonObject(value) || typeof value.path !== "string") return false;
  return (
    ["undefined", "string", "number"].includes(typeof value.lines) &&
    ["undefined", "string"].includes(typeof value.text)
  );
}
