"use client";

import { BellOff, BellRing, Eye } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { useMe } from "../team/me.tsx";
import { Moment } from "../ui/clock.tsx";
import { retrying } from "../ui/retrying.ts";
import { useNotificationStatus } from "./use-notification-status.ts";

const DeliveryLog = dynamic(retrying(async () => (await import("../notifications/delivery-log.tsx")).DeliveryLog));

/**
 * Who was notified about an open question, who saw it, and when others will be notified. Renders nothing until one of these
 * is known.
 */
export function Notified({ ask }: { ask: AskView }) {
  const t = useTranslations("notified");
  const [isOpen, setOpen] = useState(false);
  const status = useNotificationStatus(ask);
  const me = useMe().person?.name;
  if (!status) return null;
  const { notified, last_at, seen_at, seen_by, next_at, note, reachable_at } = status;
  // Nobody needs to be told that they are looking at it themselves.
  const isSeen = seen_at !== null && me !== undefined && seen_by !== me;
  if (notified === 0 && note !== "nobody_reachable" && !isSeen) return null;
  const time = (at: string) => () => <Moment key="time" at={at} />;
  return (
    <div data-testid="notified" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-subtle">
      {notified > 0 && last_at && (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded-sm underline-offset-2 hover:text-ink hover:underline pointer-coarse:min-h-11"
          onClick={() => setOpen(true)}
        >
          <BellRing size={12} aria-hidden />
          <span>{t.rich("notified", { count: notified, time: time(last_at) })}</span>
        </button>
      )}
      {notified === 0 && note === "nobody_reachable" && (
        <span className="inline-flex items-center gap-1 text-warning">
          <BellOff size={12} aria-hidden />
          <span>{reachable_at ? t.rich("unreachableUntil", { time: time(reachable_at) }) : t("unreachable")}</span>
        </span>
      )}
      {isSeen && (
        <span className="inline-flex items-center gap-1">
          <Eye size={12} aria-hidden />
          <span>{t.rich("seen", { name: seen_by ?? "", time: time(seen_at) })}</span>
        </span>
      )}
      {notified > 0 && next_at && <span>{t.rich("next", { time: time(next_at) })}</span>}
      {isOpen && (
        <DeliveryLog title={t("log")} query={{ inbox_item_id: ask.inbox_item_id }} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
