"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { MessageView } from "../../lib/protocol/message.ts";
import { api, errorCode, errorText, readAsk } from "../live/api.ts";
import { live } from "../live/connection.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { loadMarkdown } from "../ui/markdown.tsx";

const BEFORE = 6;
const RETRY_MS = 3_000;

/** The ask of an inbox item and what the agent said right before it, kept up to date. */
export function useItemAsk(item: InboxItem) {
  const t = useTranslations("inbox");
  const [ask, setAsk] = useState<AskView>();
  const [before, setBefore] = useState<MessageView[]>([]);
  const [error, setError] = useState<string>();
  const { session_id, tool_use_id, inbox_item_id } = item;
  /** Counts reads and changes. A read that was overtaken is out of date. */
  const latest = useRef(0);
  /** What was said before an ask never changes. */
  const said = useRef<MessageView[]>(undefined);
  const read = useCallback(async () => {
    const own = ++latest.current;
    try {
      const found = await readAsk({ session_id, tool_use_id });
      said.current ??= await readBefore(found);
      if (own !== latest.current) return;
      // Together, so that the card does not move when the words above it arrive.
      setBefore(said.current);
      setAsk(found);
      setError(undefined);
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
        if (changed.inbox_item_id === inbox_item_id) void read();
      },
      () => void read(),
    );
  }, [inbox_item_id, read]);
  useEffect(() => {
    if (!error) return;
    const timer = setInterval(() => void read(), RETRY_MS);
    return () => clearInterval(timer);
  }, [error, read]);
  return {
    ask,
    before,
    error,
    retry: () => void read(),
    onChange: (next: AskView) => {
      latest.current += 1;
      setAsk(next);
    },
  };
}

/** What the agent said right before an ask, and what renders it. A question is shown without that if it cannot be read. */
async function readBefore({ session_id, sequence_num }: AskView): Promise<MessageView[]> {
  const after = Math.max(0, sequence_num - 1 - BEFORE);
  const limit = sequence_num - 1 - after;
  const read = async () =>
    limit === 0
      ? []
      : (await api.call("readMessages", { params: { id: session_id }, query: { after, limit } })).messages;
  const [messages] = await Promise.all([read().catch(() => []), loadMarkdown()]);
  return saidLast(messages);
}

/** What the agent said since someone else spoke or a question was asked. */
function saidLast(messages: readonly MessageView[]): MessageView[] {
  const isOther = ({ type, role }: MessageView) => type === "ask_user_question" || role === "user";
  const from = messages.findLastIndex(isOther) + 1;
  return messages.slice(from).filter(({ type, role }) => type === "text" && role === "assistant");
}
