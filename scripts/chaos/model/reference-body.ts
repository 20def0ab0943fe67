// An independent implementation of the rules for asks, as plain as possible: what a body means, or why it is refused.

export type Json = Record<string, unknown>;

export type RefOption = { id: string; label: string; isDefault: boolean };
export type RefQuestion = {
  id: string;
  type: "multiple_choice" | "checkbox" | "text" | "boolean";
  text: string;
  header: string | undefined;
  options: RefOption[];
  required: boolean;
  other: boolean;
  default: string | boolean | undefined;
  parent: { id: string; option: string } | undefined;
};
export type RefShape = "questions" | "shell" | "structured" | "push" | "request_input" | "codex" | "opencode";
export type RefBody = { shape: RefShape; tool: string; questions: RefQuestion[] };

export class Refusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** `tool` is the id of the call, or the one that Parley gives it. */
export function readBody(body: Json, isShell: boolean, tool: string | undefined, made: string): RefBody {
  if (body.timeout_s !== undefined && body.deadline_at !== undefined) throw new Refusal("invalid_request");
  if (body.timeout_s !== undefined && !(Number(body.timeout_s) > 0)) throw new Refusal("invalid_request");
  if (![undefined, "default", "terminate"].includes(body.on_timeout as string)) throw new Refusal("invalid_request");
  need(isFlag(body.irreversible) && !(body.irreversible === true && body.on_timeout === "default"));
  const read = () => {
    if (Array.isArray(body.questions) && isForeign(body.questions, isShell))
      return fromForeign(body.questions, tool ?? made);
    if (Array.isArray(body.questions)) return fromQuestions(body.questions, isShell, tool ?? made);
    if (body.type === "ask_user_question") return fromTree("push", body.question as Json, tool ?? made);
    if ("question_text" in body) return fromTree("structured", body, tool ?? made);
    return fromRequestInput(body, tool ?? (body.question_id as string | undefined) ?? made);
  };
  const found = read();
  const ids = found.questions.map((question) => question.id);
  if (new Set(ids).size < ids.length) throw new Refusal("duplicate_question_id");
  return found;
}

function fromQuestions(items: Json[], isShell: boolean, tool: string): RefBody {
  need(items.length >= 1 && items.length <= 4);
  need(isDistinct(items.map((item) => item.question)));
  need(!isShell || isDistinct(items.map((item) => item.header)));
  const questions = items.map((item, index): RefQuestion => {
    need(isText(item.question, 500) && isFlag(item.required) && Array.isArray(item.options));
    const options = readOptions(item.options as Json[], isShell ? 2 : 1, 4, 50);
    need(isDistinct(options.map((option) => option.label)));
    return {
      id: (item.question_id as string) ?? (items.length === 1 ? tool : `${tool}#${index + 1}`),
      type: item.multiSelect === true ? "checkbox" : "multiple_choice",
      text: String(item.question),
      header: item.header as string | undefined,
      options: options.map((option) => ({ ...option, isDefault: false })),
      required: item.required !== false,
      other: true,
      default: undefined,
      parent: undefined,
    };
  });
  return { shape: isShell ? "shell" : "questions", tool, questions };
}

function isForeign(items: Json[], isShell: boolean): boolean {
  const has = (key: string) => items.some((item) => key in item);
  if (isShell || has("multiSelect")) return false;
  return has("multiple") || has("custom") || items.every((item) => "id" in item && !("question_id" in item));
}

/** Codex gives each question an id; OpenCode sets `multiple` or `custom`. */
function fromForeign(items: Json[], tool: string): RefBody {
  const isOpenCode = items.some((item) => "multiple" in item || "custom" in item);
  need(items.length >= 1 && items.length <= 20);
  need(isOpenCode || isDistinct(items.map((item) => item.id)));
  const questions = items.map((item, index): RefQuestion => {
    need(isText(item.question, 2_000) && isFlag(item.required) && item.isSecret !== true);
    const options = readOptions((item.options ?? []) as Json[], 0, 50, 500);
    need(isDistinct(options.map((option) => option.label)));
    const isMany = isOpenCode && item.multiple === true;
    return {
      id: items.length === 1 ? tool : `${tool}#${index + 1}`,
      type: options.length === 0 ? "text" : isMany ? "checkbox" : "multiple_choice",
      text: String(item.question),
      header: item.header as string | undefined,
      options: options.map((option) => ({ ...option, isDefault: false })),
      required: item.required !== false,
      other: options.length > 0 && (isOpenCode ? item.custom : item.isOther) !== false,
      default: undefined,
      parent: undefined,
    };
  });
  return { shape: isOpenCode ? "opencode" : "codex", tool, questions };
}

function fromTree(shape: "structured" | "push", root: Json, tool: string): RefBody {
  const questions: RefQuestion[] = [];
  const add = (node: Json, level: number, parent: RefQuestion["parent"]): void => {
    need(level <= 5 && isText(node.question_text, 2_000) && isFlag(node.required));
    const type = node.type as RefQuestion["type"];
    const isChoice = type === "multiple_choice" || type === "checkbox";
    const given = (node.options ?? []) as Json[];
    need(isChoice || given.length === 0);
    const question: RefQuestion = {
      id: (node.question_id as string) ?? (questions.length === 0 ? tool : `${tool}#${questions.length + 1}`),
      type,
      text: String(node.question_text),
      header: undefined,
      options: isChoice ? readOptions(given, 1, 50, 500) : [],
      required: node.required !== false,
      other: isChoice && node.allow_other === true,
      default: node.default as RefQuestion["default"],
      parent,
    };
    questions.push(question);
    for (const [option, followUps] of Object.entries((node.follow_up_questions ?? {}) as Record<string, Json[]>))
      for (const followUp of followUps) add(followUp, level + 1, { id: question.id, option });
  };
  add(root, 1, undefined);
  need(questions.length <= 20);
  return { shape, tool, questions };
}

function fromRequestInput(body: Json, tool: string): RefBody {
  need(isText(body.question, 2_000) && isFlag(body.required));
  const given = (body.options ?? []) as Array<Json | string>;
  const options = readOptions(
    given.map((option) => (typeof option === "string" ? { id: option, label: option, isBare: true } : option)),
    0,
    50,
    500,
  );
  const question: RefQuestion = {
    id: (body.question_id as string) ?? tool,
    type: options.length === 0 ? "text" : body.multiSelect === true ? "checkbox" : "multiple_choice",
    text: String(body.question),
    header: undefined,
    options,
    required: body.required !== false,
    other: options.length > 0 && body.allow_other === true,
    default: undefined,
    parent: undefined,
  };
  return { shape: "request_input", tool, questions: [question] };
}

function readOptions(given: Json[], least: number, most: number, longest: number): RefOption[] {
  need(given.length >= least && given.length <= most);
  const options = given.map((option, index) => ({
    id: (option.id as string) ?? `option_${index + 1}`,
    label: String(option.label),
    isDefault: option.default === true,
  }));
  need(given.every((option) => isText(option.label, longest) && (option.id !== "__proto__" || option.isBare === true)));
  need(isDistinct(options.map((option) => option.id)));
  return options;
}

function need(holds: boolean): void {
  if (!holds) throw new Refusal("invalid_request");
}

function isText(value: unknown, most: number): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= most;
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isDistinct(values: unknown[]): boolean {
  return new Set(values).size === values.length;
}
