import type { z } from "zod";
import { type Problem, pathText } from "../../protocol/errors.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { askShapes, Option, Question } from "../../protocol/question.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { invalidRequest, problemsOf } from "../read-input.ts";

/** A call that is being parsed. */
export type ParseState = {
  body: JsonObject;
  /** Where the body was found in the request. */
  path: PropertyKey[];
  /** What is wrong with it so far. The whole ask is rejected with all of them at once. */
  problems: Problem[];
  tool_name: string;
  dialect: unknown;
  schemas: ReturnType<typeof askShapes>;
  limits: Limits;
  /** The id of the ask: the agent's own, else `fallback`, else a new one. */
  id: (fallback?: string) => string;
};

export type ParsedAsk = {
  tool_use_id: string;
  /** Flat, parents before their follow-ups. */
  questions: Question[];
  /** Only where the shape has its own field for it. */
  timeout_s?: number;
};

export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  { body, path, problems }: ParseState,
): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequest([...problems, ...problemsOf(result.error, path)]);
}

type ParsedOption = {
  id?: string | undefined;
  label: string;
  description?: string | null | undefined;
  preview?: string | undefined;
  default?: boolean | undefined;
};

export function withIds(options: ParsedOption[], path: PropertyKey[], problems: Problem[]): Option[] {
  const complete = options.map(
    (option, index): Option => ({
      id: option.id ?? `option_${index + 1}`,
      label: option.label,
      ...(option.description && { description: option.description }),
      ...(option.preview && { preview: option.preview }),
      ...(option.default && { default: true }),
    }),
  );
  const ids = complete.map((option) => option.id);
  problems.push(...duplicates(ids, (index) => pathText([...path, index, "id"]), "id"));
  return complete;
}

export function duplicates(values: string[], path: (index: number) => string, what: string): Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [{ path: path(index), message: `duplicate ${what}` }],
  );
}

type ParsedItem = {
  question: string;
  question_id?: string | undefined;
  header?: string | null | undefined;
  options?: ParsedOption[] | null | undefined;
  required?: boolean | undefined;
  isMany: boolean;
  allowsOther: boolean;
};

/** A batch whose options are told apart by their labels. A question without options asks for text. */
export function readItems(items: ParsedItem[], { path, problems, id }: ParseState): ParsedAsk {
  const tool_use_id = id();
  const questions = items.map((item, index): Question => {
    const at = [...path, "questions", index, "options"];
    const labels = (item.options ?? []).map(({ label }) => label);
    problems.push(...duplicates(labels, (nth) => pathText([...at, nth, "label"]), "label"));
    const options = withIds(item.options ?? [], at, problems);
    return {
      // The ask's own id for a lone question, numbered in a batch.
      question_id: item.question_id ?? (items.length === 1 ? tool_use_id : `${tool_use_id}#${index + 1}`),
      type: options.length === 0 ? "text" : item.isMany ? "checkbox" : "multiple_choice",
      text: item.question,
      ...(item.header && { header: item.header }),
      options,
      required: item.required ?? true,
      allow_other: options.length > 0 && item.allowsOther,
    };
  });
  return { tool_use_id, questions };
}

/** The questions of a call that may be another agent's. `multiSelect` and `dialect` belong to the `questions` shape. */
export function otherAgentsItems({ body, dialect }: ParseState): JsonObject[] {
  const items: unknown[] = Array.isArray(body.questions) ? body.questions : [];
  const isTheirs = dialect === undefined && items.every((item) => isJsonObject(item) && !("multiSelect" in item));
  return isTheirs ? items.filter(isJsonObject) : [];
}
