import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { CheckedAnswer } from "./answer.ts";
import { SessionId, ToolUseId } from "./ids.ts";
import { Question, QuestionStatus, Shape } from "./question.ts";

export const AskStatus = z
  .enum(["pending", "answered", "cancelled", "timeout"])
  .describe("`pending`, or how it ended.");
export type AskStatus = z.infer<typeof AskStatus>;

export const Outcome = z.enum(["answered", "cancelled", "timeout"]);
export type Outcome = z.infer<typeof Outcome>;

export const Result = z.object({
  outcome: Outcome.describe("How it ended."),
  decided_by: DecidedBy.describe("Who decided. Never a person where nobody answered."),
  reason: z.string().optional().describe("Why, for a cancelled question."),
  answers: z.array(CheckedAnswer).describe("Every answer that was given."),
  output: z.unknown().describe("The result as an object, in the shape of the asker."),
  content: z.string().describe("The result as the text that the agent is given."),
});
export type Result = z.infer<typeof Result>;

export const AskView = z.object({
  tool_use_id: ToolUseId,
  session_id: SessionId,
  round: z.number().int().describe("Its number in the conversation, from 1."),
  total_rounds: z.number().int().describe("How many the agent expects, else how many there are so far."),
  status: AskStatus,
  shape: Shape.describe("How it was asked."),
  created_at: z.iso.datetime(),
  deadline_at: z.iso.datetime().nullable().describe("When it times out; null: it waits for ever."),
  on_timeout: z.enum(["default", "terminate"]),
  inbox_item_id: z.string(),
  content_hash: z.string().describe("SHA-256 of what was asked."),
  asked_by: DecidedBy,
  questions: z.array(
    Question.extend({
      status: QuestionStatus,
      answer: CheckedAnswer.nullable().describe("The answer, once there is one."),
      answered_by: DecidedBy.nullable(),
      answered_at: z.iso.datetime().nullable(),
    }),
  ),
  input: z.record(z.string(), z.unknown()).describe("What the agent really sent."),
  decided_at: z.iso.datetime().nullable(),
  result: Result.optional().describe("There once it is not pending."),
});
export type AskView = z.infer<typeof AskView>;
