import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { CheckedAnswer } from "./answer.ts";
import { SessionId, ToolUseId } from "./ids.ts";
import { StatusNote } from "./notification.ts";
import { PersonRef } from "./people.ts";
import { Question, QuestionStatus, Shape } from "./question.ts";

export const AskStatus = z
  .enum(["pending", "answered", "replied", "cancelled", "timeout"])
  .describe("`pending`, or how it ended. `replied`: a person answered in words instead of choosing.");
export type AskStatus = z.infer<typeof AskStatus>;

export const Outcome = z.enum(["answered", "replied", "cancelled", "timeout"]);
export type Outcome = z.infer<typeof Outcome>;

const answers = z.record(z.string(), z.string());

/** The result as an object: in the agent's shape, or in a form that cannot be mistaken for an answer. */
export const Output = z.union([
  z
    .looseObject({
      questions: z.array(z.unknown()).describe("The questions as they were asked."),
      answers: answers.describe("By question text: the labels, joined by commas, or the other text."),
      annotations: z
        .record(z.string(), z.object({ notes: z.string().describe("The note.") }))
        .optional()
        .describe("By question text: a note in addition to the answer."),
    })
    .describe("Asked in the `questions` shape."),
  z
    .looseObject({ answers: answers.describe("By header: the labels, or `Other (custom: …)`.") })
    .describe("Asked by the shell command."),
  z
    .looseObject({
      answers: z
        .record(z.string(), z.object({ answers: z.array(z.string()).describe("Labels, other text, `user_note: …`.") }))
        .describe("By the id that Codex gave the question; empty if there is no answer."),
    })
    .describe("Asked as Codex asks."),
  z
    .looseObject({
      answers: z
        .array(z.array(z.string()))
        .describe("In the order of the questions: labels and other text; empty if there is no answer."),
    })
    .describe("Asked as OpenCode asks."),
  z
    .looseObject({
      question_id: z.string().describe("The top-level question."),
      answer: CheckedAnswer.shape.value,
      other: z.string().optional().describe("The other text, if any."),
      notes: z.string().optional().describe("A note in addition to the answer."),
      follow_up_answers: z.record(z.string(), z.unknown()).optional().describe("By question id, at any depth."),
    })
    .describe("Asked in another shape."),
  z
    .looseObject({
      replied: z.literal(true).describe("A person replied in words and chose none of the options."),
      response: z.string().optional().describe("The words, for an ask with `questions`."),
      message: z.string().optional().describe("The words, for an ask in another shape."),
    })
    .describe(
      "A reply in words. The rest is in the asker's shape; if that shape has no field for words, each open question gets them as Other (Codex: as `user_note: …`).",
    ),
  z
    .looseObject({ cancelled: z.literal(true), reason: z.string().nullable().describe("Why.") })
    .describe("Cancelled: there is no answer."),
  z
    .looseObject({ nobody_answered: z.literal(true) })
    .describe("Timed out; if the defaults were used, they are included in the asker's shape."),
  z
    .looseObject({
      error: z
        .object({ code: z.literal("input_timeout"), message: z.string().describe("What to do.") })
        .describe("Why there is no answer."),
    })
    .describe("Timed out without a required answer."),
  z.null().describe("An imported question without a recorded result."),
]);

const WentOnWith = z.object({
  answers: z.array(z.string().nullable()).describe("By question; null where it was declined."),
  by: DecidedBy.describe("The agent that reported it."),
  at: z.iso.datetime().describe("When it was reported."),
});

export const Result = z.object({
  outcome: Outcome.describe("How it ended."),
  decided_by: DecidedBy.describe("Who decided. Never a person if nobody answered."),
  reason: z.string().optional().describe("Why, for a cancelled question."),
  reply: z.string().optional().describe("What the person wrote instead of choosing, if the outcome is `replied`."),
  answers: z.array(CheckedAnswer).describe("Every answer."),
  went_on_with: WentOnWith.optional().describe(
    "What the agent went on with, if a person decided in its own terminal at the same time: this counts. `decided_by` and `answers` then say what was answered in Parley, too late.",
  ),
  output: z.unknown().describe("The result as an object, in one of the Output forms; imported results are unchanged."),
  content: z.string().describe("The result as text, as the agent reads it."),
});
export type Result = z.infer<typeof Result>;

