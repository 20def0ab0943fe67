"use client";

import { useFormatter, useTranslations } from "next-intl";

const UNITS = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
] as const;

/** A duration in one unit, for figures and axes: `2.5 h`. A dash if there is none. */
export function useUnits(): (ms: number | null) => string {
  const t = useTranslations("insights.units");
  const format = useFormatter();
  return (ms) => {
    if (ms === null) return "–";
    if (ms > 0 && ms < 1_000) return t("under");
    const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? (["seconds", 1_000] as const);
    const value = ms / size;
    return t(unit, {
      value: format.number(value, { maximumFractionDigits: value < 10 && unit !== "seconds" ? 1 : 0 }),
    });
  };
}
