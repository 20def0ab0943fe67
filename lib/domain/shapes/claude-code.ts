import type { Result } from "../../protocol/ask.ts";
import { cutTo } from "../../protocol/characters.ts";
import { CONTRACT_LIMITS } from "../../protocol/limits.ts";
import { isJsonObject, type JsonObject } from "../json.ts";

/** The name of Claude Code's question tool in its SDK, hooks and transcripts. */
export const CLAUDE_TOOL = "AskUserQuestion";

const max = CONTRACT_LIMITS.structured;

/**
 * The input of Claude Code's question tool as an ask. Texts that are too long for Parley are cut, except labels, which
 * come back as answers. A question that is cut is also shown whole, as context.
 */
export function askOfClaude(input: JsonObject): JsonObject & { dialect: "claude-code" } {
  const { answers: _answers, annotations: _annotations, ...asked } = input;
  const questions = questionsOf(input);
  const long = questions.flatMap(({ question }, index) =>
    typeof question === "string" && cutTo(question, max.question) !== question
      ? [{ path: `question ${index + 1}`, text: question.slice(0, CONTRACT_LIMITS.contextText) }]
      : [],
  );
  const context = long.length > 0 && { context: long };
  return { ...asked, questions: questions.map(fitted), ...context, dialect: "claude-code" };
}

/**
 * The input with which Claude Code continues: its own questions, and the answers keyed by their exact texts. Claude Code
 * silently reads a key that differs in one character as "did not answer". A reply in words is the Other text of each
 * question without an answer: the model is then told to read it carefully. (The `response` of Claude Code's own dialog is
 * dropped from the input that a hook returns.) Undefined if there is neither.
 */
export function answeredInput(
  input: JsonObject,
  { outcome, reply, output }: Pick<Result, "outcome" | "reply" | "output">,
): JsonObject | undefined {
  if (outcome !== "answered" && outcome !== "replied") return undefined;
  const result = isJsonObject(output) ? output : {};
  // Parley cleans texts, so the result is matched by position: its questions are in the order asked.
  const cleaned = questionsOf(result).map(({ question }) => String(question));
  const texts = questionsOf(input).map(({ question }) => String(question));
  const byExactText = (record: unknown): JsonObject => {
    const values = new Map(Object.entries(isJsonObject(record) ? record : {}));
    const pairs = texts.map((text, index) => [text, values.get(cleaned[index] ?? text)] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  };
  const others = reply === undefined ? [] : texts.map((text) => [text, reply]);
  const answers = { ...Object.fromEntries(others), ...byExactText(result.answers) };
  if (Object.keys(answers).length === 0) return undefined;
  const annotations = byExactText(result.annotations);
  return { ...input, answers, ...(Object.keys(annotations).length > 0 && { annotations }) };
}

function questionsOf({ questions }: JsonObject): JsonObject[] {
  return Array.isArray(questions) ? questions.filter(isJsonObject) : [];
}

function fitted({ options, ...question }: JsonObject): JsonObject {
  const shorter = Array.isArray(options)
    ? options.map((option) => (isJsonObject(option) ? cut(option, "description", max.description) : option))
    : options;
  return cut({ ...question, options: shorter }, "question", max.question);
}

function cut(object: JsonObject, key: string, maxLength: number): JsonObject {
  const text = object[key];
  return typeof text === "string" ? { ...object, [key]: cutTo(text, maxLength) } : object;
}
