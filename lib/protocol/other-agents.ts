import { z } from "zod";
import { CONTRACT_LIMITS } from "./limits.ts";
import { boundedText, optionId } from "./question.ts";

// The question tools of other agents, in their own shapes. Unused fields are absent or null.

const most = CONTRACT_LIMITS.structured;

const options = z
  .array(
    z.looseObject({
      id: optionId.optional().describe("Machine-readable; generated if missing."),
      label: boundedText(most.label).describe("What the person reads."),
      description: z.string().max(most.description).nullish().describe("A longer explanation."),
    }),
  )
  .max(most.options, `must have at most ${most.options} options`)
  .nullish()
  .describe("The choices; without any, the answer is free text.");

const header = z.string().max(most.header).nullish().describe("A short label.");

const required = z.boolean().optional().describe("True by default; without an answer its list is empty.");

const asked = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, "needs at least 1 question")
    .max(most.questions, `must have at most ${most.questions} questions`);

/** `request_user_input` of Codex. */
export const CodexCall = z.looseObject({
  questions: asked(
    z.looseObject({
      id: boundedText(CONTRACT_LIMITS.label).describe(
        "The agent's own id for the question; its answer is returned under it.",
      ),
      header,
      question: boundedText(most.question).describe("The question."),
      options,
      required,
      isOther: z.boolean().nullish().describe("Whether free text is offered too; true by default."),
      isSecret: z
        .literal(false, "a secret cannot be asked here: every answer is kept in the record, where others can read it")
        .nullish()
        .describe("Must be false: every answer is kept in the record."),
    }),
  ).describe("As Codex asks: each with an `id`, and none with `multiSelect`."),
  autoResolutionMs: z
    .number()
    .positive()
    .max(CONTRACT_LIMITS.timeoutSeconds * 1_000)
    .nullish()
    .describe("How long to wait. After that, the agent is told that nobody answered and continues."),
});

/** `question` of OpenCode. */
export const OpenCodeCall = z.looseObject({
  questions: asked(
    z.looseObject({
      question: boundedText(most.question).describe("The question."),
      header,
      options,
      required,
      multiple: z.boolean().nullish().describe("Whether several options can be chosen."),
      custom: z.boolean().nullish().describe("Whether free text is offered too; true by default."),
    }),
  ).describe("As OpenCode asks: with `multiple` or `custom`, and none with `multiSelect`."),
});
