"use client";

import { ChevronLeft } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { MessageView } from "../../lib/protocol/message.ts";
import { api, errorCode, errorText, readAsk } from "../live/api.ts";
import { live } from "../live/connection.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { QuestionCard } from "../question/question-card.tsx";
import { Message } from "../thread/message.tsx";

const BEFORE = 3;

/** The selected question, with the messages before it. It stays when somebody else settles it. */
export function InboxDetail({
  item,
  onAnswered,
  onBack,
}: {
  item: InboxItem;
  onAnswered: () => void;
  onBack: () => void;
}) {
  const t = useTranslations("inbox");
  const [ask, setAsk] = useState<AskView>();
  const [before, setBefore] = useState<MessageView[]>([]);
  const [error, setError] = useState<string>();
  const { session_id, tool_use_id } = item;
  /** Counts what is read and done. A read that was overtaken is out of date. */
  const latest = useRef(0);
  const read = useCallback(async () => {
    const own = ++latest.current;
    try {
      const found = await readAsk({ session_id, tool_use_id });
      if (own !== latest.current) return;
      setAsk(found);
      setError(undefined);
      const after = Math.max(0, found.sequence_num - 1 - BEFORE);
      const limit = found.sequence_num - 1 - after;
      if (limit === 0) return;
      const page = await api.call("readMessages", { params: { id: session_id }, query: { after, limit } });
      setBefore(page.messages.filter(({ type }) => type !== "ask_user_question"));
    } catch (reason) {
      if (own !== latest.current) return;
      setError(errorCode(reason) === "question_not_found" ? t("gone") : errorText(reason));
    }
  }, [session_id, tool_use_id, t]);
  useEffect(() => {
    // Without a connection the question is shown at once, and read again when changes arrive.
    if (!live().connected) void read();
    return onInboxChange(
      (changed) => {
        if (changed.inbox_item_id === item.inbox_item_id) void read();
      },
      () => void read(),
    );
  }, [item.inbox_item_id, read]);

  const onChange = (next: AskView) => {
    latest.current += 1;
    setAsk(next);
  };

  return (
    <div className="mx-auto max-w-3xl space-y-4 px-4 py-4 lg:py-6">
      <button type="button" className="button-plain lg:hidden" onClick={onBack}>
        <ChevronLeft size={18} aria-hidden />
        {t("back")}
      </button>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {t("failed", { reason: error })}{" "}
          <button type="button" className="link" onClick={() => void read()}>
            {t("retry")}
          </button>
        </p>
      )}
      {!ask && !error && (
        <p role="status" className="text-sm text-muted">
          {t("loading")}
        </p>
      )}
      {before.length > 0 && (
        <details open className="space-y-3">
          <summary className="py-1 text-sm text-muted">{t("context")}</summary>
          {before.map((message) => (
            <Message key={message.sequence_num} message={message} />
          ))}
        </details>
      )}
      {ask && <QuestionCard ask={ask} onChange={onChange} onAnswered={onAnswered} conversationLink />}
    </div>
  );
}
