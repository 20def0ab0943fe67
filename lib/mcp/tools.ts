import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { TOOL_NAMES } from "../domain/shapes/shapes.ts";
import { on, type Resource } from "../protocol/access.ts";
import type { Rights } from "../protocol/actor.ts";
import { AskView, Result } from "../protocol/ask.ts";
import { SessionId, ToolUseId } from "../protocol/ids.ts";
import { CONTRACT_LIMITS, type Limits } from "../protocol/limits.ts";
import { AskCall } from "../protocol/operations.ts";
import { AskOptions, askShapes } from "../protocol/question.ts";
import { SkillList } from "../protocol/skill.ts";

/** The reply of every tool. Some clients show the agent only this, so `message` repeats the text. */
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
      deadline_at: true,
      notification_status: true,
    }).shape,
  )
  .extend({ result: Result.optional().describe("There once the question is not pending.") });
export type Reply = z.infer<typeof Reply>;

export const OfAsk = z.object({
  session_id: SessionId.describe("The conversation: `session_id` of what ask_user_question returned."),
  tool_use_id: ToolUseId.describe("The ask: `tool_use_id` of what ask_user_question returned."),
});

export const ToCancel = OfAsk.extend({
  reason: z.string().trim().min(1).max(CONTRACT_LIMITS.reason).describe("Why; people see it in the thread."),
});

/** Instructions that a client may give its model before it looks at any tool. */
export const INSTRUCTIONS =
  "Parley puts your questions to the people you work for and waits for their answer. When a decision is theirs (an action that cannot be undone, a preference, a permission, a fact only they know), call ask_user_question instead of guessing or ending your turn with a question. If a result is `pending`, call wait_for_answer. If it is `replied`, they chose none of your options: act on their words. If nobody answered or the question was cancelled, do not act as if they had agreed.";

function askDescription({ maxQuestions, maxOptions, questionMax, headerMax }: Limits): string {
  return `Asks a person and waits for the answer, forever unless a deadline is given.

When to ask: before an action that cannot be undone, when two readings of the task lead to different work, for a preference or a permission, or for a fact that only people know. When not to ask: for what the code, its history or its documents say; for leave to do what you were told to do; or for what was already answered.

Give one of:
- \`questions\`: at most ${maxQuestions}, of at most ${questionMax} characters, each with a header of at most ${headerMax} characters and 2 to ${maxOptions} options. Do not add an option "Other": free text is always offered.
- \`question_text\` and \`type\`: one question, which may have follow-ups.
- \`skill\`: a question of list_skills.

Ask together what belongs together. Make options exclude one another unless several may be chosen, and say in each description what it leads to. Put the option you recommend first and end its label with "(Recommended)". Before an action that cannot be undone, set \`irreversible: true\`: people then confirm their answer.

If the result is \`pending\`, call wait_for_answer with its ids. If it is \`replied\`, the person answered in words instead of choosing: act on the words, and ask again if you still need a choice. To ask in the thread of an earlier question, pass its \`session_id\`.`;
}

/** What each tool is about, and the rights of which its caller needs one. */
const TOOLS = {
  ask_user_question: on("conversation", "ask"),
  wait_for_answer: on("conversation", "read"),
  get_answer: on("conversation", "read"),
  cancel_question: on("conversation", "cancel"),
  list_skills: on("none", "read"),
} as const satisfies Record<string, { needs: Rights; resource: Resource }>;
type ToolName = keyof typeof TOOLS;

/** The rights of which the caller of a tool needs one; undefined if there is no such tool. */
export function rightsOfTool(name: string): Rights | undefined {
  if (isTool(name)) return TOOLS[name].needs;
  // Agents can also call these by the names of their own question tools.
  return TOOL_NAMES.includes(name) ? TOOLS.ask_user_question.needs : undefined;
}

function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

/** The list of tools, made from the same schemas that check their calls. */
export function toolList(limits: Limits): Tool[] {
  return [
    toolOf({
      name: "ask_user_question",
      title: "Ask a person",
      description: askDescription(limits),
      input: askInput(limits),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      // Claude Code would otherwise hide it behind a search, and its model would not think of asking.
      _meta: { "anthropic/alwaysLoad": true },
    }),
    toolOf({
      name: "wait_for_answer",
      title: "Wait for an answer",
      description:
        "Waits for the answer to a question that was asked before. Call it again as long as it is `pending`.",
      input: OfAsk,
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
    toolOf({
      name: "get_answer",
      title: "Look for an answer",
      description: "Returns at once with the answer to a question that was asked before, or with `pending`.",
      input: OfAsk,
      annotations: { readOnlyHint: true, idempotentHint: true },
    }),
    toolOf({
      name: "cancel_question",
      title: "Take a question back",
      description: "Cancels a question that you asked and whose answer you no longer need. Nobody can answer it then.",
      input: ToCancel,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    }),
    toolOf({
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
 * Both shapes as one flat object, because some model APIs refuse a tool whose input is a union. The description says which
 * fields belong together, and the hub checks it.
 */
function askInput(limits: Limits): z.ZodObject {
  const { Questions, StructuredQuestion } = askShapes(limits);
  const { session_id, title, agent, requested_assignee, skill, variables } = AskCall.shape;
  return z.object({
    ...Questions.partial().shape,
    ...StructuredQuestion.partial().shape,
    ...AskOptions.shape,
    session_id,
    title,
    agent,
    requested_assignee,
    skill,
    variables,
  });
}

type ToolSpec = {
  name: ToolName;
  title: string;
  description: string;
  input: z.ZodObject;
  output?: z.ZodObject;
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint: boolean };
  _meta?: Tool["_meta"];
};

function toolOf({ input, output = Reply, annotations, ...tool }: ToolSpec): Tool {
  return {
    ...tool,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    // Answers come from outside the agent's world.
    annotations: { ...annotations, openWorldHint: true },
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { ...withoutTypeLists(json), type: "object" };
}

/** Replaces each list of types by `anyOf`: strict validators warn about such lists, and some model APIs refuse them. */
function withoutTypeLists(schema: object): Record<string, unknown> {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    return typeof value === "object" && value !== null ? withoutTypeLists(value) : value;
  };
  const { type, ...rest } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(value)]));
  if (type === undefined) return rest;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one) => ({ type: one })) } : { ...rest, type };
}
