import type { Result } from "./ask.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { countCharacters } from "./question.ts";

/** The question tool of Claude Code, as its SDK, its hooks and its transcripts call it. */
export const CLAUDE_TOOL = "AskUserQuestion";

type Input = Record<string, unknown>;

/** What Claude Code calls its question tool with, as Parley takes it: its chips may be longer than ours. */
export function askOfClaude(input: Input): Input {
  const { answers: _answers, annotations: _annotations, ...asked } = input;
  return { ...asked, questions: questionsOf(input).map((question) => ({ ...question, ...fitted(question.header) })) };
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

function fitted(header: unknown): { header?: string } {
  const most = DEFAULT_LIMITS.headerMax;
  if (typeof header !== "string" || countCharacters(header, most) <= most) return {};
  const characters = [...new Intl.Segmenter().segment(header)].map(({ segment }) => segment);
  return {
    header: `${characters
      .slice(0, most - 1)
      .join("")
      .trimEnd()}…`,
  };
}
