import { z } from "zod";
import { lengthProblem } from "./characters.ts";
import { isAddressable, isUsableKey, NOT_ADDRESSABLE, QuestionId } from "./ids.ts";
import { CONTRACT_LIMITS, type Limits } from "./limits.ts";

export const QuestionType = z
  .enum(["multiple_choice", "checkbox", "text", "boolean"])
  .describe("`multiple_choice`: one option. `checkbox`: any number. `text`: free text. `boolean`: yes or no.");
export type QuestionType = z.infer<typeof QuestionType>;

export const QuestionStatus = z.enum(["inactive", "pending", "answered", "cancelled", "timeout"]);
export type QuestionStatus = z.infer<typeof QuestionStatus>;

/**
 * The four shapes of the contract; `shell`, which is `questions` from a terminal under stricter rules; and the shapes of
 * other agents (other-agents.ts).
 */
export const Shape = z.enum(["questions", "shell", "structured", "push", "request_input", "codex", "opencode"]);
export type Shape = z.infer<typeof Shape>;

export const Option = z.object({
  id: z.string().describe("Machine-readable; unique in its question."),
  label: z.string().describe("What the person reads."),
  description: z.string().optional().describe("A longer explanation."),
  preview: z.string().optional().describe("Markdown shown next to the option while it has focus."),
  default: z.boolean().optional().describe("Preselected, and used at the deadline if the ask says so."),
});
export type Option = z.infer<typeof Option>;

/** The internal model of every question. A follow-up is a question that names the option that triggers it. */
export const Question = z.object({
  question_id: QuestionId,
  type: QuestionType,
  text: z.string().describe("The question itself."),
  header: z.string().optional().describe("A short label for it."),
  description: z.string().optional().describe("What a person needs to know to answer."),
  options: z.array(Option).describe("The choices; empty for `text` and `boolean`."),
  required: z.boolean().describe("Whether the ask needs an answer to it."),
  allow_other: z.boolean().describe("Whether free text is accepted, instead of or in addition to the options."),
  default: z.union([z.string(), z.boolean()]).optional().describe("The default of a `text` or `boolean` question."),
  parent: z
    .object({ question_id: QuestionId, option_id: z.string().describe("The option.") })
    .optional()
    .describe("The question and option that trigger this follow-up."),
});
export type Question = z.infer<typeof Question>;

/** Refuses a text of more than `max` characters, as a person counts them. */
const atMost = (max: number) =>
  z.string().refine((value) => lengthProblem(value, max) === undefined, {
    error: ({ input }) => lengthProblem(String(input), max),
  });

export const boundedText = (max: number) => atMost(max).refine((value) => value.trim() !== "", "must not be empty");

export const optionId = z
  .string()
  .min(1, "must not be empty")
  .max(256, "must have at most 256 characters")
  .refine(isUsableKey, "cannot be an id");

const AskContext = z.object({
  path: boundedText(1_000).describe("A project file the question is about."),
  lines: z
    .union([z.string().max(50), z.number().int()])
    .optional()
    .describe("The lines, for example `12-30`."),
  text: z.string().max(CONTRACT_LIMITS.contextText).optional().describe("The text of those lines."),
});

/** Fields that an ask of any shape can have. */
export const AskOptions = z.looseObject({
  tool_use_id: z
    .string()
    .min(1)
    .max(200)
    .refine(isUsableKey, "cannot be an id")
    .refine(isAddressable, NOT_ADDRESSABLE)
    .optional()
    .describe("The id of the agent's tool call. Repeat it to get the same ask."),
  idempotency_key: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Your own key for the call. Repeat it to get the same ask."),
  deadline_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("When the question times out. Without a deadline it waits forever."),
  timeout_s: z
    .number()
    .positive()
    .max(CONTRACT_LIMITS.timeoutSeconds)
    .optional()
    .describe("The deadline in seconds from now."),
  on_timeout: z
    .enum(["default", "terminate"])
    .optional()
    .describe(
      "At the deadline, use the defaults or end the ask; `terminate` by default. A space that requires a second person refuses `default`.",
    ),
  irreversible: z
    .boolean()
    .optional()
    .describe(
      "Whether the answer triggers something that cannot be undone. Nothing is preselected, the person must confirm, and it is never answered in bulk or by a default.",
    ),
  total_rounds: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('How many rounds the agent expects: "Round 2 of 3".'),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The agent's own data, stored and returned unchanged."),
  context: z.array(AskContext).max(20).optional().describe("Project files the question refers to, shown with it."),
  agent_path: z.string().max(500).optional().describe("The sub-agent that asks."),
});
export type AskOptions = z.infer<typeof AskOptions>;

