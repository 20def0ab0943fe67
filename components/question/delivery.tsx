"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { readAsk } from "../live/api.ts";
import { Moment, useClock } from "../ui/clock.tsx";

/** Pauses between checks whether the agent has fetched its result, while the card is visible: short at first. */
const PAUSES_MS = [800, 1_500, 3_000, 6_000, 15_000];

/** An agent that waits gets its result sooner than this. */
const SOON_MS = 5_000;

/** Whether the agent has received its result. */
export function Delivery({ ask, onChange }: { ask: AskView; onChange: (ask: AskView) => void }) {
  const t = useTranslations("card");
  const { session_id, tool_use_id, delivered_at } = ask;
  const clock = useClock();
  // Nobody fetches the result of an imported question, or of one that the Connect page asked as a test.
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
  // The agent of a cancelled question is often gone and never fetches the result.
  const isLate = ask.decided_at !== null && clock > Date.parse(ask.decided_at) + SOON_MS;
  if (!delivered_at && (ask.status === "cancelled" || !isLate)) return null;
  return (
    <span className="text-xs text-subtle tabular-nums">
      ·{" "}
      {delivered_at ? t.rich("delivered", { time: () => <Moment key="time" at={delivered_at} /> }) : t("notDelivered")}
    </span>
  );
}
