"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { api, errorText } from "../live/api.ts";
import { type Extension, extended } from "../question/deadlines.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useMe } from "../team/me.tsx";
import { showToast } from "../ui/toast-store.ts";
import { answerable } from "./answerable.ts";
import { type EachResult, eachItem } from "./each-item.ts";

/** Actions on several questions at once. `onDone` is called when one is finished or cancelled. */
export function useBulk(onDone: () => void) {
  const t = useTranslations("inbox");
  const announce = useAnnounce();
  const me = useMe().person?.id;
  const [dialog, setDialog] = useState<
    { verb: "answer" | "dismiss"; items: readonly InboxItem[] } | { verb: "answerGroup"; like: InboxItem }
  >();

  const close = () => {
    setDialog(undefined);
    onDone();
  };
  const report = (name: "dismissed" | "extended" | "restored", { done, failed }: EachResult, undo?: () => void) => {
    const [first] = failed;
    const text = [t(name, { count: done.length })];
    if (first) text.push(t("bulkFailed", { count: failed.length, reason: errorText(first.error) }));
    showToast({
      text: text.join(" "),
      tone: first ? "danger" : "good",
      ...(undo && done.length > 0 && { action: { label: t("undo"), run: undo } }),
      ms: 8_000,
    });
  };
  const setDeadline = ({ session_id, tool_use_id }: InboxItem, deadline_at: string | null) =>
    api.call("extend", { body: { session_id, tool_use_id, deadline_at } });

  return {
    dialog,
    close,
    answer: (items: readonly InboxItem[]) => {
      const { together, reason } = answerable(items, Date.now(), me);
      if (reason) announce(t(`cannotAnswer.${reason}`));
      else setDialog({ verb: "answer", items: together });
    },
    /** Answers all questions like this one, loaded or not. */
    answerGroup: (like: InboxItem) => setDialog({ verb: "answerGroup", like }),
    askDismiss: (items: readonly InboxItem[]) => setDialog({ verb: "dismiss", items }),
    dismiss: async (items: readonly InboxItem[], reason: string) => {
      const result = await eachItem(items, ({ session_id, tool_use_id }) =>
        api.call("cancel", { body: { session_id, tool_use_id, reason } }),
      );
      report("dismissed", result);
      close();
    },
    /** Gives more time to those that have a deadline. */
    extend: async (items: readonly InboxItem[], extension: Extension) => {
      const now = Date.now();
      const due = items.filter(({ deadline_at }) => deadline_at !== null);
      const result = await eachItem(due, (item) => setDeadline(item, extended(item.deadline_at ?? "", extension, now)));
      report("extended", result, () => {
        // A deadline that has passed in the meantime would end its question at once.
        const old = result.done.filter(({ deadline_at }) => Date.parse(deadline_at ?? "") > Date.now());
        void eachItem(old, (item) => setDeadline(item, item.deadline_at)).then((undone) => report("restored", undone));
      });
      onDone();
    },
  };
}
