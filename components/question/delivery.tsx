"use client";

import { CheckCheck, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { readAsk } from "../live/api.ts";
import { Moment, useClock } from "../ui/clock.tsx";

/** The pauses between looks whether the agent has fetched its result: short at first, for as long as the card is seen. */
const PAUSES_MS = [800, 1_500, 3_000, 6_000, 15_000];

/** Agents that wait have their result sooner than this. */
const SOON_MS = 5_000;

/** Whether the agent has its result. */
export function Delivery({ ask, onChange }: { ask: AskView; onChange: (ask: AskView) => void }) {
  const t = useTranslations("card");
  const { session_id, tool_use_id, delivered_at } = ask;
  const clock = useClock();
  // Nobody fetches the result of a question that was imported, or that a page asked to try itself out.
  const isFetched = ask.asked_by.surface !== "import" && ask.asked_by.surface !== "browser";
  useEffect(() => {
    if (delivered_at !== null || !isFetched) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (turn: number) => {
      timer = setTimeout(async () => {
        if (!document.hidden) {
          const found = await readAsk({ session_id, tool_use_id }).catch(() => undefined);
          if (found?.delivered_at) return onChange(found);
        }
        look(turn + 1);
      }, PAUSES_MS[turn] ?? 30_000);
    };
    look(0);
    return () => clearTimeout(timer);
  }, [session_id, tool_use_id, delivered_at, isFetched, onChange]);

  if (!isFetched) return null;
  // A cancelled question often has no agent any more that would fetch it.
  const isLate = ask.decided_at !== null && clock > Date.parse(ask.decided_at) + SOON_MS;
  if (!delivered_at && (ask.status === "cancelled" || !isLate)) return null;
  return delivered_at ? (
    <p className="flex items-center gap-1.5 text-sm text-good">
      <CheckCheck size={16} aria-hidden />
      <span>{t.rich("delivered", { time: () => <Moment key="time" at={delivered_at} /> })}</span>
    </p>
  ) : (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      <Clock size={16} aria-hidden />
      {t("notDelivered")}
    </p>
  );
}
