"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Avatar } from "../ui/avatar.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

/** Which ask a line of the list or of the receipt is about: its conversation, then its agent. */
export function BulkPlace({ ask, items }: { ask: AskView; items: readonly InboxItem[] }) {
  const t = useTranslations("card");
  const item = items.find((each) => each.inbox_item_id === ask.inbox_item_id);
  const agent = item?.agent ?? ask.asked_by.name;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Avatar name={agent} kind="agent" size="sm" />
      <span className="min-w-0 truncate" dir="auto">
        <span className="font-medium">
          <VisibleText>{item?.title ?? agent}</VisibleText>
        </span>{" "}
        <span className="text-subtle">
          {item?.title ? <VisibleText>{agent}</VisibleText> : t("round", { round: ask.round })}
        </span>
      </span>
    </span>
  );
}
