import type { z } from "zod";
import { type Problem, pathText } from "../../protocol/errors.ts";
import type { Option, Question, Shape } from "../../protocol/question.ts";
import { invalidRequest, problemsOf } from "../read-input.ts";

export type Body = Record<string, unknown>;

/** A request on its way into the model: where its body stood, and what is wrong with it so far. */
export type Reading = {
  body: Body;
  path: PropertyKey[];
  problems: Problem[];
  tool_name: string;
  dialect: unknown;
  id: (fallback?: string) => string;
};

/** What a shape makes of it. `timeout_s` where the shape has a word of its own for it. */
export type Read = { shape: Shape; tool_use_id: string; questions: Question[]; timeout_s?: number };

export function parsed<Schema extends z.ZodType>(schema: Schema, { body, path, problems }: Reading): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest([...problems, ...problemsOf(result.error, path)]);
}

export type GivenOption = {
  id?: string | undefined;
  label: string;
  description?: string | null | undefined;
  preview?: string | undefined;
  default?: boolean | undefined;
};

export function withIds(options: GivenOption[], path: PropertyKey[], problems: Problem[]): Option[] {
  const complete = options.map(
    (option, index): Option => ({
      id: option.id ?? `option_${index + 1}`,
      label: option.label,
      ...(option.description && { description: option.description }),
      ...(option.preview && { preview: option.preview }),
      ...(option.default && { default: true }),
    }),
  );
  problems.push(
    ...doubles(
      complete.map((option) => option.id),
      (i) => pathText([...path, i, "id"]),
      "id",
    ),
  );
  return complete;
}

/** Options that are told apart by their labels alone. */
export function labelled(options: GivenOption[], path: PropertyKey[], problems: Problem[]): Option[] {
  const labels = options.map((option) => option.label);
  problems.push(...doubles(labels, (nth) => pathText([...path, nth, "label"]), "label"));
  return withIds(options, path, problems);
}

export function doubles(values: string[], path: (index: number) => string, what: string): Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [{ path: path(index), message: `this ${what} stands there twice` }],
  );
}

/** The id of a question that has none of its own: the call's for a lone one, numbered in a batch. */
export function nthId(id: string, index: number, { length }: { length: number }): string {
  return length === 1 ? id : `${id}#${index + 1}`;
}

export function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
