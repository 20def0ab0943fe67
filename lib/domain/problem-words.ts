import type { z } from "zod";

/**
 * What a caller should send instead, for the schemas that do not say it themselves. It follows the path of the field:
 * "timeout_s: must be a number, not text".
 */
export function problemWords(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  const send = (what: string) => (isMissing ? `is missing; send ${what}` : `must be ${what}`);
  switch (issue.code) {
    case "invalid_type": {
      const what = named(issue.expected);
      return isMissing || issue.expected === "int" ? send(what) : `must be ${what}, not ${received(issue.input)}`;
    }
    case "invalid_value":
      return send(oneOf(issue.values.map((value) => JSON.stringify(value) ?? String(value))));
    case "invalid_union":
      return send(formsOf(issue.errors));
    case "invalid_format":
      return `must be ${FORMATS.get(issue.format) ?? "written in another form"}`;
    case "too_big":
      return `must ${size(issue.origin, "at most", Number(issue.maximum))}`;
    case "too_small":
      return isEmpty(issue.origin, Number(issue.minimum))
        ? "must not be empty"
        : `must ${size(issue.origin, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum))}`;
    case "unrecognized_keys":
      return `has a field that does not exist: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    default:
      return "is not accepted here";
  }
}

const NAMES = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
  ["null", "null"],
]);
const FORMATS = new Map([
  ["datetime", "a time, such as 2026-01-31T12:00:00Z"],
  ["url", "a web address, such as https://example.com"],
  ["uuid", "a UUID"],
]);

const named = (type: string): string => NAMES.get(type) ?? `a value of the type ${type}`;

function received(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "boolean") return String(input);
  // A number in a query that cannot be read.
  if (Number.isNaN(input)) return "other text";
  return named(typeof input);
}

/** What each form of a union takes, if they differ in their type alone. */
function formsOf(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = forms.flatMap(([first]) =>
    first?.code === "invalid_type" && first.path.length === 0 ? [named(first.expected)] : [],
  );
  return types.length > 0 ? oneOf([...new Set(types)]) : "in one of the documented forms";
}

function oneOf(values: string[]): string {
  if (values.length < 3) return values.join(" or ");
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

const isEmpty = (origin: string, minimum: number): boolean =>
  minimum === 1 && (origin === "string" || origin === "array");

function size(origin: string, bound: string, limit: number): string {
  if (origin === "string") return `have ${bound} ${limit} characters`;
  if (origin === "array") return `have ${bound} ${limit} items`;
  return `be ${bound} ${limit}`;
}
