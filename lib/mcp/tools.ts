import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AskView, Result } from "../protocol/ask.ts";
import { SessionId, ToolUseId } from "../protocol/ids.ts";
import { FIXED, type Limits } from "../protocol/limits.ts";
import { AskCall } from "../protocol/operations.ts";
import { AskOptions, askShapes } from "../protocol/question.ts";
import { SkillList } from "../protocol/skill.ts";

/** What every tool answers with. Some clients show the agent only this, so it says in words what the text says. */
const message = z.string().describe("What it means for you, in words.");
const Reply = z
  .object({ message })
  .extend(
    AskView.pick({
      status: true,
      session_id: true,
      tool_use_id: true,
      round: true,
      total_rounds: true,
    }).shape,
  )
  .extend({ result: Result.optional().describe("There once the question is not pending.") });
export type Reply = z.infer<typeof Reply>;

export const OfAsk = z.object({
  session_id: SessionId.describe("The conversation: `session_id` of what ask_user_question returned."),
  tool_use_id: ToolUseId.describe("The ask: `tool_use_id` of what ask_user_question returned."),
});

export const ToCancel = OfAsk.extend({
  reason: z.string().trim().min(1).max(FIXED.reason).describe("Why; people see it in the thread."),
});

/** How each tool is listed: made from the same schemas that check its calls. */
export function toolList(limits: Limits): Tool[] {
  return [
    listed({
      name: "ask_user_question",
      title: "Ask a person",
      description: `Asks a person and waits for the answer, for ever unless a deadline is given. Use it for a decision that is not yours: a preference, a missing fact, a permission. Give either \`questions\` (at most ${limits.maxQuestions} of at most ${limits.questionMax} characters, with a header of at most ${limits.headerMax} and at most ${limits.maxOptions} options each; free text is always offered too) or one question as \`question_text\` and \`type\`, which may bring follow-ups, or a \`skill\` of list_skills. Where the result is \`pending\`, call wait_for_answer. To ask again in the same thread, pass the \`session_id\` that was returned.`,
      input: askInput(limits),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    }),
    listed({
      name: "wait_for_answer",
      title: "Wait for an answer",
      description:
        "Waits for the answer to a question that was asked before. Call it again as long as it is `pending`.",
      input: OfAsk,
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
    listed({
      name: "get_answer",
      title: "Look for an answer",
      description: "Returns at once with the answer to a question that was asked before, or with `pending`.",
      input: OfAsk,
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
    listed({
      name: "cancel_question",
      title: "Take a question back",
      description: "Cancels a question that you asked and whose answer you no longer need. Nobody can answer it then.",
      input: ToCancel,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    }),
    listed({
      name: "list_skills",
      title: "List questions by name",
      description:
        "Lists the questions of this project that ask_user_question asks by `skill`, with their `variables`.",
      input: z.object({}),
      output: SkillList,
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
  ];
}

/**
 * Both shapes as one flat object: the APIs of some models refuse a tool whose input is a union. Which fields belong
 * together is said in words, and checked when it is asked.
 */
function askInput(limits: Limits): z.ZodObject {
  const { Questions, StructuredQuestion } = askShapes(limits);
  const { session_id, title, agent, skill, variables } = AskCall.shape;
  return z.object({
    ...Questions.partial().shape,
    ...StructuredQuestion.partial().shape,
    ...AskOptions.shape,
    session_id,
    title,
    agent,
    skill,
    variables,
  });
}

type Listed = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output?: z.ZodObject;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint: boolean };
};

function listed({ input, output = Reply, annotations, ...tool }: Listed): Tool {
  return {
    ...tool,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    // Whoever answers stands outside of what the agent knows.
    annotations: { ...annotations, openWorldHint: true },
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json as Tool["inputSchema"];
}
