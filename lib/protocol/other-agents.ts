import { z } from "zod";
import { FIXED } from "./limits.ts";
import { boundedText, optionId } from "./question.ts";

// The question tools of other agents, taken as they call them. They leave out what they do not use, or say null.

const most = FIXED.structured;

const options = z
  .array(
    z.looseObject({
      id: optionId.optional().describe("Machine-readable; made where missing."),
      label: boundedText(most.label).describe("What the person reads."),
      description: z.string().max(most.description).nullish().describe("More about it."),
    }),
  )
  .max(most.options, `must have at most ${most.options} options`)
  .nullish()
  .describe("What can be chosen; free text where there are none.");

const header = z.string().max(most.header).nullish().describe("A short label.");

const required = z.boolean().optional().describe("True unless said otherwise; without an answer its list is empty.");

const asked = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, "needs at least 1 question")
    .max(most.questions, `must have at most ${most.questions} questions`);

/** `request_user_input` of Codex. */
export const CodexCall = z.looseObject({
  questions: asked(
    z.looseObject({
      id: boundedText(FIXED.label).describe("The agent's own name for the question: its answer comes back under it."),
      header,
      question: boundedText(most.question).describe("The question."),
      options,
      required,
      isOther: z.boolean().nullish().describe("Whether free text is offered too; it is unless this is false."),
      isSecret: z
        .literal(false, "a secret cannot be asked here: every answer is kept in the record and shown to who reads it")
        .nullish()
        .describe("Only false: every answer is kept in the record."),
    }),
  ).describe("As Codex asks: each with an `id`, and none with `multiSelect`."),
  autoResolutionMs: z
    .number()
    .positive()
    .max(FIXED.timeoutSeconds * 1_000)
    .nullish()
    .describe("After so long the agent goes on without an answer, and is told that nobody answered."),
});

/** `question` of OpenCode. */
export const OpenCodeCall = z.looseObject({
  questions: asked(
    z.looseObject({
      question: boundedText(most.question).describe("The question."),
      header,
      options,
      required,
      multiple: z.boolean().nullish().describe("Whether several may be chosen."),
      custom: z.boolean().nullish().describe("Whether free text is offered too; it is unless this is false."),
    }),
  ).describe("As OpenCode asks: with `multiple` or `custom`, and none with `multiSelect`."),
});
