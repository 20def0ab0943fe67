"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useUnits } from "./use-units.ts";

export type Day = {
  day: string;
  median_ms: number | null;
  p90_ms: number | null;
  answered: number;
  unanswered: number;
};

const AXIS = { fontSize: 11, fill: "var(--color-subtle)" };
const TOOLTIP = {
  contentStyle: {
    background: "var(--color-overlay)",
    border: "1px solid var(--color-line)",
    borderRadius: "0.375rem",
    fontSize: 12,
    color: "var(--color-ink)",
  },
  cursor: { stroke: "var(--color-line)", fill: "var(--color-hover)" },
  isAnimationActive: false,
};
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

/** The day as its reader writes it. At noon, because a date alone would be midnight somewhere else. */
function useDay(): (day: string) => string {
  const format = useFormatter();
  return (day) => format.dateTime(new Date(`${day}T12:00:00Z`), { month: "short", day: "numeric", timeZone: "UTC" });
}

/** Time to answer: the median, and the slowest tenth above it. */
export function TimesPlot({ days }: { days: Day[] }) {
  const t = useTranslations("insights");
  const units = useUnits();
  const day = useDay();
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={days} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="day" tickFormatter={day} tick={AXIS} tickLine={false} axisLine={false} minTickGap={32} />
        <YAxis domain={[0, atLeast]} tickFormatter={units} tick={AXIS} tickLine={false} axisLine={false} width={56} />
        <Tooltip
          {...TOOLTIP}
          labelFormatter={(label) => day(String(label))}
          formatter={(value) => units(Number(value))}
        />
        <Line
          dataKey="p90_ms"
          name={t("p90")}
          stroke="var(--color-subtle)"
          strokeDasharray="4 3"
          strokeWidth={1.5}
          dot={{ r: 1.5, strokeDasharray: "0" }}
          connectNulls
          isAnimationActive={false}
        />
        <Line
          dataKey="median_ms"
          name={t("median")}
          stroke="var(--color-accent)"
          strokeWidth={2}
          dot={{ r: 2 }}
          connectNulls
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  );
}

/** How many questions were settled each day, by a person or not. */
export function VolumePlot({ days }: { days: Day[] }) {
  const t = useTranslations("insights");
  const day = useDay();
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={days} margin={MARGIN} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="day" tickFormatter={day} tick={AXIS} tickLine={false} axisLine={false} minTickGap={32} />
        <YAxis tick={AXIS} tickLine={false} axisLine={false} width={56} allowDecimals={false} />
        <Tooltip {...TOOLTIP} labelFormatter={(label) => day(String(label))} />
        <Bar
          dataKey="answered"
          name={t("answered")}
          stackId="all"
          fill="var(--color-good)"
          maxBarSize={24}
          isAnimationActive={false}
        />
        <Bar
          dataKey="unanswered"
          name={t("unanswered")}
          stackId="all"
          fill="var(--color-field)"
          maxBarSize={24}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

/** Four steps of a second: below that, the steps of the axis would all read the same. */
function atLeast(longest: number): number {
  return Math.max(longest, 4_000);
}
