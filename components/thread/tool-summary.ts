import { isJsonObject } from "../../lib/domain/json.ts";

/** Fields that say what a call is about, the most telling first. */
const TELLING = ["command", "file_path", "path", "notebook_path", "pattern", "query", "url", "description", "prompt"];
const LENGTH = 120;

/** What a tool was called with, in one readable line: the command, the file, or else the first text in it. */
export function toolSummary(input: unknown): string {
  if (typeof input === "string") return oneLine(input);
  if (!isJsonObject(input)) return "";
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const telling = TELLING.find((name) => texts.some(([key]) => key === name));
  const [, text = ""] = texts.find(([key]) => key === telling) ?? texts[0] ?? [];
  return oneLine(text);
}

/** The parts of a file path or a command that fit on a line. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LENGTH ? `${line.slice(0, LENGTH).trimEnd()}…` : line;
}

/** A result as one line, or how many lines it has. */
export function resultSummary(text: string): { lines: number; line: string } {
  const lines = text.trim() === "" ? [] : text.trim().split("\n");
  return { lines: lines.length, line: lines.length === 1 ? oneLine(lines[0] ?? "") : "" };
}
