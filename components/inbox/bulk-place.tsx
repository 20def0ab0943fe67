"use client";

import { useTranslations } from "next-intl";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Avatar } from "../ui/avatar.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

/** Which ask a line of the list or of the receipt is about: its conversation, then its agent. */
export function BulkPlace({ item: { agent, title, round } }: { item: InboxItem }) {
  const t = useTranslations("card");
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Avatar name={agent} kind="agent" size="sm" />
      <span className="min-w-0 truncate" dir="auto">
        <span className="font-medium">
          <VisibleText>{title ?? agent}</VisibleText>
        </span>{" "}
        <span className="text-subtle">{title ? <VisibleText>{agent}</VisibleText> : t("round", { round })}</span>
      </span>
    </span>
  );
}
