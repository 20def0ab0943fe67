"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Insights } from "../../lib/protocol/insights.ts";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** A Monday, to name weekdays and hours from. */
const MONDAY = Date.UTC(2026, 0, 5);

/** When agents ask: the hours of a week, the busier the darker. It is a table, so that every figure can be read. */
export function HeatMap({ hours }: { hours: Insights["by_hour"] }) {
  const t = useTranslations("insights");
  const format = useFormatter();
  const most = Math.max(1, ...hours.map(({ asked }) => asked));
  const asked = new Map(hours.map((each) => [`${each.weekday} ${each.hour}`, each.asked]));
  const weekday = (day: number, weekday: "short" | "long") =>
    format.dateTime(MONDAY + (day - 1) * 86_400_000, { weekday, timeZone: "UTC" });
  return (
    <section aria-label={t("hours")} tabIndex={0} className="relative overflow-x-auto rounded-md">
      <table className="w-full min-w-120 table-fixed border-separate border-spacing-0.5 text-xs text-subtle">
        <caption className="sr-only">{t("hours")}</caption>
        <thead>
          <tr>
            <td className="w-10" />
            {HOURS.map((hour) => (
              <th key={hour} scope="col" className="text-left font-normal tabular-nums">
                <span className={hour % 6 === 0 ? "" : "sr-only"}>{hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <tr key={day}>
              <th scope="row" className="pr-1 text-left font-normal whitespace-nowrap">
                {weekday(day, "short")}
              </th>
              {HOURS.map((hour) => {
                const count = asked.get(`${day} ${hour}`) ?? 0;
                return (
                  <td
                    key={hour}
                    title={t("hourCount", { day: weekday(day, "long"), hour, count })}
                    className="h-5 rounded-sm bg-sunken p-0"
                  >
                    <span
                      className="block h-5 rounded-sm bg-accent text-transparent forced-colors:text-[CanvasText]"
                      style={{ opacity: count === 0 ? 0 : 0.2 + (0.8 * count) / most }}
                    >
                      <span className="sr-only">{count}</span>
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