export const Claim = z.object({
  by: PersonRef.describe("Who is answering."),
  at: z.iso.datetime().describe("Since when."),
  expires_at: z.iso.datetime().describe("When the claim expires."),
});
export type Claim = z.infer<typeof Claim>;

export const NotificationStatus = z.object({
  claimed_by: z.string().nullable().describe("The name of the person who is answering; null if nobody is yet."),
  claimed_at: z.iso.datetime().nullable().describe("Since when."),
  assigned_to: z.string().nullable().describe("The name of the person it is assigned to."),
  notified: z.number().int().describe("How many people and space channels have been notified."),
  last_at: z.iso.datetime().nullable().describe("When the last notification went out; null if none has."),
  seen_at: z.iso.datetime().nullable().describe("When someone first saw it in Parley; null if nobody has."),
  seen_by: z.string().nullable().describe("The name of that person."),
  next_at: z.iso
    .datetime()
    .nullable()
    .describe("When more people will be notified unless it is settled first; null if nobody else will be."),
  note: StatusNote.nullable().describe(
    "Why nobody was notified. `nobody_reachable`: everyone is away, in quiet hours or unreachable. `no_channel`: nobody has a channel. Otherwise `assignee_unavailable` if the `requested_assignee` is unknown or cannot answer in this space; everyone else was asked instead. Null if there is nothing to note.",
  ),
  reachable_at: z.iso
    .datetime()
    .nullable()
    .describe("With `nobody_reachable`: when someone will be reachable again, if known."),
});
export type NotificationStatus = z.infer<typeof NotificationStatus>;

export const AskView = z.object({
  tool_use_id: ToolUseId,
  session_id: SessionId,
  round: z.number().int().describe("Its number in the conversation, from 1."),
  total_rounds: z.number().int().describe("How many rounds the agent expects, or how many there are so far."),
  status: AskStatus,
  shape: Shape.describe("How it was asked."),
  created_at: z.iso.datetime().describe("When it was asked."),
  deadline_at: z.iso.datetime().nullable().describe("When it times out; null if it waits forever."),
  on_timeout: z.enum(["default", "terminate"]).describe("What happens at the deadline."),
  irreversible: z
    .boolean()
    .describe("Whether the answer triggers something that cannot be undone, so a person must confirm it individually."),
  sequence_num: z.number().int().describe("Its message in the thread."),
  inbox_item_id: z.string().describe("Its inbox item."),
  content_hash: z.string().describe("SHA-256 of what was asked."),
  asked_by: DecidedBy.describe("Who asked, and from where."),
  questions: z
    .array(
      Question.extend({
        status: QuestionStatus.describe("`inactive`: a follow-up whose option was not chosen."),
        answer: CheckedAnswer.nullable().describe("The answer, once there is one."),
        answered_by: DecidedBy.nullable().describe("Who answered, and from where."),
        answered_at: z.iso.datetime().nullable().describe("When."),
      }),
    )
    .describe("Its questions; each follow-up comes after its parent."),
  input: z.record(z.string(), z.unknown()).describe("What the agent sent, unchanged."),
  assignee: PersonRef.nullable().describe("The person it is assigned to."),
  requested_assignee: z
    .string()
    .nullable()
    .describe("The person the agent asked for, if they are unknown or cannot answer in this space; null otherwise."),
  claim: Claim.nullable().describe("Who is answering it; null if nobody is or the claim has expired."),
  notification_status: NotificationStatus.optional().describe(
    "For the waiting agent, while the ask is pending (`POST /api/asks`, `GET /api/asks/{tool_use_id}`): who was notified and who has seen it.",
  ),
  decided_at: z.iso.datetime().nullable().describe("When it was settled."),
  delivered_at: z.iso
    .datetime()
    .nullable()
    .describe("When the agent received the result, recorded within a second; null until then."),
  result: Result.optional().describe("Present once the ask is no longer pending."),
});
export type AskView = z.infer<typeof AskView>;
