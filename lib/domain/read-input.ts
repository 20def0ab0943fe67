import type { z } from "zod";
import { ParleyError, type Problem, pathText } from "../protocol/errors.ts";
import { FIXED } from "../protocol/limits.ts";

/** What no text may hold: control characters but tab and newline, and the marks that reorder text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Text as it is stored: unsafe characters gone, Unicode in its composed form; everything else as it was given. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.toWellFormed().replace(UNSAFE, "").normalize("NFC");
}

/** The same for a piece of a text: a character may be cut in two between it and the next. */
export function cleanPiece(text: string): string {
  return text.replace(UNSAFE, "");
}

/** The one way in for whatever a door received: every text cleaned, depth bounded, then the contract's schema. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  most: number = FIXED.jsonValues,
): z.output<Schema> {
  const parsed = schema.safeParse(cleaned(raw, most));
  if (parsed.success) return parsed.data;
  throw invalidRequest(problemsOf(parsed.error));
}

/** The same for JSON text. Most of it is plain, which the text itself tells faster than a walk through it. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  most: number = FIXED.jsonValues,
): z.output<Schema> {
  checkShape(text, most);
  const value: unknown = JSON.parse(text);
  if (!PLAIN.test(text) || text.includes("\\")) return readInput(schema, value, most);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(problemsOf(parsed.error));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Refuses JSON text that is too deep or holds too many values before anything is made of it: each costs far more than its text. */
function checkShape(text: string, most: number): void {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === COMMA) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      values += 1;
      if (++depth > FIXED.jsonDepth) throw tooDeep();
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (values > most) throw tooMany(most);
  }
}

const tooDeep = () => invalidRequest([{ path: "", message: `is nested deeper than ${FIXED.jsonDepth} levels` }]);
const tooMany = (most: number) => invalidRequest([{ path: "", message: `holds more than ${most} values` }]);

export function invalidRequest(problems: Problem[]): ParleyError {
  const first = problems[0];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const message = first ? `${first.path ? `${first.path}: ` : ""}${first.message}${more}` : "The request is not valid.";
  return new ParleyError("invalid_request", message, { problems: problems.slice(0, 100) });
}

export function problemsOf(error: z.ZodError, prefix: PropertyKey[] = []): Problem[] {
  return error.issues.flatMap((issue) => deepest(issue, prefix));
}

/** A union says only "no alternative fits"; the alternative that came nearest says why. */
function deepest(issue: z.core.$ZodIssue, prefix: PropertyKey[]): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union") return [{ path: pathText(path), message: issue.message }];
  const nearest = issue.errors.toSorted((a, b) => (b[0]?.path.length ?? 0) - (a[0]?.path.length ?? 0))[0];
  if (!nearest?.[0]?.path.length) return [{ path: pathText(path), message: issue.message }];
  return nearest.flatMap((inner) => deepest(inner, path));
}

/** A value with every text in it cleaned; refused where it is too deep or holds too many values. */
export function cleaned<Value>(raw: Value, most: number = FIXED.jsonValues): Value {
  let values = 0;
  const clean = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > most) throw tooMany(most);
    if (typeof value === "string") return cleanText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= FIXED.jsonDepth) throw tooDeep();
    // A socket can bring bytes. As an object they would have a key for each.
    if (ArrayBuffer.isView(value))
      throw invalidRequest([{ path: "", message: "holds bytes; only text is understood" }]);
    if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
    const object: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(value)) object[cleanText(key)] = clean(item, depth + 1);
    return { ...object };
  };
  return clean(raw, 0) as Value;
}
