"use client";

import { useTranslations } from "next-intl";
import { useClock } from "../ui/clock.tsx";
import type { HeldState } from "./held-answers.ts";

/** When a held answer will be sent. Screen readers announce only that it will be, not every second. */
export function SendsIn({ held }: { held: HeldState }) {
  const t = useTranslations("undo");
  const clock = useClock();
  if (held.state === "sending") return t("sending");
  // The clock shows the second that has begun.
  const seconds = Math.max(1, Math.floor((held.until - clock) / 1_000));
  return (
    <>
      <span aria-hidden>{t("sendsIn", { seconds })}</span>
      <span className="sr-only">{t("sending")}</span>
    </>
  );
}
