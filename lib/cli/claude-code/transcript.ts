import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isJsonObject } from "../../domain/json.ts";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";

// The transcript of a Claude Code session, one JSON object per line. Only its ends are read, because it can be very long.

type Entry = Record<string, unknown>;
/** How a question of Claude Code ended in its own terminal. */
export type TerminalOutcome = TerminalAnswers | "declined";
/** `response` is what the person wrote instead of choosing. */
export type TerminalAnswers = { answers: Entry; annotations: Entry; response: string | undefined };

const TAIL_BYTES = 1_048_576;
const HEAD_BYTES = 262_144;

/**
 * The id of the newest call with these questions that has no result yet. A permission hook is not told
 * for which call.
 */
export function openCall(path: string, questions: string[]): string | undefined {
  const settled = new Set<unknown>();
  for (const entry of entriesIn(path, "tail").reverse()) {
    for (const block of blocksOf(entry)) {
      if (block.type === "tool_result") settled.add(block.tool_use_id);
      if (block.type !== "tool_use" || block.name !== CLAUDE_TOOL || settled.has(block.id)) continue;
      if (sameTexts(questionTexts(block.input), questions)) return String(block.id);
    }
  }
  return undefined;
}

/** How a call ended, or undefined while it waits. */
export function endOf(path: string, tool_use_id: string): TerminalOutcome | undefined {
  for (const entry of entriesIn(path, "tail").reverse()) {
    const result = blocksOf(entry).find((block) => block.type === "tool_result" && block.tool_use_id === tool_use_id);
    if (!result) continue;
    return result.is_error ? "declined" : answersIn(record(entry.toolUseResult));
  }
  return undefined;
}

/** What the result of a call says, in a transcript or to a hook. */
export function answersIn({ answers, annotations, response }: Entry): TerminalAnswers {
  const words = typeof response === "string" && response.trim() !== "" ? response : undefined;
  return { answers: record(answers), annotations: record(annotations), response: words };
}

/** How often Claude Code has asked since a person last spoke to it. */
export function asksSincePrompt(path: string): number {
  let asks = 0;
  for (const entry of entriesIn(path, "tail").reverse()) {
    if (isPrompt(entry)) break;
    asks += blocksOf(entry).filter(({ type, name }) => type === "tool_use" && name === CLAUDE_TOOL).length;
  }
  return asks;
}

/** The title of a session: set by its person, by Claude Code, or taken from the first prompt. */
export function titleOf(path: string): string | undefined {
  const entries = [...entriesIn(path, "head"), ...entriesIn(path, "tail")];
  const named = (key: string) => entries.findLast((entry) => typeof entry[key] === "string")?.[key];
  const first = entries.find(isPrompt);
  const title = named("customTitle") ?? named("aiTitle") ?? wordsOf(record(first?.message));
  return typeof title === "string" ? title.replace(/\s+/g, " ").trim() : undefined;
}

export function questionTexts(input: unknown): string[] {
  const { questions } = record(input);
  return Array.isArray(questions) ? questions.map((one) => String(record(one).question)) : [];
}

function isPrompt({ type, isMeta, message }: Entry): boolean {
  return type === "user" && !isMeta && wordsOf(record(message)) !== undefined;
}

function wordsOf({ content }: Entry): string | undefined {
  const text = Array.isArray(content) ? record(content.find((block) => record(block).type === "text")).text : content;
  // Commands and reminders are written as tags.
  return typeof text === "string" && text.trim() !== "" && !text.trimStart().startsWith("<") ? text : undefined;
}

function blocksOf(entry: Entry): Entry[] {
  const { content } = record(entry.message);
  return Array.isArray(content) ? content.map(record) : [];
}

function entriesIn(path: string, end: "head" | "tail"): Entry[] {
  return partOf(path, end)
    .split("\n")
    .flatMap((line) => {
      try {
        return [record(JSON.parse(line))];
      } catch {
        // The line at the cut is incomplete, and the last one may not be fully written yet.
        return [];
      }
    });
}

function partOf(path: string, end: "head" | "tail"): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const length = Math.min(size, end === "head" ? HEAD_BYTES : TAIL_BYTES);
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, end === "head" ? 0 : size - length);
    return bytes.toString("utf8");
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function sameTexts(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

function record(value: unknown): Entry {
  return isJsonObject(value) ? value : {};
}
