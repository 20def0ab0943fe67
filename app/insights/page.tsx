import type { Metadata } from "next";
import { getTimeZone, getTranslations } from "next-intl/server";
import { Insights } from "../../components/insights/insights.tsx";
import { beginOf, spanFrom } from "../../components/insights/span.ts";
import { hubClient } from "../hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("insights"))("title") };
}

export default async function InsightsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const [hub, params, time_zone] = await Promise.all([hubClient(), searchParams, getTimeZone()]);
  const span = spanFrom([params.days].flat()[0]);
  const agent = ([params.agent].flat()[0] ?? "").slice(0, 100);
  const [insights, { facets }] = await Promise.all([
    hub.call("insights", { query: { from: beginOf(span, Date.now()), agent: agent || undefined, time_zone } }),
    hub.call("inbox", { query: { status: "all", facets: "true", limit: 1 } }),
  ]);
  return <Insights insights={insights} span={span} agent={agent} agents={facets?.agents ?? []} />;
}
