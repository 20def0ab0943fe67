"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Insights } from "../../lib/protocol/insights.ts";
import type { Column } from "./data-table.tsx";
import { useUnits } from "./use-units.ts";

/** The columns of every table of load: how many were settled, how fast, and how long agents waited. */
export function useTimeColumns(): Array<Column<Insights["total"]>> {
  const t = useTranslations("insights");
  const format = useFormatter();
  const units = useUnits();
  return [
    { name: t("settled"), show: ({ settled }) => format.number(settled) },
    { name: t("median"), show: ({ median_ms }) => units(median_ms) },
    { name: t("p90"), show: ({ p90_ms }) => units(p90_ms) },
    { name: t("waited"), show: ({ waiting_ms }) => units(waiting_ms) },
  ];
}
