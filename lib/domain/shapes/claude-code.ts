import type { Result } from "../../protocol/ask.ts";
import { cutTo } from "../../protocol/characters.ts";
import { FIXED } from "../../protocol/limits.ts";

/** The question tool of Claude Code, as its SDK, its hooks and its transcripts call it. */
export const CLAUDE_TOOL = "AskUserQuestion";

type Input = Record<string, unknown>;
const most = FIXED.structured;

/**
 * What Claude Code calls its question tool with, as an ask. Texts longer than any Parley takes are cut, except labels:
 * they are what comes back. A question that is cut is shown whole beside it.
 */
export function askOfClaude(input: Input): Input & { dialect: "claude-code" } {
  const { answers: _answers, annotations: _annotations, ...asked } = input;
  const questions = questionsOf(input);
  const long = questions.flatMap(({ question }, index) =>
    typeof question === "string" && cutTo(question, most.question) !== question
      ? [{ path: `question ${index + 1}`, text: question.slice(0, FIXED.contextText) }]
      : [],
  );
  const context = long.length > 0 && { context: long };
  return { ...asked, questions: questions.map(fitted), ...context, dialect: "claude-code" };
}

/**
 * The input with which Claude Code goes on: its own questions, and the answers under their very texts. A key that differs
 * in one character reads as "did not answer", without an error, so undefined is returned where nothing was answered.
 */
export function answeredInput(
  input: Input,
  { outcome, output }: Pick<Result, "outcome" | "output">,
): Input | undefined {
  if (outcome !== "answered") return undefined;
  const given = output as Input;
  // Parley cleans texts; the questions of the result stand in the order of those asked.
  const cleaned = questionsOf(given).map(({ question }) => String(question));
  const texts = questionsOf(input).map(({ question }) => String(question));
  const under = (record: unknown): Input => {
    const values = new Map(Object.entries((record ?? {}) as Input));
    const pairs = texts.map((text, index) => [text, values.get(cleaned[index] ?? text)] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  };
  const answers = under(given.answers);
  if (Object.keys(answers).length === 0) return undefined;
  const annotations = under(given.annotations);
  return { ...input, answers, ...(Object.keys(annotations).length > 0 && { annotations }) };
}

function questionsOf({ questions }: Input): Input[] {
  return Array.isArray(questions)
    ? questions.filter((one): one is Input => typeof one === "object" && one !== null)
    : [];
}

function fitted({ options, ...question }: Input): Input {
  const shorter = Array.isArray(options)
    ? options.map((option) => cut(option, "description", most.description))
    : options;
  return cut({ ...question, options: shorter }, "question", most.question);
}

function cut(within: Input, key: string, most: number): Input {
  const text = within?.[key];
  return typeof text === "string" ? { ...within, [key]: cutTo(text, most) } : within;
}
