import { z } from "zod";
import { QuestionId, SessionId } from "./ids.ts";
import { FIXED } from "./limits.ts";

const other = z.string().describe("Free text instead of, or beside, the options, where Other is offered.");
const notes = z.string().max(FIXED.notes).describe("A remark to the agent, beside the answer.");

// Fields that are not known are kept, for the answer to be refused by their name: lib/domain/answers.ts.
const Choice = z.union([z.string(), z.looseObject({ other })]);

/** Everything an answer may be written as; what it means depends on the question: lib/domain/answers.ts. */
export const AnswerInput = z
  .union([
    z.string().describe("An option id, a text, `other:free text`."),
    z.boolean().describe("For a `boolean` question."),
    z.number().describe("The number printed on the option, in the index form."),
    z.null().describe("No answer, where the question is optional."),
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

/** An answer after it was checked. Exactly this is stored and given to the agent. */
export const CheckedAnswer = z.object({
  question_id: QuestionId,
  value: z
    .union([z.string(), z.boolean(), z.array(z.string()), z.null()])
    .describe("By type: an option id, option ids in option order, a text, true or false; null where none was given."),
  option_ids: z.array(z.string()).describe("The ids of the chosen options, in option order."),
  labels: z.array(z.string()).describe("Their labels."),
  text: z.string().nullable().describe("The free text: the answer to a `text` question, or Other."),
  notes: z.string().nullable().describe("A remark beside the answer."),
});
export type CheckedAnswer = z.infer<typeof CheckedAnswer>;

export const AnswerRequest = z.object({
  session_id: SessionId,
  question_id: QuestionId.optional().describe("The question. Not needed with `tool_use_id` and `answers`."),
  answer: AnswerInput.optional(),
  other: other.optional(),
  notes: notes.optional(),
  follow_up_answers: z
    .record(z.string(), AnswerInput)
    .optional()
    .describe("Answers to the follow-ups that this answer brings up, by question id, at any depth."),
  tool_use_id: z.string().min(1).max(256).optional().describe("The ask, to answer all of its questions at once."),
  answers: z
    .record(z.string(), AnswerInput)
    .optional()
    .describe("With `tool_use_id`: answers by question id, or by question index from 0 with option numbers from 1."),
  content_hash: z
    .string()
    .max(128)
    .optional()
    .describe("The ask's `content_hash` as it was seen; the answer is refused if the ask is another one."),
});
export type AnswerRequest = z.infer<typeof AnswerRequest>;
