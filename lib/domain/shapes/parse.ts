import type { z } from "zod";
import type { Limits } from "../../protocol/limits.ts";
import type { CodexCall, OpenCodeCall } from "../../protocol/other-agents.ts";
import type { askShapes, Option, Question } from "../../protocol/question.ts";
import { isJsonObject, type JsonObject } from "../json.ts";

// The shapes are part of what the browser loads, so zod is only a type here: the call brings its schemas and its parser.

/** A call that is being parsed. */
export type ParseState = {
  body: JsonObject;
  tool_name: string;
  dialect: unknown;
  limits: Limits;
  schemas: ReturnType<typeof askShapes> & { CodexCall: typeof CodexCall; OpenCodeCall: typeof OpenCodeCall };
  /** The body by one of the schemas. Throws if it does not fit. */
  parse: <Schema extends z.ZodType>(schema: Schema) => z.output<Schema>;
  /** Adds a problem at a path in the body. The ask is rejected with all of them at once. */
  report: (path: PropertyKey[], message: string) => void;
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

type ParsedOption = {
  id?: string | undefined;
  label: string;
  description?: string | null | undefined;
  preview?: string | undefined;
  default?: boolean | undefined;
};

export function withIds(options: ParsedOption[], path: PropertyKey[], call: ParseState): Option[] {
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
  reportDuplicates(call, ids, "id", (index) => [...path, index, "id"]);
  return complete;
}

export function reportDuplicates(
  call: ParseState,
  values: string[],
  what: string,
  path: (index: number) => PropertyKey[],
): void {
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) !== index) call.report(path(index), `duplicate ${what}`);
  }
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

/** A batch whose options are identified by their labels. A question without options asks for text. */
export function readItems(items: ParsedItem[], call: ParseState): ParsedAsk {
  const tool_use_id = call.id();
  const questions = items.map((item, index): Question => {
    const at = ["questions", index, "options"];
    const labels = (item.options ?? []).map(({ label }) => label);
    reportDuplicates(call, labels, "label", (nth) => [...at, nth, "label"]);
    const options = withIds(item.options ?? [], at, call);
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
