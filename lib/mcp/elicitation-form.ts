import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from "@modelcontextprotocol/server";
import type { Ask, AskQuestion } from "../domain/ask.ts";
import type { Option, Question, QuestionType } from "../protocol/question.ts";

/** The first protocol version whose forms have lists, and titles for options. */
const WITH_LISTS = "2025-11-25";

export type Form = ElicitRequestFormParams;

/**
 * The open questions of an ask as the flat form of an elicitation. Undefined if a form cannot express them: follow-ups, a
 * list in a protocol without lists, or an irreversible question, which nobody may answer with a single key in a form.
 */
export function formOf(ask: Ask, protocol: string, textMax: number): Form | undefined {
  const open = openQuestions(ask);
  if (open.length === 0 || ask.irreversible || ask.questions.some((question) => question.parent)) return undefined;
  const properties: Form["requestedSchema"]["properties"] = {};
  const required: string[] = [];
  for (const [index, question] of open.entries()) {
    const field = FIELDS[question.type](question, { hasLists: protocol >= WITH_LISTS, textMax });
    if (!field) return undefined;
    const { header, text } = question;
    properties[name(index)] = { ...field, title: header ?? text, ...(header && { description: text }) };
    if (question.allow_other) properties[otherName(index)] = { type: "string", title: "Other", maxLength: textMax };
    else if (question.required) required.push(name(index));
  }
  const message = open.map(({ text, description }) => [text, ...(description ? [description] : [])].join("\n"));
  return { message: message.join("\n\n"), requestedSchema: { type: "object", properties, required } };
}

/** The answers in a submitted form, by question id. An empty field is no answer, and is checked as such. */
export function answersIn(ask: Ask, content: Record<string, unknown>): Record<string, unknown> {
  const answers = openQuestions(ask).map(({ question_id }, index) => {
    const answer = content[name(index)] ?? null;
    const other = content[otherName(index)];
    return [question_id, other === undefined || other === "" ? answer : { answer, other }];
  });
  return Object.fromEntries(answers);
}

function openQuestions(ask: Ask): AskQuestion[] {
  return ask.questions.filter((question) => !question.answered);
}

const name = (index: number) => `answer_${index + 1}`;
const otherName = (index: number) => `${name(index)}_other`;

/** The schema of one field without its title, or undefined if the protocol has none for it. */
type FieldSchema = (
  question: Question,
  limits: { hasLists: boolean; textMax: number },
) => PrimitiveSchemaDefinition | undefined;

/** How each type of question is asked in a form. What is filled in is already an answer of its type. */
const FIELDS: Readonly<Record<QuestionType, FieldSchema>> = {
  multiple_choice: ({ options }, { hasLists }) => {
    const initial = options.find((option) => option.default);
    const fallback = initial && { default: initial.id };
    if (hasLists) return { type: "string", oneOf: titled(options), ...fallback };
    return { type: "string", enum: options.map(({ id }) => id), enumNames: options.map(titleOf), ...fallback };
  },
  checkbox: ({ options, required, allow_other }, { hasLists }) => {
    if (!hasLists) return undefined;
    const initial = options.filter((option) => option.default).map(({ id }) => id);
    return {
      type: "array",
      ...(required && !allow_other && { minItems: 1 }),
      items: { anyOf: titled(options) },
      ...(initial.length > 0 && { default: initial }),
    };
  },
  text: ({ required, default: initial }, { textMax }) => ({
    type: "string",
    ...(required && { minLength: 1 }),
    maxLength: textMax,
    ...(typeof initial === "string" && { default: initial }),
  }),
  boolean: ({ default: initial }) => ({
    type: "boolean",
    ...(typeof initial === "boolean" && { default: initial }),
  }),
};

function titled(options: Option[]): Array<{ const: string; title: string }> {
  return options.map((option) => ({ const: option.id, title: titleOf(option) }));
}

function titleOf({ label, description }: Option): string {
  return description ? `${label} — ${description}` : label;
}
