import { type ParleyError, type Problem, pathText } from "../protocol/errors.ts";
import { type BrokenSkill, Skill } from "../protocol/skill.ts";
import { invalidRequest, readInput } from "./read-input.ts";

type Template = Record<string, unknown>;

const FENCE = /^\s*(`{3,}|~{3,})\s*(?:json\s+)?ask_user_question\s*$/;
const VARIABLE = /\{\{\s*([\w-]{1,64})\s*(?:\|([^{}]*))?\}\}/g;

/** The template in a file, or undefined if it holds none. `check` throws if the template is not an ask. */
export function readSkill(
  file: string,
  folder: string,
  text: string,
  check: (filled: Template) => void,
): Skill | BrokenSkill | undefined {
  const lines = text.split(/\r?\n/);
  const fence = lines.findIndex((line) => FENCE.test(line));
  if (fence < 0) return undefined;
  const mark = FENCE.exec(lines[fence] ?? "")?.[1] ?? "```";
  const end = lines.findIndex((line, index) => index > fence && line.trim().startsWith(mark));
  if (end < 0) return { file, line: fence + 1, message: "the ask_user_question block has no end" };
  const block = lines.slice(fence + 1, end).join("\n");
  try {
    const value: unknown = JSON.parse(block);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { file, line: fence + 2, message: "an ask is an object" };
    }
    // Cleaned like any input, because it is stored like one.
    const question = readInput(Skill.shape.question, value);
    const { name = folder, description = null } = frontMatter(lines);
    const skill = { name, description, file, variables: variablesIn(question), question };
    check(filled(skill, Object.fromEntries(skill.variables.map((one) => [one.name, one.default ?? one.name]))));
    return skill;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    const inside = error instanceof SyntaxError ? lineOf(block, message) : 1;
    return { file, line: fence + 1 + inside, message };
  }
}

/** The ask with its variables filled in. Reports every variable that is missing or unknown. */
export function filled(skill: Skill, given: Record<string, string>): Template {
  const names = skill.variables.map(({ name }) => name);
  const missing = skill.variables.filter((one) => one.default === null && !Object.hasOwn(given, one.name));
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const problems: Problem[] = [
    ...missing.map(({ name }) => ({ path: pathText(["variables", name]), message: "is missing" })),
    ...unknown.map((name) => ({ path: pathText(["variables", name]), message: `is not used by ${skill.name}` })),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  // Filled into parsed values, not into the text of the file, so that a value cannot become JSON syntax.
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") {
      return value.replace(
        VARIABLE,
        (_, name: string, fallback = "") => (Object.hasOwn(given, name) ? given[name] : fallback) ?? "",
      );
    }
    if (Array.isArray(value)) return value.map(fill);
    return typeof value === "object" && value !== null ? fillAll(value) : value;
  };
  const fillAll = (template: object): Template =>
    Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value)]));
  return fillAll(skill.question);
}

export function unknownSkill(name: string, known: string[]): ParleyError {
  const available = known.length > 0 ? `available: ${known.join(", ")}` : "there are none";
  return invalidRequest([{ path: "skill", message: `unknown skill ${name}; ${available}` }]);
}

function variablesIn(question: object): Skill["variables"] {
  const found = new Map<string, string | null>();
  for (const [, name = "", fallback] of JSON.stringify(question).matchAll(VARIABLE)) {
    found.set(name, found.get(name) ?? fallback ?? null);
  }
  return [...found].map(([name, fallback]) => ({ name, default: fallback }));
}

function frontMatter(lines: string[]): { name?: string; description?: string } {
  if (lines[0]?.trim() !== "---") return {};
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  const fields = lines.slice(1, Math.max(end, 1)).flatMap((line) => {
    const [, key, value] = /^(name|description):\s*(.+?)\s*$/.exec(line) ?? [];
    return key && value ? [[key, value.replace(/^(["'])(.*)\1$/, "$2")]] : [];
  });
  return Object.fromEntries(fields);
}

/** The parser names the position where it stopped, except at the end of the text. */
function lineOf(text: string, message: string): number {
  const at = /position (\d+)/.exec(message)?.[1];
  return text.slice(0, at === undefined ? text.length : Number(at)).split("\n").length;
}
