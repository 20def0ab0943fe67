import type { z } from "zod";
import { ParleyError, type Problem, pathText } from "../protocol/errors.ts";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { cleanText, isPlain } from "./clean-text.ts";
import { problemWords } from "./problem-words.ts";

/** The only way in for what a door receives: cleans every text, bounds depth and size, then applies the schema. */
export function readInput<Value>(
  schema: z.ZodType<Value>,
  raw: unknown,
  maxValues: number = CONTRACT_LIMITS.jsonValues,
): Value {
  return applied(schema, cleaned(raw, maxValues));
}

function applied<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value, IN_WORDS);
  if (parsed.success) return parsed.data;
  throw invalidRequest(problemsOf(parsed.error));
}

/**
 * Has every schema say what to send, in the words of Parley. `async` is what zod would add to a copy of it: then each parse
 * has options of another hidden class, and all of zod's reads of them miss their caches (15 µs per round trip).
 */
export const IN_WORDS = { error: problemWords, async: false };

/** The same for JSON text. Most of it is plain: testing the text is faster than walking the value. */
export function readJson<Value>(
  schema: z.ZodType<Value>,
  text: string,
  maxValues: number = CONTRACT_LIMITS.jsonValues,
): Value {
  checkSize(text, maxValues);
  const value: unknown = JSON.parse(text);
  if (!isPlain(text) || text.includes("\\")) return readInput(schema, value, maxValues);
  return applied(schema, value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Rejects JSON text that is too deep or holds too many values before it is parsed: a value costs far more than its text. */
function checkSize(text: string, maxValues: number): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      values += 1;
      if (++depth > CONTRACT_LIMITS.jsonDepth) throw tooDeep();
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (values > maxValues) throw tooMany(maxValues);
  }
}

/** Where the string that begins at `start` ends: at the next quote that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

const tooDeep = () =>
  invalidRequest([{ path: "", message: `is nested deeper than ${CONTRACT_LIMITS.jsonDepth} levels` }]);
const tooMany = (max: number) => invalidRequest([{ path: "", message: `holds more than ${max} values` }]);

export function invalidRequest(problems: Problem[]): ParleyError {
  const first = problems[0];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const message = first ? `${first.path ? `${first.path}: ` : ""}${first.message}${more}` : "The request is not valid.";
  return new ParleyError("invalid_request", message, { problems: problems.slice(0, 100) });
}

export function problemsOf(error: z.ZodError, prefix: PropertyKey[] = []): Problem[] {
  return error.issues.flatMap((issue) => deepest(issue, prefix));
}

/** A union only says that no alternative fits; the one that got furthest says why. */
function deepest(issue: z.core.$ZodIssue, prefix: PropertyKey[]): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union") return [{ path: pathText(path), message: issue.message }];
  const nearest = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0];
  if (!nearest?.[0]?.path.length) return [{ path: pathText(path), message: issue.message }];
  return nearest.flatMap((inner) => deepest(inner, path));
}

/** The value with every text in it cleaned. Rejects a value that is too deep or holds too many values. */
export function cleaned<Value>(raw: Value, maxValues: number = CONTRACT_LIMITS.jsonValues): Value {
  let values = 0;
  const clean = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > maxValues) throw tooMany(maxValues);
    if (typeof value === "string") return cleanText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= CONTRACT_LIMITS.jsonDepth) throw tooDeep();
    // Sockets can carry bytes, which as an object would have one key per byte.
    if (ArrayBuffer.isView(value)) throw invalidRequest([{ path: "", message: "holds bytes; send text" }]);
    if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
    const object: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(value)) object[cleanText(key)] = clean(item, depth + 1);
    return { ...object };
  };
  return clean(raw, 0) as Value;
}
