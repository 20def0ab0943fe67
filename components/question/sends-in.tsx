"use client";

import { useTranslations } from "next-intl";
import { useClock } from "../ui/clock.tsx";
import type { HeldState } from "./held-answers.ts";

/** When a held answer is sent. Screen readers hear only that it is: they would not want to hear every second. */
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
