"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Insights } from "../../lib/protocol/insights.ts";
import { useUnits } from "./use-units.ts";

/** What matters at a glance. */
export function Figures({ insights: { total, now } }: { insights: Insights }) {
  const t = useTranslations("insights");
  const format = useFormatter();
  const units = useUnits();
  const figures = [
    { name: t("medianFigure"), value: units(total.median_ms), about: t("medianAbout") },
    { name: t("p90Figure"), value: units(total.p90_ms), about: t("p90About") },
    { name: t("waited"), value: units(total.waiting_ms), about: t("waitedAbout") },
    {
      name: t("settled"),
      value: format.number(total.settled),
      about: t("settledAbout", { percent: format.number(share(total.answered, total.settled), { style: "percent" }) }),
    },
    { name: t("open"), value: format.number(now.open), about: t("openAbout") },
    { name: t("overdue"), value: format.number(now.overdue), about: t("overdueAbout"), isBad: now.overdue > 0 },
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3 xl:grid-cols-6">
      {figures.map(({ name, value, about, isBad }) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className={`text-2xl font-semibold tracking-tight tabular-nums ${isBad ? "text-danger" : ""}`}>
            {value}
          </dd>
          <dd className="text-xs text-subtle">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
