"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { isTyping } from "../keyboard/key-events.ts";
import { pauseKeys } from "../keyboard/key-guard.tsx";
import { api, errorText, readAsk } from "../live/api.ts";
import { type Draft, missing } from "../question/draft.ts";
import { focusQuestion } from "../question/form-fields.ts";
import { QuestionField } from "../question/question-field.tsx";
import { useCardKeys } from "../question/use-card-keys.ts";
import { newKey } from "../question/use-draft.ts";
import { Dialog } from "../ui/dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { answersFor, isAlike, summaryOf } from "./bulk.ts";

/** The limit of one request. */
const MAX_ASKS = 100;

type Sent = { ask: AskView; result: Reply<"answerMany">["results"][number] };

/** Answers several similar questions at once: what goes to how many, then a receipt for each. */
export function BulkAnswer({ items, onClose }: { items: InboxItem[]; onClose: () => void }) {
  const t = useTranslations("bulk");
  const card = useTranslations("card");
  const [asks, setAsks] = useState<AskView[]>();
  const [draft, setDraft] = useState<Draft>({});
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [results, setResults] = useState<Sent[]>();
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [key] = useState(newKey);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens: the list behind it keeps changing.
  useEffect(() => {
    Promise.all(items.slice(0, MAX_ASKS).map(readAsk)).then(setAsks, (reason) => setError(errorText(reason)));
  }, []);

  const form = useRef<HTMLFormElement>(null);
  const isRead = asks !== undefined;
  useEffect(() => {
    if (isRead) focusQuestion(form.current);
  }, [isRead]);

  const model = asks?.find((ask) => ask.status === "pending");
  const isFitting = (ask: AskView) => model !== undefined && ask.status === "pending" && isAlike(model, ask);
  const chosen = asks?.filter((ask) => isFitting(ask) && !excluded.has(ask.inbox_item_id)) ?? [];
  const isReady = model !== undefined && missing(model.questions, draft).length === 0 && chosen.length > 0;

  const send = async () => {
    if (!model || !isReady || isSending) return;
    const wasTyping = isTyping(document.activeElement);
    setSending(true);
    const answers = chosen.map((ask) => ({
      session_id: ask.session_id,
      tool_use_id: ask.tool_use_id,
      content_hash: ask.content_hash,
      answers: answersFor(model, draft, ask),
    }));
    try {
      const reply = await api.call("answerMany", { body: { answers }, idempotencyKey: key });
      setResults(chosen.flatMap((ask, index) => (reply.results[index] ? [{ ask, result: reply.results[index] }] : [])));
      setError(undefined);
      if (wasTyping) pauseKeys();
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setSending(false);
    }
  };

  const [isUntouched, setUntouched] = useState(false);
  const { keys } = useCardKeys({
    questions: model?.questions ?? [],
    form,
    change: (next) => setDraft(next),
    isDisabled: isSending,
    onSubmit: () => void send(),
    onUntouched: () => setUntouched(true),
  });

  return (
    <Dialog title={results ? t("receipt") : t("title", { count: items.length })} onClose={onClose}>
      {error && (
        <p role="alert" className="mb-3 text-sm text-danger">
          {t("failed", { reason: error })}
        </p>
      )}
      {!asks && !error && <p role="status">{t("loading")}</p>}
      {asks && !model && !results && <p>{t("none")}</p>}
      {model && !results && (
        <form
          ref={form}
          className="space-y-4"
          data-card
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
          {...keys}
        >
          {items.length > MAX_ASKS && <p className="text-sm text-muted">{t("most", { count: MAX_ASKS })}</p>}
          <Recipients
            asks={asks ?? []}
            items={items}
            isFitting={isFitting}
            excluded={excluded}
            onToggle={(id) => {
              const next = new Set(excluded);
              if (!next.delete(id)) next.add(id);
              setExcluded(next);
            }}
          />
          {model.questions
            .filter((question) => !question.parent)
            .map((question) => (
              <QuestionField
                key={question.question_id}
                ask={model}
                question={question}
                draft={draft}
                change={(next) => setDraft(next)}
                isDisabled={isSending}
                showsMissing={false}
              />
            ))}
          <p className="rounded-md bg-sunken px-3 py-2 text-sm" role="status">
            {isUntouched && `${card("untouched")} `}
            {isReady ? t("will", { answer: summaryOf(model, draft, card), count: chosen.length }) : t("incomplete")}
          </p>
          <div className="flex justify-end gap-2">
            <button type="button" className="button" onClick={onClose}>
              {t("close")}
            </button>
            <button type="submit" className="button-primary" disabled={!isReady || isSending}>
              {t("send", { count: chosen.length })}
            </button>
          </div>
        </form>
      )}
      {results && <Receipt items={items} results={results} onClose={onClose} />}
    </Dialog>
  );
}

/** The asks that get the answer; those that differ or are settled cannot be chosen. */
function Recipients({
  asks,
  items,
  isFitting,
  excluded,
  onToggle,
}: {
  asks: readonly AskView[];
  items: readonly InboxItem[];
  isFitting: (ask: AskView) => boolean;
  excluded: ReadonlySet<string>;
  onToggle: (inbox_item_id: string) => void;
}) {
  const t = useTranslations("bulk");
  return (
    <fieldset>
      <legend className="mb-2 text-sm text-muted">{t("same")}</legend>
      <ul className="max-h-40 space-y-1 overflow-y-auto text-sm">
        {asks.map((ask) => (
          <li key={ask.inbox_item_id}>
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4"
                disabled={!isFitting(ask)}
                checked={isFitting(ask) && !excluded.has(ask.inbox_item_id)}
                onChange={() => onToggle(ask.inbox_item_id)}
              />
              <Place ask={ask} items={items} />
              {!isFitting(ask) && (
                <span className="text-muted">({ask.status === "pending" ? t("differs") : t("settled")})</span>
              )}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** What became of each answer. */
function Receipt({ items, results, onClose }: { items: readonly InboxItem[]; results: Sent[]; onClose: () => void }) {
  const t = useTranslations("bulk");
  return (
    <>
      <p className="mb-3 text-sm" role="status">
        {t("done", { sent: results.filter(({ result }) => result.success).length, count: results.length })}
      </p>
      <ul className="space-y-2 text-sm">
        {results.map(({ ask, result }) => (
          <li key={ask.inbox_item_id} className="flex items-start gap-2" data-testid="receipt">
            {result.success ? (
              <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-label={t("sent")} />
            ) : (
              <CircleX size={16} className="mt-0.5 shrink-0 text-danger" aria-label={t("notSent")} />
            )}
            <span>
              <Place ask={ask} items={items} />
              {!result.success && (
                <span className="block text-danger">
                  {result.error.code === "duplicate_answer" ? t("tooLate") : result.error.message}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end">
        <button type="button" className="button-primary" ref={focus} onClick={onClose}>
          {t("close")}
        </button>
      </div>
    </>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

function Place({ ask, items }: { ask: AskView; items: readonly InboxItem[] }) {
  const t = useTranslations("bulk");
  const agent = items.find((item) => item.inbox_item_id === ask.inbox_item_id)?.agent ?? "";
  return (
    <span>
      <VisibleText>{agent}</VisibleText> · {t("round", { round: ask.round })} ·{" "}
      <span className="font-mono text-xs">{ask.session_id.slice(-6)}</span>
    </span>
  );
}
