"use client";

import { useTranslations } from "next-intl";
import { useClock } from "../ui/clock.tsx";
import type { HeldState } from "./held-answers.ts";

/** When a held answer will be sent. Screen readers announce only that it will be, not every second. */
export function SendsIn({ held }: { held: HeldState }) {
  const t = useTranslations("undo");
  const clock = useClock();
  const seconds = Math.ceil((held.until - clock) / 1_000);
  if (held.state === "sending" || seconds <= 0) return t("sending");
  return (
    <>
      <span aria-hidden>{t("sendsIn", { seconds })}</span>
      <span className="sr-only">{t("sending")}</span>
    </>
  );
}
