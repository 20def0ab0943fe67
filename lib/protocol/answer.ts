import { z } from "zod";
import { QuestionId, SessionId } from "./ids.ts";
import { CONTRACT_LIMITS } from "./limits.ts";

const other = z.string().describe("Free text, instead of or in addition to the options, if Other is offered.");
const notes = z.string().max(CONTRACT_LIMITS.notes).describe("A note to the agent, in addition to the answer.");

// Unknown fields are kept so that lib/domain/answers.ts can refuse the answer and name them.
const Choice = z.union([z.string(), z.looseObject({ other })]);

/** Every way to write an answer; lib/domain/answers.ts interprets it by the type of the question. */
export const AnswerInput = z
  .union([
    z.string().describe("An option id, a text, `other:free text`."),
    z.boolean().describe("For a `boolean` question."),
    z.number().describe("The number printed on the option, in the index form."),
    z.null().describe("No answer, if the question is optional."),
    z.array(Choice).describe("Several options, for `checkbox`."),
    z.looseObject({
      answer: z
        .union([z.string(), z.boolean(), z.null(), z.array(Choice)])
        .optional()
        .describe("The answer itself."),
      other: other.optional(),
      notes: notes.optional(),
    }),
  ])
  .describe("The answer: an option id, several ids, a text, or true or false.");
export type AnswerInput = z.infer<typeof AnswerInput>;

/** A validated answer, exactly as it is stored and passed to the agent. */
export const CheckedAnswer = z.object({
  question_id: QuestionId,
  value: z
    .union([z.string(), z.boolean(), z.array(z.string()), z.null()])
    .describe(
      "Depends on the type: an option id, option ids in option order, text, true or false; null if there is no answer.",
    ),
  option_ids: z.array(z.string()).describe("The ids of the chosen options, in option order."),
  labels: z.array(z.string()).describe("Their labels."),
  text: z.string().nullable().describe("The free text: the answer to a `text` question, or Other."),
  notes: z.string().nullable().describe("A note to the agent."),
});
export type CheckedAnswer = z.infer<typeof CheckedAnswer>;

/** lib/domain/lifecycle.ts limits its length like that of a text answer. */
export const ReplyText = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .describe("What the person says instead of choosing. The agent is told that none of its options was chosen.");

export const AnswerRequest = z.object({
  session_id: SessionId,
  question_id: QuestionId.optional().describe("The question. Not needed with `tool_use_id` and `answers`."),
  answer: AnswerInput.optional(),
  other: other.optional(),
  notes: notes.optional(),
  follow_up_answers: z
    .record(z.string(), AnswerInput)
    .optional()
    .describe("Answers to the follow-ups of this answer, by question id, at any depth."),
  tool_use_id: z.string().min(1).max(256).optional().describe("The ask, to answer all of its questions at once."),
  answers: z
    .record(z.string(), AnswerInput)
    .optional()
    .describe("With `tool_use_id`: answers by question id, or by question index from 0 with option numbers from 1."),
  take_over: z.boolean().optional().describe("Answer even if someone else has claimed the question."),
  content_hash: z
    .string()
    .max(128)
    .optional()
    .describe("The `content_hash` of the ask that the person saw; the answer is refused if the ask differs."),
});
export type AnswerRequest = z.infer<typeof AnswerRequest>;
