import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from "@modelcontextprotocol/server";
import type { Ask, AskQuestion } from "../domain/ask.ts";
import type { Option } from "../protocol/question.ts";

/** The first protocol whose forms have lists and titles of their own for options. */
const WITH_LISTS = "2025-11-25";

export type Form = ElicitRequestFormParams;

/**
 * The questions of an ask that are still open, as the flat form of an elicitation; undefined where it cannot say them:
 * follow-ups, or a list in a protocol that has none.
 */
export function formOf(ask: Ask, protocol: string, textMax: number): Form | undefined {
  const open = openQuestions(ask);
  if (open.length === 0 || ask.questions.some((question) => question.parent)) return undefined;
  const properties: Form["requestedSchema"]["properties"] = {};
  const required: string[] = [];
  for (const [index, question] of open.entries()) {
    const field = fieldOf(question, protocol, textMax);
    if (!field) return undefined;
    properties[name(index)] = field;
    if (question.allow_other) properties[otherName(index)] = { type: "string", title: "Other", maxLength: textMax };
    else if (question.required) required.push(name(index));
  }
  const message = open.map(({ text, description }) => [text, ...(description ? [description] : [])].join("\n"));
  return { message: message.join("\n\n"), requestedSchema: { type: "object", properties, required } };
}

/** What was filled in, as answers by question id. A field left empty is an answer not given, and judged as such. */
export function answersIn(ask: Ask, content: Record<string, unknown>): Record<string, unknown> {
  const given = openQuestions(ask).map(({ question_id }, index) => {
    const answer = content[name(index)] ?? null;
    const other = content[otherName(index)];
    return [question_id, other === undefined || other === "" ? answer : { answer, other }];
  });
  return Object.fromEntries(given);
}

function openQuestions(ask: Ask): AskQuestion[] {
  return ask.questions.filter((question) => !question.answered);
}

const name = (index: number) => `answer_${index + 1}`;
const otherName = (index: number) => `${name(index)}_other`;

function fieldOf(question: AskQuestion, protocol: string, textMax: number): PrimitiveSchemaDefinition | undefined {
  const { type, header, text, options } = question;
  const label = { title: header ?? text, ...(header && { description: text }) };
  const chosen = options.filter((option) => option.default).map((option) => option.id);
  if (type === "boolean") {
    return { type, ...label, ...(typeof question.default === "boolean" && { default: question.default }) };
  }
  if (type === "text") {
    const fallback = typeof question.default === "string" && { default: question.default };
    return { type: "string", ...label, ...(question.required && { minLength: 1 }), maxLength: textMax, ...fallback };
  }
  const titled = options.map((option) => ({ const: option.id, title: titleOf(option) }));
  const hasLists = protocol >= WITH_LISTS;
  if (type === "checkbox") {
    if (!hasLists) return undefined;
    const least = question.required && !question.allow_other && { minItems: 1 };
    return {
      type: "array",
      ...label,
      ...least,
      items: { anyOf: titled },
      ...(chosen.length > 0 && { default: chosen }),
    };
  }
  const fallback = chosen[0] !== undefined && { default: chosen[0] };
  if (hasLists) return { type: "string", ...label, oneOf: titled, ...fallback };
  const names = { enum: options.map((option) => option.id), enumNames: options.map(titleOf) };
  return { type: "string", ...label, ...names, ...fallback };
}

function titleOf({ label, description }: Option): string {
  return description ? `${label} — ${description}` : label;
}
