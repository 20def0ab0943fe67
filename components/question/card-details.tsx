"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { VisibleText } from "../ui/visible-text.tsx";

const AuditDialog = dynamic(async () => (await import("./audit-dialog.tsx")).AuditDialog);

type ContextFile = { path: string; lines?: string | number; text?: string };

/** The files that the question refers to. */
export function ContextFiles({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  const { context } = ask.input;
  const files = Array.isArray(context) ? context.filter(isContextFile) : [];
  if (files.length === 0) return null;
  return (
    <section aria-label={t("context")} className="space-y-2">
      {files.map((file) => (
        <details
          key={`${file.path}:${file.lines}`}
          open={files.length === 1}
          className="rounded-md border border-line bg-page"
        >
          <summary className="px-3 py-2 font-mono text-sm">
            <VisibleText>{`${file.path}${file.lines === undefined ? "" : `:${file.lines}`}`}</VisibleText>
          </summary>
          {file.text !== undefined && (
            <pre
              tabIndex={0}
              className="max-h-80 overflow-auto border-t border-line px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap"
            >
              <VisibleText>{file.text}</VisibleText>
            </pre>
          )}
        </details>
      ))}
    </section>
  );
}

function isContextFile(value: unknown): value is ContextFile {
  if (!isJsonObject(value) || typeof value.path !== "string") return false;
  return (
    ["undefined", "string", "number"].includes(typeof value.lines) &&
    ["undefined", "string"].includes(typeof value.text)
  );
}

/** The agent's original input with its hash, and the audit trail. */
export function CardDetails({ ask, conversationLink }: { ask: AskView; conversationLink: boolean }) {
  const t = useTranslations("card");
  const [isAuditOpen, setAuditOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-muted">
      <details className="min-w-0 max-w-full">
        <summary className="py-1.5">{t("raw")}</summary>
        <pre
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-md border border-line bg-page p-3 font-mono text-ink"
        >
          <VisibleText>{JSON.stringify(ask.input, null, 2)}</VisibleText>
        </pre>
        <p className="mt-1 font-mono break-all">
          {t("hash")} {ask.content_hash}
        </p>
      </details>
      <button type="button" className="py-1.5 hover:text-ink" onClick={() => setAuditOpen(true)}>
        {t("audit")}
      </button>
      {conversationLink && (
        <Link className="py-1.5 hover:text-ink" href={`/conversations/${ask.session_id}`}>
          {t("openThread")}
        </Link>
      )}
      {isAuditOpen && <AuditDialog ask={ask} onClose={() => setAuditOpen(false)} />}
    </div>
  );
}
