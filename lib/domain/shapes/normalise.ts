import { ParleyError, pathText } from "../../protocol/errors.ts";
import type { Limits } from "../../protocol/limits.ts";
import { CodexCall, OpenCodeCall } from "../../protocol/other-agents.ts";
import { AskOptions, askShapes, type Question, type Shape } from "../../protocol/question.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { IN_WORDS, invalidRequest, problemsOf } from "../read-input.ts";
import type { ParseState } from "./parse.ts";
import { SHAPES, shapeOf, TOOL_NAMES } from "./shapes.ts";

/** What an ask of any shape becomes. */
export type NormalisedAsk = {
  shape: Shape;
  tool_use_id: string;
  tool_name: string;
  /** What the agent sent to the tool, as it is shown and returned. */
  input: JsonObject;
  options: AskOptions;
  /** Flat, parents before their follow-ups. */
  questions: Question[];
};

/** Keys of a request that describe the call, not the question. */
const CALL_KEYS = new Set([
  "session_id",
  "session_key",
  "conversation_id",
  "wait",
  "tool_use_id",
  "idempotency_key",
  "dialect",
  "title",
  "agent",
  "space_id",
  "requested_assignee",
]);

/**
 * Reads an ask of any shape. Rejects the whole ask with every problem by path. `makeId` is called only if the agent gave
 * no tool_use_id.
 */
export function createNormalise(limits: Limits): (request: JsonObject, makeId: () => string) => NormalisedAsk {
  const schemas = { ...askShapes(limits), CodexCall, OpenCodeCall };

  return function normalise(request, makeId) {
    const { body, path, tool_name, tool_use_id } = unwrap(request);
    // The id of a tool call follows the same rules wherever it is given.
    const options = AskOptions.safeParse(tool_use_id === undefined ? body : { ...body, tool_use_id }, IN_WORDS);
    const problems = options.success ? [] : problemsOf(options.error, path);
    const report: ParseState["report"] = (at, message) => problems.push({ path: pathText([...path, ...at]), message });
    if (body.deadline_at !== undefined && body.timeout_s !== undefined)
      report(["timeout_s"], "give either deadline_at or timeout_s, not both");
    if (options.data?.irreversible && options.data.on_timeout === "default")
      report(["on_timeout"], 'cannot be "default" for an irreversible question: a person must decide. Use "terminate"');
    const parse: ParseState["parse"] = (schema) => {
      const result = schema.safeParse(body, IN_WORDS);
      if (result.success) return result.data;
      throw invalidRequest([...problems, ...problemsOf(result.error, path)]);
    };
    const id = (fallback?: string) => options.data?.tool_use_id ?? fallback ?? makeId();
    const { dialect } = request;
    const call: ParseState = { body, tool_name, dialect, limits, schemas, parse, report, id };
    const shape = shapeOf(call);
    if (!shape) throw invalidRequest([...problems, { path: pathText(path), message: NO_QUESTION }]);
    const { timeout_s, ...read } = SHAPES[shape].read(call);
    if (problems.length > 0 || !options.data) throw invalidRequest(problems);
    requireUniqueIds(read.questions);
    const input = Object.fromEntries(Object.entries(body).filter(([key]) => !CALL_KEYS.has(key)));
    const given = timeout_s ? { ...options.data, timeout_s } : options.data;
    return { shape, tool_name, input, options: given, ...read };
  };
}

const NO_QUESTION =
  'holds no question: give `questions`, `question_text`, `question`, or `type: "ask_user_question"` with `question`';

/** A call may come as a message with a tool call, as a tool call, or bare. */
function unwrap(request: JsonObject): {
  body: JsonObject;
  path: PropertyKey[];
  tool_name: string;
  tool_use_id: string | undefined;
} {
  if (request.type === "message" && Array.isArray(request.content)) {
    const calls = request.content.flatMap((block: unknown, index) =>
      isJsonObject(block) && block.type === "tool_use" ? [{ block, index }] : [],
    );
    const call = calls[0];
    if (!call || calls.length > 1) {
      throw invalidRequest([
        { path: "content", message: `must hold exactly one tool_use block; it holds ${calls.length}` },
      ]);
    }
    const inner = unwrap(call.block);
    return { ...inner, path: ["content", call.index, ...inner.path], body: { ...callOptions(request), ...inner.body } };
  }
  const key = isJsonObject(request.input) ? "input" : isJsonObject(request.arguments) ? "arguments" : undefined;
  const input = key && request[key];
  if (typeof request.name === "string" && key && isJsonObject(input)) {
    if (!TOOL_NAMES.includes(request.name)) {
      throw invalidRequest([{ path: "name", message: `is not a question tool; those are ${TOOL_NAMES.join(", ")}` }]);
    }
    const id = typeof request.id === "string" && request.id ? request.id : undefined;
    return { body: { ...callOptions(request), ...input }, path: [key], tool_name: request.name, tool_use_id: id };
  }
  return { body: request, path: [], tool_name: "ask_user_question", tool_use_id: undefined };
}

/** Options next to a wrapped call, such as a deadline, belong to it; the rest of the wrapper does not. */
function callOptions(request: JsonObject): JsonObject {
  const options = Object.keys(AskOptions.shape);
  return Object.fromEntries(Object.entries(request).filter(([key]) => options.includes(key)));
}

function requireUniqueIds(questions: Question[]): void {
  const seen = new Set<string>();
  for (const { question_id } of questions) {
    if (seen.has(question_id)) {
      throw new ParleyError("duplicate_question_id", `The question_id ${question_id} appears twice in this ask.`, {
        question_id,
      });
    }
    seen.add(question_id);
  }
}
