"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useMe } from "../team/me.tsx";
import type { InboxList } from "./inbox-list.ts";
import { belongs, type InboxView } from "./inbox-view.ts";

/** Announces questions as they arrive, for people who do not see the list. */
export function useNewQuestions(view: InboxView, list: InboxList): void {
  const t = useTranslations("inbox");
  const announce = useAnnounce();
  const me = useMe().person?.id;
  const hear = useEffectEvent((item: InboxItem) => {
    const isKnown = [...list.rows, ...list.fresh].some(({ inbox_item_id }) => inbox_item_id === item.inbox_item_id);
    if (isKnown || item.status !== "open" || !belongs(item, view, Date.now(), me)) return;
    announce(t("announce", { agent: item.agent, question: item.question }));
  });
  useEffect(() => onInboxChange((item) => hear(item)), []);
}
