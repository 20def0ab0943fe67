"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { keyPauseFor } from "../keyboard/key-guard.tsx";
import { api, errorText } from "../live/api.ts";
import { CardNote } from "../question/card-note.tsx";
import { type Draft, missing } from "../question/draft.ts";
import { focusQuestion } from "../question/form-fields.ts";
import { QuestionField } from "../question/question-field.tsx";
import type { Refusal } from "../question/send-rule.ts";
import { useCardKeys } from "../question/use-card-keys.ts";
import { newKey } from "../question/use-draft.ts";
import { useSendRule } from "../question/use-send-rule.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { answersFor, isAlike, summaryOf } from "./bulk.ts";
import { BulkPlace } from "./bulk-place.tsx";
import type { Receipt } from "./bulk-receipt.tsx";

type Props = {
  items: readonly InboxItem[];
  asks: readonly AskView[];
  /** The ask whose questions are shown; its answer goes to all asks that are like it. */
  model: AskView;
  onSent: (receipts: Receipt[]) => void;
  /** Called with undefined when an earlier error no longer applies. */
  onError: (text: string | undefined) => void;
  onClose: () => void;
};

/** One answer for many asks, with a list of those that get it. */
export function BulkForm({ items, asks, model, onSent, onError, onClose }: Props) {
  const t = useTranslations("bulk");
  const card = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>({});
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<Refusal>();
  const [isNoteOpen, setNoteOpen] = useState(false);
  const { isSending, send } = useSendMany({ form, onSent, onError });
  useEffect(() => focusQuestion(form.current), []);

  const isFitting = (ask: AskView) => ask.status === "pending" && !ask.irreversible && isAlike(model, ask);
  const chosen = asks.filter((ask) => isFitting(ask) && !excluded.has(ask.inbox_item_id));
  const isComplete = missing(model.questions, draft).length === 0 && chosen.length > 0;
  const rule = useSendRule(form, { isOpened: true });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const why = rule.refusal();
    setRefusal(why);
    if (!why && isComplete && !isSending) void send(model, draft, chosen);
  };
  const toggle = (id: string) => {
    const next = new Set(excluded);
    if (!next.delete(id)) next.add(id);
    setExcluded(next);
  };
  const keys = useCardKeys({
    questions: model.questions,
    form,
    rule,
    change: setDraft,
    isDisabled: isSending,
    onSubmit: submit,
  });

  return (
    <form ref={form} className="space-y-4" data-card onSubmit={submit} {...rule.handlers} {...keys}>
      <Recipients asks={asks} items={items} isFitting={isFitting} excluded={excluded} onToggle={toggle} />
      {model.questions
        .filter((question) => !question.parent)
        .map((question) => (
          <QuestionField
            key={question.question_id}
            ask={model}
            question={question}
            draft={draft}
            change={setDraft}
            isDisabled={isSending}
            showsMissing={false}
          />
        ))}
      <CardNote
        questions={model.questions}
        draft={draft}
        change={setDraft}
        isDisabled={isSending}
        isOpen={isNoteOpen}
      />
      {!isNoteOpen && (
        <Button size="sm" variant="ghost" data-action="note" onClick={() => setNoteOpen(true)}>
          {card("addNote")} <Kbd>N</Kbd>
        </Button>
      )}
      <p className="rounded-md bg-sunken px-3 py-2 text-sm" role="status">
        {refusal && `${card(refusal)} `}
        {isComplete ? t("will", { answer: summaryOf(model, draft, card), count: chosen.length }) : t("incomplete")}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("close")}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={!isComplete}
          isBusy={isSending}
          aria-disabled={isSending || !rule.isSubmitReady || undefined}
        >
          {t("send", { count: chosen.length })} <Kbd tone="filled">Ctrl ⏎</Kbd>
        </Button>
      </div>
    </form>
  );
}

/** Sends one answer to many asks, under the same key at every attempt, so that none gets it twice. */
function useSendMany({ form, onSent, onError }: Pick<Props, "onSent" | "onError"> & { form: FormRef }) {
  const [isSending, setSending] = useState(false);
  const [key] = useState(newKey);
  const send = async (model: AskView, draft: Draft, asks: AskView[]) => {
    const pauseKeys = keyPauseFor(form);
    setSending(true);
    const answers = asks.map((ask) => ({
      session_id: ask.session_id,
      tool_use_id: ask.tool_use_id,
      content_hash: ask.content_hash,
      answers: answersFor(model, draft, ask),
    }));
    try {
      const { results } = await api.call("answerMany", { body: { answers }, idempotencyKey: key });
      onError(undefined);
      onSent(asks.flatMap((ask, index) => (results[index] ? [{ ask, result: results[index] }] : [])));
      pauseKeys();
    } catch (reason) {
      onError(errorText(reason));
    } finally {
      setSending(false);
    }
  };
  return { isSending, send };
}

/** Why an ask cannot get the answer. */
function reasonFor(ask: AskView): "settled" | "irreversible" | "differs" {
  if (ask.status !== "pending") return "settled";
  return ask.irreversible ? "irreversible" : "differs";
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
      <legend className="mb-2 text-sm text-muted">{t("all")}</legend>
      <ul className="max-h-52 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm">
        {asks.map((ask) => (
          <li key={ask.inbox_item_id}>
            <label className="flex h-9 items-center gap-2.5 px-3 hover:bg-hover pointer-coarse:h-11">
              <input
                type="checkbox"
                className="size-3.5 shrink-0"
                disabled={!isFitting(ask)}
                checked={isFitting(ask) && !excluded.has(ask.inbox_item_id)}
                onChange={() => onToggle(ask.inbox_item_id)}
              />
              <BulkPlace ask={ask} items={items} />
              {!isFitting(ask) && <span className="ml-auto shrink-0 text-xs text-subtle">{t(reasonFor(ask))}</span>}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
