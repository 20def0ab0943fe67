"use client";

import { ChartNoAxesColumn } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useTransition } from "react";
import type { Facet } from "../../lib/protocol/facet.ts";
import type { Insights as InsightsView } from "../../lib/protocol/insights.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { Avatar } from "../ui/avatar.tsx";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { retrying } from "../ui/retrying.ts";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { Figures } from "./figures.tsx";
import { HeatMap } from "./heat-map.tsx";
import { OutcomeBars } from "./outcome-bars.tsx";
import { Panel } from "./panel.tsx";
import { daysBetween, SPANS, type Span } from "./span.ts";
import { useUnits } from "./use-units.ts";

const TimesPlot = dynamic(
  retrying(async () => (await import("./day-plots.tsx")).TimesPlot),
  { ssr: false },
);
const VolumePlot = dynamic(
  retrying(async () => (await import("./day-plots.tsx")).VolumePlot),
  { ssr: false },
);

const ALL = "all";

type Load = InsightsView["total"];
type Props = { insights: InsightsView; span: Span; agent: string; agents: Facet };

/** What a lead wants to know: how fast people answer, what agents wait for, who asks and who answers. */
export function Insights({ insights, span, agent, agents }: Props) {
  const t = useTranslations("insights");
  const who = useTranslations("who");
  const format = useFormatter();
  const units = useUnits();
  const router = useRouter();
  const params = useSearchParams();
  const [isLoading, startLoading] = useTransition();
  const setUrl = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    startLoading(() => router.replace(`/insights?${next}`, { scroll: false }));
  };
  const { from, to, time_zone, by_day, by_agent, by_person, by_hour, outcomes, questions } = insights;
  const query = new URLSearchParams({ from, to, time_zone, ...(agent && { agent }) }).toString();
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
  // The list of agents may be some seconds old. The chosen one is always in it, so that nobody is caught in a filter.
  const choices = [
    ...new Set([...(agent ? [agent] : []), ...agents.map(({ value }) => value), ...by_agent.map((each) => each.agent)]),
  ];
  const times: Array<Column<Load>> = [
    { name: t("settled"), show: ({ settled }) => format.number(settled) },
    { name: t("median"), show: ({ median_ms }) => units(median_ms) },
    { name: t("p90"), show: ({ p90_ms }) => units(p90_ms) },
    { name: t("waited"), show: ({ waiting_ms }) => units(waiting_ms) },
  ];
  const dayColumns: Array<Column<InsightsView["by_day"][number]>> = [
    { name: t("day"), isText: true, show: ({ day }) => day },
    ...times,
    { name: t("answered"), show: ({ answered }) => format.number(answered) },
  ];
  const dayTable = (caption: string) => (
    <DataTable caption={caption} columns={dayColumns} rows={by_day} keyOf={({ day }) => day} />
  );

  return (
    <div className="mx-auto max-w-6xl px-4 py-5 sm:px-8" aria-busy={isLoading}>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="text-lg font-semibold">{t("title")}</h1>
        <div className="flex flex-wrap items-center gap-2">
          <Segmented
            label={t("span")}
            value={span}
            onChange={(days) => setUrl("days", days)}
            choices={SPANS.map((days) => ({ value: days, label: t("days", { count: Number(days) }) }))}
          />
          <Select
            label={t("agent")}
            value={agent || ALL}
            onChange={(value) => setUrl("agent", value === ALL ? undefined : value)}
            options={[{ value: ALL, label: t("allAgents") }, ...choices.map((value) => ({ value, label: value }))]}
            className="max-w-full min-w-40"
          />
        </div>
      </header>
      <div className={`space-y-8 transition-opacity ${isLoading ? "opacity-60" : ""}`}>
        <Figures insights={insights} />
        {insights.total.settled === 0 ? (
          <EmptyState
            icon={<ChartNoAxesColumn size={20} />}
            title={t("empty")}
            actions={
              <Link className={buttonClass()} href="/">
                {t("toInbox")}
              </Link>
            }
          >
            {t("emptyAbout")}
          </EmptyState>
        ) : (
          <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
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
            <Panel
              title={t("hours")}
              about={t("hoursAbout", { zone: time_zone })}
              name="by_hour"
              query={query}
              table={<HeatMap hours={by_hour} />}
            />
            <Panel title={t("outcomes")} name="outcomes" query={query} table={<OutcomeBars outcomes={outcomes} />} />
            <Panel
              title={t("byAgent")}
              name="by_agent"
              query={query}
              table={
                <DataTable
                  caption={t("byAgent")}
                  rows={by_agent}
                  keyOf={(row) => row.agent}
                  columns={[
                    {
                      name: t("agent"),
                      isText: true,
                      show: (row) => <Named name={row.agent} kind="agent" />,
                    },
                    ...times,
                    { name: t("openShort"), show: (row) => format.number(row.open) },
                  ]}
                />
              }
            />
            <Panel
              title={t("byPerson")}
              name="by_person"
              query={query}
              table={
                <DataTable
                  caption={t("byPerson")}
                  rows={by_person}
                  keyOf={(row) => row.person}
                  columns={[
                    {
                      name: t("person"),
                      isText: true,
                      show: ({ person }) => <Named name={isNoName(person) ? who("local") : person} kind="person" />,
                    },
                    ...times,
                  ]}
                />
              }
            />
            {questions.length > 0 && (
              <div className="min-w-0 lg:col-span-2">
                <Panel
                  title={t("questions")}
                  about={t("questionsAbout")}
                  name="questions"
                  query={query}
                  table={
                    <DataTable
                      caption={t("questions")}
                      rows={questions}
                      keyOf={(row) => row.similar_key + row.agent}
                      columns={[
                        {
                          name: t("question"),
                          isText: true,
                          show: ({ question }) => (
                            <span dir="auto" className="line-clamp-2">
                              <VisibleText>{question}</VisibleText>
                            </span>
                          ),
                        },
                        { name: t("agent"), isText: true, show: (row) => <Named name={row.agent} kind="agent" /> },
                        ...times,
                      ]}
                    />
                  }
                />
              </div>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function Named({ name, kind }: { name: string; kind: "agent" | "person" }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar name={name} kind={kind} />
      <span dir="auto" className="min-w-0 truncate">
        <VisibleText>{name}</VisibleText>
      </span>
    </span>
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
