"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { VisibleText } from "../ui/visible-text.tsx";

/** Which ask a line of the list or of the receipt is about: its agent, round and conversation. */
export function BulkPlace({ ask, items }: { ask: AskView; items: readonly InboxItem[] }) {
  const t = useTranslations("bulk");
  const agent = items.find((item) => item.inbox_item_id === ask.inbox_item_id)?.agent ?? "";
  return (
    <span>
      <VisibleText>{agent}</VisibleText> · {t("round", { round: ask.round })} ·{" "}
      <span className="font-mono text-xs">{ask.session_id.slice(-6)}</span>
    </span>
  );
}
