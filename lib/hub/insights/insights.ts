import { openByAgent, questionAt, readFacts } from "../../db/search/facts.ts";
import { FrequentQuestions, InsightsCount, type Selection } from "../../domain/insights/count.ts";
import type { FactColumns } from "../../domain/insights/fact-columns.ts";
import { isTimeZone } from "../../domain/insights/zone.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { Insights, InsightsQuery } from "../../protocol/insights.ts";
import type { Overview } from "../access.ts";
import { yieldOften } from "../background/yield-often.ts";
import type { HubContext } from "../context.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** What a lead wants to know about the questions settled in a span of time. */
export async function insights(
  { db, indexing }: Pick<HubContext, "db" | "indexing">,
  { scope, call: { now } }: Overview,
  query: InsightsQuery,
): Promise<Insights> {
  const selection = selectionOf(query, scope, now);
  await indexing.catchUp();
  const pause = yieldOften();
  const count = new InsightsCount(selection);
  const pieces: FactColumns[] = [];
  for await (const columns of readFacts(db, selection.from, selection.to)) {
    pieces.push(columns);
    count.add(columns);
    await pause();
  }
  const frequent = new FrequentQuestions(count.frequent());
  for (const columns of pieces) {
    frequent.add(columns, selection);
    await pause();
  }
  const questions: Insights["questions"] = [];
  for (const { seq, load } of frequent.result()) {
    const question = await questionAt(db, seq);
    if (question) questions.push({ ...question, ...load.result() });
  }
  const open = await openByAgent(db, scope, now, now - DAY_MS);
  const selected = open.filter(({ agent }) => selection.agents?.includes(agent) ?? true);
  const { by_agent, ...result } = count.result();
  return {
    from: new Date(selection.from).toISOString(),
    to: new Date(selection.to).toISOString(),
    time_zone: selection.time_zone,
    now: { open: sum(selected.map((row) => row.open)), overdue: sum(selected.map((row) => row.overdue)) },
    ...result,
    by_agent: by_agent.map((row) => ({ ...row, open: open.find(({ agent }) => agent === row.agent)?.open ?? 0 })),
    questions,
  };
}

function selectionOf({ from, to, agent, time_zone = "UTC" }: InsightsQuery, scope: Scope, now: number): Selection {
  if (!isTimeZone(time_zone))
    throw invalidRequest([{ path: "time_zone", message: "is not a time zone, as Asia/Tokyo is" }]);
  const until = to === undefined ? now : Date.parse(to);
  return {
    from: from === undefined ? until - DEFAULT_DAYS * DAY_MS : Date.parse(from),
    to: until,
    agents: agent === undefined ? undefined : [agent].flat(),
    spaces: scope === "all" ? undefined : "spaces" in scope ? scope.spaces : [],
    time_zone,
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, number) => all + Number(number), 0);
}
