"use client";

import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import type { Facet } from "../../lib/protocol/facet.ts";
import type { Insights as InsightsView } from "../../lib/protocol/insights.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { DayPanels } from "./day-panels.tsx";
import { Figures } from "./figures.tsx";
import { HeatMap } from "./heat-map.tsx";
import { InsightFilters } from "./insight-filters.tsx";
import { LoadPanels } from "./load-panels.tsx";
import { OutcomeBars } from "./outcome-bars.tsx";
import { Panel } from "./panel.tsx";
import type { Span } from "./span.ts";

type Props = { insights: InsightsView; span: Span; agent: string; agents: Facet };

/** What a lead wants to know: how fast people answer, what agents wait for, who asks and who answers. */
export function Insights({ insights, span, agent, agents }: Props) {
  const t = useTranslations("insights");
  const router = useRouter();
  const params = useSearchParams();
  const [isLoading, startLoading] = useTransition();
  const setUrl = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    startLoading(() => router.replace(`/insights?${next}`, { scroll: false }));
  };
  const { from, to, time_zone, by_hour, outcomes } = insights;
  const query = new URLSearchParams({ from, to, time_zone, ...(agent && { agent }) }).toString();
  return (
    <div className="mx-auto max-w-6xl px-4 py-5 sm:px-8" aria-busy={isLoading}>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="text-lg font-semibold">{t("title")}</h1>
        <InsightFilters insights={insights} span={span} agent={agent} agents={agents} onChange={setUrl} />
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
            <DayPanels insights={insights} query={query} />
            <Panel
              title={t("hours")}
              about={t("hoursAbout", { zone: time_zone })}
              name="by_hour"
              query={query}
              table={<HeatMap hours={by_hour} />}
            />
            <Panel title={t("outcomes")} name="outcomes" query={query} table={<OutcomeBars outcomes={outcomes} />} />
            <LoadPanels insights={insights} query={query} />
          </div>
        )}
      </div>
    </div>
  );
}
