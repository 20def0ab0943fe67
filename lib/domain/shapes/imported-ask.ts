import type { DecidedBy } from "../../protocol/actor.ts";
import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { Result } from "../../protocol/ask.ts";
import type { Question } from "../../protocol/question.ts";
import { choicesIn } from "./claude-choices.ts";
import { otherAgentsAnswer } from "./codex.ts";
import type { NormalisedAsk } from "./normalise.ts";

/** A text longer than all labels of a question together is no list of them. */
const LONGEST_LIST = 50_000;

const BY: DecidedBy = { kind: "person", name: "imported", surface: "import" };
const NOBODY: DecidedBy = { kind: "system", name: "parley", surface: "import" };

/** The outcome of an ask as an imported thread tells it: exactly what the agent read, and what can be told of the answers. */
export function importedResult(
  asked: NormalisedAsk,
  given: { content: string; is_error: boolean; output: unknown } | undefined,
): Result {
  if (!given) {
    const content = "The thread was imported without an answer to this question. No answer was given.";
    return {
      outcome: "cancelled",
      decided_by: NOBODY,
      reason: "imported without an answer",
      answers: [],
      output: null,
      content,
    };
  }
  const { content, output } = given;
  if (given.is_error)
    return {
      outcome: "cancelled",
      decided_by: NOBODY,
      reason: "imported as an error",
      answers: [],
      output: output ?? null,
      content,
    };
  const values = answersIn(asked, content, output);
  const answers = asked.questions.flatMap((question) => {
    const value = values.get(question.question_id);
    return value === undefined ? [] : [importedAnswer(question, value)];
  });
  return { outcome: "answered", decided_by: BY, answers, output: output ?? null, content };
}

export function importedBy(): DecidedBy {
  return BY;
}

function answersIn(asked: NormalisedAsk, content: string, output: unknown): Map<string, unknown> {
  const structured = asRecord(output) ?? parsed(content);
  const byText = asRecord(structured?.answers);
  const followUps = asRecord(structured?.follow_up_answers);
  const values = new Map<string, unknown>();
  for (const [index, question] of asked.questions.entries()) {
    const value =
      otherAgentsAnswer(asked, structured, index) ??
      ownValue(byText, question.text) ??
      ownValue(followUps, question.question_id) ??
      (index === 0 ? ownValue(structured, "answer") : undefined) ??
      quoted(content, question.text);
    if (value !== undefined && value !== null) values.set(question.question_id, value);
  }
  return values;
}

/** Every object has a `constructor`; that is nobody's answer. */
function ownValue(record: Record<string, unknown> | undefined, key: string): unknown {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** `"question"="answer"` in the sentence that the agent was given. */
function quoted(content: string, text: string): string | undefined {
  const start = content.indexOf(`"${text}"="`);
  if (start < 0) return undefined;
  const rest = content.slice(start + text.length + 4);
  const end = /"(?=, "|\. You can now| notes: |$)/.exec(rest);
  return end ? rest.slice(0, end.index) : undefined;
}

function importedAnswer(question: Question, value: unknown): CheckedAnswer {
  const labels = question.options.map(({ label }) => label);
  const isMany = question.type === "checkbox" && String(value).length <= LONGEST_LIST;
  const choices = choicesIn(typeof value === "string" ? value : "", labels, isMany);
  const names = Array.isArray(value)
    ? value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)))
    : typeof value === "string"
      ? [value, ...choices.chosen]
      : [];
  const rest = (Array.isArray(value) ? names : [choices.other]).filter(
    (name) => name !== "" && !isOption(question, name),
  );
  const chosen = question.options.filter((option) => names.includes(option.id) || names.includes(option.label));
  const option_ids = chosen.map((option) => option.id);
  const base = {
    question_id: question.question_id,
    option_ids,
    labels: chosen.map((option) => option.label),
    notes: null,
  };
  if (chosen.length > 0) {
    const text = rest.length > 0 ? rest.join(", ") : null;
    return { ...base, value: question.type === "checkbox" ? option_ids : (option_ids[0] ?? null), text };
  }
  if (typeof value === "boolean" && question.type === "boolean") {
    return { ...base, value, option_ids: [String(value)], labels: [value ? "Yes" : "No"], text: null };
  }
  const text =
    typeof value === "string" ? choices.other || value : rest.length > 0 ? rest.join(", ") : JSON.stringify(value);
  return { ...base, value: question.type === "text" ? text : question.type === "checkbox" ? [] : null, text };
}

function isOption({ options }: Question, name: string): boolean {
  return options.some(({ id, label }) => id === name || label === name);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