/** The shapes under the limits of this installation. Only the limits of the `questions` shape are configurable. */
export function askShapes(limits: Limits) {
  const QuestionsOption = z.looseObject({
    id: optionId.optional().describe("Machine-readable; generated if missing."),
    label: boundedText(CONTRACT_LIMITS.label).describe("What the person reads."),
    description: atMost(CONTRACT_LIMITS.optionDescription).optional().describe("A longer explanation."),
    preview: z.string().max(CONTRACT_LIMITS.preview).optional().describe("Markdown shown next to it."),
  });
  const QuestionsItem = z.looseObject({
    question: boundedText(limits.questionMax).describe("The question."),
    header: z.string().optional().describe(`A short label; cut after ${limits.headerMax} characters.`),
    options: z
      .array(QuestionsOption)
      .min(1, "needs at least 1 option")
      .max(limits.maxOptions, `must have at most ${limits.maxOptions} options`)
      .describe("The choices; Other is always offered too."),
    multiSelect: z.boolean().optional().describe("Whether several options can be chosen."),
    question_id: QuestionId.optional(),
    required: z.boolean().optional().describe("True by default."),
  });
  const Questions = z.looseObject({
    questions: z
      .array(QuestionsItem)
      .min(1, "needs at least 1 question")
      .max(limits.maxQuestions, `must have at most ${limits.maxQuestions} questions`)
      .describe("One or more questions, asked together."),
  });

  const Shell = z.looseObject({
    questions: z
      .array(
        z.looseObject({
          ...QuestionsItem.shape,
          header: boundedText(limits.headerMax),
          options: z
            .array(
              z.looseObject({ ...QuestionsOption.shape, description: boundedText(CONTRACT_LIMITS.optionDescription) }),
            )
            .min(2, "needs at least 2 options")
            .max(limits.maxOptions, `must have at most ${limits.maxOptions} options`),
          multiSelect: z.boolean(),
        }),
      )
      .min(1, "needs at least 1 question")
      .max(limits.maxQuestions, `must have at most ${limits.maxQuestions} questions`)
      .superRefine((items, context) => {
        const headers = items.map((item) => item.header);
        for (const [index, header] of headers.entries()) {
          if (headers.indexOf(header) === index) continue;
          const message = `another question has the header ${JSON.stringify(header)} too; answers are named by header, so give each question its own`;
          context.addIssue({ code: "custom", path: [index, "header"], message });
        }
      }),
  });

  const most = CONTRACT_LIMITS.structured;
  /** Claude Code itself has no length limits. */
  const ClaudeCode = z.looseObject({
    questions: z
      .array(
        z.looseObject({
          ...QuestionsItem.shape,
          question: boundedText(most.question),
          options: z
            .array(
              z.looseObject({
                ...QuestionsOption.shape,
                label: boundedText(most.label),
                description: atMost(most.description).optional(),
              }),
            )
            .min(1, "needs at least 1 option")
            .max(most.options, `must have at most ${most.options} options`),
        }),
      )
      .min(1, "needs at least 1 question")
      .max(most.questions, `must have at most ${most.questions} questions`),
  });

  const StructuredOption = z.looseObject({
    id: optionId.optional().describe("Machine-readable; `option_1`, `option_2` … if missing."),
    label: boundedText(most.label).describe("What the person reads."),
    description: z.string().max(most.description).optional().describe("A longer explanation."),
    preview: z.string().max(CONTRACT_LIMITS.preview).optional().describe("Markdown shown next to it."),
    default: z.boolean().optional().describe("Preselected."),
  });
  const options = z.array(StructuredOption).max(most.options, `must have at most ${most.options} options`);
  const description = atMost(most.description).optional();

  const StructuredQuestion = z.looseObject({
    question_id: QuestionId.optional(),
    question_text: boundedText(most.question).describe("The question."),
    header: z.string().max(most.header).optional().describe("A short label."),
    description: description.describe("What a person needs to know to answer."),
    type: QuestionType,
    options: options.optional().describe("Required for `multiple_choice` and `checkbox`; not allowed otherwise."),
    required: z.boolean().optional().describe("True by default."),
    allow_other: z
      .boolean()
      .optional()
      .describe("Whether free text is accepted, instead of or in addition to the options."),
    default: z.union([z.string(), z.boolean()]).optional().describe("The default of a `text` or `boolean` question."),
    get follow_up_questions() {
      return z
        .record(z.string(), z.array(StructuredQuestion))
        .optional()
        .describe("By option id: the questions to ask if that option is chosen. They can be nested.");
    },
  });

  const Push = z.looseObject({
    type: z.literal("ask_user_question"),
    question: StructuredQuestion,
    timestamp: z
      .union([z.string(), z.number()])
      .optional()
      .describe("When the agent asked, by its own clock; stored in `input`."),
  });

  const RequestInput = z.looseObject({
    // Also the id of the ask if there is no tool_use_id.
    question_id: QuestionId.refine(isAddressable, NOT_ADDRESSABLE).optional(),
    question: boundedText(most.question).describe("The question."),
    header: z.string().max(most.header).optional().describe("A short label."),
    description: description.describe("What a person needs to know to answer."),
    options: z
      .array(z.union([boundedText(256), StructuredOption]))
      .max(most.options, `must have at most ${most.options} options`)
      .optional()
      .describe("The choices; without any, the answer is free text. A plain string is both id and label."),
    multiSelect: z.boolean().optional().describe("Whether several options can be chosen."),
    required: z.boolean().optional().describe("True by default."),
    allow_other: z.boolean().optional().describe("Whether free text is accepted instead of an option."),
    default: z.string().optional().describe("The default if there are no options."),
  });

  return { Questions, Shell, ClaudeCode, StructuredQuestion, Push, RequestInput };
}
export type StructuredQuestion = z.infer<ReturnType<typeof askShapes>["StructuredQuestion"]>;
