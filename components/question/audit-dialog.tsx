"use client";

import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { AuditPage } from "../../lib/protocol/audit.ts";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { ExactMoment } from "../ui/clock.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { Who } from "./who.tsx";

/** The audit trail of a question, and whether the record is unchanged. */
export function AuditDialog({ ask, onClose }: { ask: AskView; onClose: () => void }) {
  const t = useTranslations("audit");
  const [page, setPage] = useState<AuditPage>();
  const [error, setError] = useState<string>();
  const { session_id } = ask;
  const question_id = ask.questions[0]?.question_id;
  const [checking, setChecking] = useState(false);
  useEffect(() => {
    api.call("audit", { query: { session_id, question_id } }).then(setPage, (reason) => setError(errorText(reason)));
  }, [session_id, question_id]);
  const checkWhole = async () => {
    setChecking(true);
    try {
      setPage(await api.call("audit", { query: { session_id, question_id, whole: "true" } }));
      setError(undefined);
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setChecking(false);
    }
  };
  return (
    <Dialog title={t("title")} onClose={onClose}>
      {error && <p role="alert">{t("failed", { reason: error })}</p>}
      {!page && !error && <p role="status">{t("loading")}</p>}
      {page && (
        <>
          <Verdict chain={page.chain} />
          {!page.chain.whole && (
            <p className="mb-4">
              <Button onClick={checkWhole} isBusy={checking}>
                {t(checking ? "checking" : "checkWhole")}
              </Button>
            </p>
          )}
          <ol className="space-y-3">
            {page.events.map((event) => (
              <li key={event.number} className="border-l-2 border-line pl-3 text-sm">
                <p>
                  <ExactMoment at={event.at} /> · <strong>{t(`actions.${event.action.replace(".", "_")}`)}</strong> ·{" "}
                  <Who by={event.actor} />
                </p>
                {event.after !== null && (
                  <details className="text-xs text-muted">
                    <summary className="py-1">{t("details")}</summary>
                    <pre tabIndex={0} className="max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-ink">
                      <VisibleText>{JSON.stringify({ before: event.before, after: event.after }, null, 2)}</VisibleText>
                    </pre>
                  </details>
                )}
              </li>
            ))}
          </ol>
          <p className="mt-4 text-xs text-muted">{t("beyond")}</p>
        </>
      )}
    </Dialog>
  );
}

/** What was verified, and whether it is unchanged. Claims no more than the reply does. */
function Verdict({ chain }: { chain: AuditPage["chain"] }) {
  const t = useTranslations("audit");
  const { intact, whole, sealed, events, broken_at } = chain;
  return (
    <p role="status" className={`mb-4 flex items-center gap-2 text-sm ${intact ? "text-good" : "text-danger"}`}>
      {intact ? <ShieldCheck size={18} aria-hidden /> : <ShieldAlert size={18} aria-hidden />}
      {intact ? t(whole ? "intactWhole" : "intact", { sealed, events }) : t("broken", { number: broken_at ?? 0 })}
    </p>
  );
}
