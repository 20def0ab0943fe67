import { z } from "zod";
import { Outcome } from "./ask.ts";

const Instant = z.iso.datetime({ offset: true });
const agent = z.string().max(100);

export const InsightsQuery = z.object({
  from: Instant.optional().describe("Only questions settled at this time or later; 30 days ago by default."),
  to: Instant.optional().describe("Only questions settled before this time; now by default."),
  agent: z
    .union([agent, z.array(agent).min(1).max(20)])
    .optional()
    .describe("Only questions from this agent. Can be repeated."),
  time_zone: z
    .string()
    .max(64)
    .optional()
    .describe("The time zone of days and hours, for example `Asia/Tokyo`; `UTC` by default."),
});
export type InsightsQuery = z.infer<typeof InsightsQuery>;

const count = z.number().int();
const times = {
  median_ms: z.number().nullable().describe("Half were answered faster than this; null if none was answered."),
  p90_ms: z.number().nullable().describe("Nine in ten were answered faster than this."),
};
const load = {
  settled: count.describe("How many questions were settled."),
  answered: count.describe("How many of them a person answered or replied to."),
  ...times,
  waiting_ms: z.number().describe("How long agents waited for them in total."),
};

export const InsightTables = {
  by_day: z.array(z.object({ day: z.iso.date().describe("The day in the time zone."), ...load })),
  by_agent: z.array(
    z.object({
      agent: z.string().describe("The agent."),
      ...load,
      open: count.describe("How many of its questions are open now."),
    }),
  ),
  by_person: z.array(z.object({ person: z.string().describe("Who settled them."), ...load })),
  outcomes: z.array(
    z.object({ outcome: Outcome.describe("How they ended."), settled: count.describe("How many ended like this.") }),
  ),
  by_hour: z.array(
    z.object({
      weekday: count.min(1).max(7).describe("1 is Monday."),
      hour: count.min(0).max(23).describe("The hour of the day in the time zone."),
      asked: count.describe("How many of the questions were asked in this hour."),
    }),
  ),
  questions: z.array(
    z.object({
      similar_key: z.string().describe("The same for asks with the same questions and options."),
      question: z.string().describe("The first question of the ask."),
      agent: z.string().describe("Who asks it."),
      ...load,
    }),
  ),
};
export type InsightTable = keyof typeof InsightTables;

export const Insights = z.object({
  from: z.iso.datetime().describe("The start of the period."),
  to: z.iso.datetime().describe("The end of the period."),
  time_zone: z.string().describe("The time zone of days and hours."),
  now: z
    .object({
      open: count.describe("How many questions are open."),
      overdue: count.describe("How many of them are past their deadline or more than a day old."),
    })
    .describe("The current state, for these agents."),
  total: z.object(load).describe("All of them."),
  by_day: InsightTables.by_day.describe("Every day with a settled question, in order."),
  by_agent: InsightTables.by_agent.describe("The agents with the most questions, at most 50."),
  by_person: InsightTables.by_person.describe("The people who settled the most, at most 50."),
  outcomes: InsightTables.outcomes.describe("How they ended, the most frequent first."),
  by_hour: InsightTables.by_hour.describe("The hours of the week in which anything was asked."),
  questions: InsightTables.questions.describe("The questions asked most often, at most 20, if asked more than once."),
});
export type Insights = z.infer<typeof Insights>;

export const InsightsExport = InsightsQuery.extend({
  table: z.enum(["by_day", "by_agent", "by_person", "outcomes", "by_hour", "questions"]).describe("Which table."),
});
