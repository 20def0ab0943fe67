"use client";

import { useTranslations } from "next-intl";
import type { Facet } from "../../lib/protocol/facet.ts";
import type { Insights } from "../../lib/protocol/insights.ts";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { SPANS, type Span } from "./span.ts";

const ALL = "all";

type Props = {
  insights: Insights;
  span: Span;
  agent: string;
  agents: Facet;
  /** Undefined takes the filter away. */
  onChange: (name: "days" | "agent", value: string | undefined) => void;
};

/** What the figures are about: how many days, and which agent. */
export function InsightFilters({ insights, span, agent, agents, onChange }: Props) {
  const t = useTranslations("insights");
  // The list of agents may be some seconds old. The chosen one is always in it, so that nobody is caught in a filter.
  const names = new Set([
    ...(agent ? [agent] : []),
    ...agents.map(({ value }) => value),
    ...insights.by_agent.map((each) => each.agent),
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label={t("span")}
        value={span}
        onChange={(days) => onChange("days", days)}
        choices={SPANS.map((days) => ({ value: days, label: t("days", { count: Number(days) }) }))}
      />
      <Select
        label={t("agent")}
        value={agent || ALL}
        onChange={(value) => onChange("agent", value === ALL ? undefined : value)}
        options={[{ value: ALL, label: t("allAgents") }, ...[...names].map((name) => ({ value: name, label: name }))]}
        className="max-w-full min-w-40"
      />
    </div>
  );
}
