"use client";

import { AlarmClock } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useClock, useDuration } from "../ui/clock.tsx";

const MINUTE_MS = 60_000;

/** How near a deadline is. It has a colour only when it is near, and counts seconds only in the last minute. */
export function TimeLeft({ until }: { until: string }) {
  const t = useTranslations("inbox");
  const format = useFormatter();
  const duration = useDuration();
  const rough = useClock(10_000);
  const isLastMinute = Date.parse(until) - rough < 2 * MINUTE_MS;
  const exact = useClock(isLastMinute ? 1_000 : 10_000);
  const left = Date.parse(until) - exact;
  const colour = left < MINUTE_MS ? "text-danger" : left < 10 * MINUTE_MS ? "text-warning" : "text-subtle";
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap tabular-nums ${colour}`}
      title={format.dateTime(new Date(until), { dateStyle: "full", timeStyle: "short" })}
    >
      <AlarmClock size={12} aria-hidden />
      <span className="sr-only">{t("deadline")}</span>
      {left <= 0 ? t("overdue") : left < MINUTE_MS ? duration(left) : inShort(left)}
    </span>
  );

  function inShort(ms: number): string {
    const minutes = Math.round(ms / MINUTE_MS);
    const [value, unit] =
      minutes < 60
        ? ([minutes, "minute"] as const)
        : minutes < 48 * 60
          ? ([Math.round(minutes / 60), "hour"] as const)
          : ([Math.round(minutes / 1_440), "day"] as const);
    return format.number(value, { style: "unit", unit, unitDisplay: "short" });
  }
}
