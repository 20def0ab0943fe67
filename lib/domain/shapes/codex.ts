import type { CheckedAnswer } from "../../protocol/answer.ts";
import { pathText } from "../../protocol/errors.ts";
import { CodexCall, OpenCodeCall } from "../../protocol/other-agents.ts";
import type { Question } from "../../protocol/question.ts";
import type { Ask, AskQuestion } from "../ask.ts";
import {
  type Body,
  doubles,
  type GivenOption,
  isBody,
  labelled,
  nthId,
  parsed,
  type Read,
  type Reading,
} from "./parse.ts";

/** What other agents call their question tool. */
export const OTHER_TOOL_NAMES = { codex: "request_user_input", opencode: "question" } as const;

/**
 * Whose call it is, where it is another agent's: by the name of its tool, else by fields that only its questions have.
 * `multiSelect` is always the `questions` shape.
 */
export function otherAgent({ body, tool_name, dialect }: Reading): "codex" | "opencode" | undefined {
  if (tool_name === OTHER_TOOL_NAMES.codex) return "codex";
  if (tool_name === OTHER_TOOL_NAMES.opencode) return "opencode";
  const items = Array.isArray(body.questions) ? body.questions : [];
  if (
    dialect !== undefined ||
    items.length === 0 ||
    !items.every(isBody) ||
    items.some((item) => "multiSelect" in item)
  )
    return;
  if (items.some((item) => "multiple" in item || "custom" in item)) return "opencode";
  const named = items.every((item) => typeof item.id === "string" && !("question_id" in item));
  return named ? "codex" : undefined;
}

/** Its ids name the answers; they are no question ids, which a conversation may have only once. */
export function readCodex(reading: Reading): Read {
  const { body, path, problems } = reading;
  const { questions: items, autoResolutionMs } = parsed(CodexCall, reading);
  const ids = items.map((item) => item.id);
  problems.push(...doubles(ids, (index) => pathText([...path, "questions", index, "id"]), "id"));
  if (autoResolutionMs && (body.deadline_at !== undefined || body.timeout_s !== undefined)) {
    const message = "give either this or a deadline, not both";
    problems.push({ path: pathText([...path, "autoResolutionMs"]), message });
  }
  const questions = items.map((item) => ({ ...item, many: false, other: item.isOther !== false }));
  return {
    shape: "codex",
    ...read(questions, reading),
    ...(autoResolutionMs && { timeout_s: autoResolutionMs / 1_000 }),
  };
}

export function readOpenCode(reading: Reading): Read {
  const items = parsed(OpenCodeCall, reading).questions;
  const questions = items.map((item) => ({ ...item, many: item.multiple === true, other: item.custom !== false }));
  return { shape: "opencode", ...read(questions, reading) };
}

type Item = {
  question: string;
  header?: string | null | undefined;
  options?: GivenOption[] | null | undefined;
  required?: boolean | undefined;
  many: boolean;
  other: boolean;
};

function read(items: Item[], { path, problems, id: idOf }: Reading): Pick<Read, "tool_use_id" | "questions"> {
  const id = idOf();
  const questions = items.map((item, index): Question => {
    const given = (item.options ?? []).map(({ id: own, label, description }) => ({ id: own, label, description }));
    const options = labelled(given, [...path, "questions", index, "options"], problems);
    return {
      question_id: nthId(id, index, items),
      type: options.length === 0 ? "text" : item.many ? "checkbox" : "multiple_choice",
      text: item.question,
      ...(item.header && { header: item.header }),
      options,
      required: item.required ?? true,
      allow_other: options.length > 0 && item.other,
    };
  });
  return { tool_use_id: id, questions };
}

type Answered = Pick<Ask, "input"> & { questions: AskQuestion[] };

/** A remark stands among the answers, marked, as Codex itself gives it: there is no other place. */
export function codexOutput({ input, questions }: Answered): Body {
  const answers = questions.map(({ answered }, index) => [
    codexId(input, index),
    {
      answers: [...given(answered?.answer), ...(answered?.answer.notes ? [`user_note: ${answered.answer.notes}`] : [])],
    },
  ]);
  return { answers: Object.fromEntries(answers) };
}

export function openCodeOutput({ questions }: Answered): Body {
  return { answers: questions.map(({ answered }) => given(answered?.answer)) };
}

/** What was given to the nth question, by an output of either; undefined where nothing was, or it is of neither. */
export function otherAgentsAnswer({ shape, input }: Pick<Ask, "shape" | "input">, output: unknown, nth: number) {
  const answers = isBody(output) ? output.answers : undefined;
  if (shape === "opencode") return Array.isArray(answers) ? strings(answers[nth]) : undefined;
  const id = codexId(input, nth);
  if (shape !== "codex" || id === undefined || !isBody(answers) || !Object.hasOwn(answers, id)) return undefined;
  const answer = answers[id];
  return isBody(answer) ? strings(answer.answers) : undefined;
}

function codexId({ questions }: Body, nth: number): string | undefined {
  const item: unknown = Array.isArray(questions) ? questions[nth] : undefined;
  return isBody(item) && typeof item.id === "string" ? item.id : undefined;
}

function given(answer: CheckedAnswer | undefined): string[] {
  return answer ? [...answer.labels, ...(answer.text === null ? [] : [answer.text])] : [];
}

function strings(value: unknown): string[] | undefined {
  const found = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  return found.length > 0 ? found : undefined;
}
