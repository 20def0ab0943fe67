"use client";

import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { ClientError } from "../../lib/client.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

const SnoozeDialog = dynamic(retrying(async () => (await import("./snooze-dialog.tsx")).SnoozeDialog));

type Items = readonly InboxItem[];
/** The limit of one request. */
const MAX_ITEMS = 100;

type Options = {
  /** These leave the list. */
  onLeave: (items: Items) => void;
  /** These are about to come back. */
  onUndo: (items: Items) => void;
};

/** Puts questions of the inbox away, and brings them back. */
export function useSnooze({ onLeave, onUndo }: Options) {
  const t = useTranslations("snooze");
  const format = useFormatter();
  const [asking, setAsking] = useState<Items>();
  /** Those that it worked for, and when each comes back. */
  const send = async (items: Items, until: string | null) => {
    const done: Array<{ item: InboxItem; end: string | null }> = [];
    try {
      for (let from = 0; from < items.length; from += MAX_ITEMS) {
        const page = items.slice(from, from + MAX_ITEMS);
        const inbox_item_ids = page.map(({ inbox_item_id }) => inbox_item_id);
        const { results } = await api.call("snooze", { body: { inbox_item_ids, until } });
        for (const [index, item] of page.entries()) {
          const result = results[index];
          if (result?.success) done.push({ item, end: result.snoozed_until });
          else if (result) {
            const { code, message } = result.error;
            showToast({ text: errorText(new ClientError(code, message)), tone: "danger" });
          }
        }
      }
    } catch (reason) {
      // A dialog on the page already says so.
      if (errorCode(reason) !== "unauthorized") showToast({ text: errorText(reason), tone: "danger" });
    }
    return done;
  };
  const undo = (items: Items) => {
    onUndo(items);
    for (const before of new Set(items.map(({ snoozed_until }) => snoozed_until)))
      void send(
        items.filter(({ snoozed_until }) => snoozed_until === before),
        before,
      );
  };
  const putAway = async (items: Items, until: Date) => {
    setAsking(undefined);
    const done = await send(items, until.toISOString());
    const [first] = done;
    if (!first?.end) return;
    const isEarlier = done.some(({ end }) => end !== null && Date.parse(end) < until.getTime());
    const time = format.dateTime(isEarlier && done.length === 1 ? new Date(first.end) : until, {
      weekday: "short",
      hour: "numeric",
      minute: "2-digit",
    });
    const name = isEarlier ? (done.length === 1 ? "doneEarly" : "doneSomeEarly") : "done";
    const away = done.map(({ item }) => item);
    // What was away already stays where it is.
    onLeave(away.filter(({ snoozed_until }) => snoozed_until === null));
    showToast({
      text: t(name, { count: done.length, time }),
      action: { label: t("undo"), run: () => undo(away) },
    });
  };
  return {
    ask: (items: Items) => {
      if (items.length > 0) setAsking(items);
    },
    /** `leaves`: the list has only what is away. */
    wake: async (items: Items, leaves: boolean) => {
      const done = await send(items, null);
      if (leaves) onLeave(done.map(({ item }) => item));
    },
    dialog: asking && (
      <SnoozeDialog
        items={asking}
        onClose={() => setAsking(undefined)}
        onSnooze={(until) => void putAway(asking, until)}
      />
    ),
  };
}
