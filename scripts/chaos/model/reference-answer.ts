import { type RefQuestion, type RefShape, Refusal } from "./reference-body.ts";

// An independent implementation of the rules for answers: what an answer means, or why it is refused.

export type RefAnswer = {
  value: string | boolean | string[] | null;
  options: Array<{ id: string; label: string }>;
  text: string | null;
  notes: string | null;
};

type WrappedAnswer = { answer?: unknown; other?: string; notes?: string };

export function judgeAnswer(question: RefQuestion, input: unknown, shape: RefShape, indexed: boolean): RefAnswer {
  const isWrapped = typeof input === "object" && input !== null && !Array.isArray(input);
  const { answer: bare, other, notes } = isWrapped ? (input as WrappedAnswer) : { answer: input };
  const isNothing = bare === undefined || bare === null || [bare].flat().every((part) => isBlank(part));
  const build = (value: RefAnswer["value"], options: RefAnswer["options"], text: string | null): RefAnswer => ({
    value,
    options,
    text,
    notes: isBlank(notes ?? "") ? null : (notes ?? null),
  });

  if (isNothing && isBlank(other ?? "")) {
    need(!question.required);
    return build(question.type === "checkbox" ? [] : null, [], null);
  }
  if (question.type === "text") {
    need(typeof bare === "string" && other === undefined);
    const isOther = indexed && String(bare).startsWith("other:");
    const words = isOther ? String(bare).slice("other:".length).trimStart() : String(bare);
    need(!isBlank(words));
    return build(words, [], words);
  }
  if (question.type === "boolean") {
    const said = indexed && ["1", "2"].includes(String(bare)) ? String(bare) === "1" : bare;
    need(typeof said === "boolean" && other === undefined);
    return build(Boolean(said), [{ id: String(said), label: said ? "Yes" : "No" }], null);
  }

  need(typeof bare !== "boolean");
  const parts = partsOf(bare, indexed);
  const others = isBlank(other ?? "") ? [] : [other as string];
  const picked = new Set<string>();
  for (const part of parts) {
    const option = typeof part === "string" ? optionOf(question, part, shape, indexed) : undefined;
    if (option !== undefined) picked.add(option);
    else if (typeof part !== "string") others.push(part.other);
    else {
      need(part.startsWith("other:"));
      others.push(part.slice("other:".length).trim());
    }
  }
  need(others.length === 0 || (others.length === 1 && question.other && !isBlank(others[0] ?? "")));
  const options = question.options.filter((option) => picked.has(option.id)).map(({ id, label }) => ({ id, label }));
  if (question.type === "checkbox")
    return build(
      options.map((option) => option.id),
      options,
      others[0] ?? null,
    );
  need(options.length + others.length === 1);
  return build(options[0]?.id ?? null, options, others[0] ?? null);
}

/** The default that replaces an answer at the deadline. */
export function defaultOf(question: RefQuestion): RefAnswer | undefined {
  const base = { text: null, notes: null };
  if (typeof question.default === "string")
    return { ...base, value: question.default, options: [], text: question.default };
  if (typeof question.default === "boolean") {
    const option = { id: String(question.default), label: question.default ? "Yes" : "No" };
    return { ...base, value: question.default, options: [option] };
  }
  const options = question.options.filter((option) => option.isDefault).map(({ id, label }) => ({ id, label }));
  const [first] = options;
  if (first === undefined) return undefined;
  if (question.type === "checkbox") return { ...base, value: options.map(({ id }) => id), options };
  return { ...base, value: first.id, options: [first] };
}

/** "1,3" means two numbers, but only in the index form. */
function partsOf(bare: unknown, indexed: boolean): Array<string | { other: string }> {
  if (bare === undefined || bare === null) return [];
  if (Array.isArray(bare)) return bare;
  const text = String(bare);
  return indexed && /^\s*\d+\s*(,\s*\d+\s*)*$/.test(text) ? text.split(",").map((part) => part.trim()) : [text];
}

/** Options are chosen by id; in the index form by printed number; by label if the agent could not give ids. */
function optionOf(question: RefQuestion, part: string, shape: RefShape, indexed: boolean): string | undefined {
  if (indexed && /^\d+$/.test(part)) return question.options[Number(part) - 1]?.id;
  const byId = question.options.find((option) => option.id === part);
  if (byId || ["structured", "push", "request_input"].includes(shape)) return byId?.id;
  return question.options.find((option) => option.label === part)?.id;
}

function isBlank(part: unknown): boolean {
  return typeof part === "string" && part.trim() === "";
}

function need(holds: boolean): void {
  if (!holds) throw new Refusal("invalid_answer");
}
