"use client";

import { Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Button } from "../ui/button.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { isRecorded } from "./draft.ts";
import { draftLines } from "./draft-text.ts";
import type { DraftHandle } from "./use-draft.ts";

/** What this person had entered when the question was settled. */
export function UnsentDraft({ ask, handle }: { ask: AskView; handle: DraftHandle }) {
  const t = useTranslations("card");
  const open = ask.questions.map((question) => ({ ...question, answer: null }));
  const reply = handle.reply.trim();
  const hasReply = reply !== "" && reply !== ask.result?.reply?.trim();
  const hasAnswers = handle.isTouched && !isRecorded(ask.questions, handle.draft);
  if (!hasReply && !hasAnswers) return null;
  const lines = hasAnswers ? draftLines(open, handle.draft, t) : [];
  const words = [
    ...lines.map(({ answer, notes }) => [answer, notes].filter(Boolean).join("\n")),
    ...(hasReply ? [reply] : []),
  ];
  return (
    <div role="status" className="mx-3 mb-3 rounded-md bg-warning-fill px-3 py-2 text-sm">
      <p className="font-medium">{t("unsent")}</p>
      <details>
        <summary className="w-fit py-1 text-muted hover:text-ink">{t("showDraft")}</summary>
        <dl className="space-y-1 pb-1">
          {lines.map(({ question, answer, notes }) => (
            <div key={question.question_id} dir="auto">
              <dt className="text-xs text-muted">
                <VisibleText>{question.text}</VisibleText>
              </dt>
              <dd className="whitespace-pre-wrap">
                <VisibleText>{answer}</VisibleText>
                {notes && (
                  <span className="block text-muted">
                    {t("noteShown")} <VisibleText>{notes}</VisibleText>
                  </span>
                )}
              </dd>
            </div>
          ))}
          {hasReply && (
            <div dir="auto">
              <dt className="text-xs text-muted">{t("replyInWords")}</dt>
              <dd className="whitespace-pre-wrap">
                <VisibleText>{reply}</VisibleText>
              </dd>
            </div>
          )}
        </dl>
        <Button size="sm" onClick={() => void navigator.clipboard.writeText(words.join("\n\n")).catch(() => {})}>
          <Copy size={12} aria-hidden />
          {t("copyDraft")}
        </Button>
      </details>
      <Button size="sm" className="mt-1" onClick={handle.discard}>
        {t("discard")}
      </Button>
    </div>
  );
}
