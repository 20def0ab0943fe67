"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { keyPauseFor } from "../keyboard/key-guard.tsx";
import { errorText } from "../live/api.ts";
import { CardNote } from "../question/card-note.tsx";
import { answersOf, type Draft, missing } from "../question/draft.ts";
import { focusQuestion } from "../question/form-fields.ts";
import { QuestionField } from "../question/question-field.tsx";
import type { Refusal } from "../question/send-rule.ts";
import { useCardKeys } from "../question/use-card-keys.ts";
import { newKey } from "../question/use-draft.ts";
import { useSendRule } from "../question/use-send-rule.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { answerAlike, type Recipient } from "./alike.ts";
import { summaryOf } from "./bulk.ts";
import { BulkList } from "./bulk-list.tsx";
import { BulkPlace } from "./bulk-place.tsx";

type Props = {
  recipients: readonly Recipient[];
  /** The ask whose questions are shown; its answer goes to all recipients. */
  model: AskView;
  onSent: (receipts: Recipient[]) => void;
  /** Called with undefined when an earlier error no longer applies. */
  onError: (text: string | undefined) => void;
  onClose: () => void;
};

/** One answer for many asks, with a list of those that get it. */
export function BulkForm({ recipients, model, onSent, onError, onClose }: Props) {
  const t = useTranslations("bulk");
  const card = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>({});
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<Refusal>();
  const [isNoteOpen, setNoteOpen] = useState(false);
  const { sending, send } = useSendMany({ form, onSent, onError });
  useEffect(() => focusQuestion(form.current), []);

  const isSending = sending !== undefined;
  const chosen = recipients.flatMap(({ item, result }) =>
    result.success && !excluded.has(item.inbox_item_id) ? [item] : [],
  );
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
      <Recipients recipients={recipients} excluded={excluded} onToggle={toggle} />
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
        {isSending
          ? t("sending", { sent: sending, count: chosen.length })
          : isComplete
            ? t("will", { answer: summaryOf(model, draft, card), count: chosen.length })
            : t("incomplete")}
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
  /** How many have a result so far. */
  const [sending, setSending] = useState<number>();
  const [idempotencyKey] = useState(newKey);
  const send = async (model: AskView, draft: Draft, items: readonly InboxItem[]) => {
    const pauseKeys = keyPauseFor(form);
    const receipts: Recipient[] = [];
    const take = (part: Recipient[]) => {
      receipts.push(...part);
      setSending(receipts.length);
    };
    setSending(0);
    try {
      await answerAlike(model, items, take, { answers: answersOf(model.questions, draft), idempotencyKey });
      onError(undefined);
      onSent(receipts);
      pauseKeys();
    } catch (reason) {
      onError(errorText(reason));
    } finally {
      setSending(undefined);
    }
  };
  return { sending, send };
}

/** Why a question cannot have the answer. */
function useReason(): (recipient: Recipient) => string | undefined {
  const t = useTranslations("bulk");
  return ({ item, result }) => {
    if (result.success) return undefined;
    const { code, message } = result.error;
    if (item.irreversible) return t("irreversible");
    if (code === "claimed") return t("claimed");
    if (code === "invalid_answer") return t("differs");
    return code === "duplicate_answer" || code === "question_closed" ? t("settled") : message;
  };
}

/** The questions that get the answer; those that cannot have it are listed with the reason. */
function Recipients({
  recipients,
  excluded,
  onToggle,
}: {
  recipients: readonly Recipient[];
  excluded: ReadonlySet<string>;
  onToggle: (inbox_item_id: string) => void;
}) {
  const t = useTranslations("bulk");
  const reasonOf = useReason();
  return (
    <fieldset>
      <legend className="mb-2 text-sm text-muted">{t("all")}</legend>
      <BulkList>
        {recipients.map((recipient) => {
          const { inbox_item_id } = recipient.item;
          const reason = reasonOf(recipient);
          return (
            <label
              key={inbox_item_id}
              className="flex h-9 items-center gap-2.5 border-b border-line px-3 hover:bg-hover pointer-coarse:h-11"
            >
              <input
                type="checkbox"
                className="size-3.5 shrink-0"
                disabled={reason !== undefined}
                checked={reason === undefined && !excluded.has(inbox_item_id)}
                onChange={() => onToggle(inbox_item_id)}
              />
              <BulkPlace item={recipient.item} />
              {reason && <span className="ml-auto shrink-0 text-xs text-subtle">{reason}</span>}
            </label>
          );
        })}
      </BulkList>
    </fieldset>
  );
}
