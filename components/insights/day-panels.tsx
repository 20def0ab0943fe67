"use client";

import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Insights } from "../../lib/protocol/insights.ts";
import { retrying } from "../ui/retrying.ts";
import { type Column, DataTable } from "./data-table.tsx";
import { Panel } from "./panel.tsx";
import { daysBetween } from "./span.ts";
import { useTimeColumns } from "./time-columns.ts";
import { useUnits } from "./use-units.ts";

const TimesPlot = dynamic(
  retrying(async () => (await import("./day-plots.tsx")).TimesPlot),
  { ssr: false },
);
const VolumePlot = dynamic(
  retrying(async () => (await import("./day-plots.tsx")).VolumePlot),
  { ssr: false },
);

/** Day by day: how long answers took, and how many questions were settled. */
export function DayPanels({ insights, query }: { insights: Insights; query: string }) {
  const t = useTranslations("insights");
  const format = useFormatter();
  const units = useUnits();
  const times = useTimeColumns();
  const { from, to, time_zone, by_day } = insights;
  const known = new Map(by_day.map((day) => [day.day, day]));
  const days = daysBetween(from, to, time_zone).map((day) => {
    const found = known.get(day);
    return {
      day,
      median_ms: found?.median_ms ?? null,
      p90_ms: found?.p90_ms ?? null,
      answered: found?.answered ?? 0,
      unanswered: found ? found.settled - found.answered : 0,
    };
  });
  const columns: Array<Column<Insights["by_day"][number]>> = [
    { name: t("day"), isText: true, show: ({ day }) => day },
    ...times,
    { name: t("answered"), show: ({ answered }) => format.number(answered) },
  ];
  const dayTable = (caption: string) => (
    <DataTable caption={caption} columns={columns} rows={by_day} keyOf={({ day }) => day} />
  );
  return (
    <>
      <Panel
        title={t("times")}
        about={t("timesAbout")}
        name="by_day"
        query={query}
        table={dayTable(t("times"))}
        plot={
          <Plot
            label={t("timesLabel", {
              median: units(insights.total.median_ms),
              p90: units(insights.total.p90_ms),
            })}
          >
            <TimesPlot days={days} />
          </Plot>
        }
      />
      <Panel
        title={t("volume")}
        about={t("volumeAbout")}
        name="by_day"
        query={query}
        table={dayTable(t("volume"))}
        plot={
          <Plot label={t("volumeLabel", { count: insights.total.settled })}>
            <VolumePlot days={days} />
          </Plot>
        }
      />
    </>
  );
}

/** A picture of figures; the table behind it has the same. As high as the plot, so that nothing moves when it loads. */
function Plot({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={label} className="h-56">
      {children}
    </div>
  );
}
