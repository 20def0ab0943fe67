import type { Answered, Ask, AskQuestion } from "../domain/ask.ts";
import type { Question } from "../protocol/question.ts";
import type { NewAnswer, NewAsk, NewQuestion } from "./change.ts";
import { type Json, parseJson, toJson } from "./json.ts";
import { type AnswerRow, ASK, type AskRow, pick, type QuestionRow, without } from "./tables.ts";

// An ask is stored as one row of its own, one per question and one per answer. What the agent sent is its message.

/** A row per question: the ask, the content of its message, the question and its answer. */
export type JoinedAskRow = AskRow & {
  content: Json<{ name: string; input: Record<string, unknown> }>;
  question_status: QuestionRow["status"];
  definition: QuestionRow["definition"];
  value: AnswerRow["value"] | null;
  answered_by: AnswerRow["answered_by"] | null;
  answered_at: number | null;
  answer_key: string | null;
};

/** The rows of one ask must be adjacent. */
export function asksOf(rows: JoinedAskRow[]): Ask[] {
  const asks: Ask[] = [];
  for (const row of rows) {
    const last = asks.at(-1);
    if (last?.tool_use_id !== row.tool_use_id || last.conversation_id !== row.conversation_id) asks.push(askOf(row));
    asks.at(-1)?.questions.push(questionOf(row));
  }
  return asks;
}

const READ = without(ASK, "asked_by", "irreversible", "result");

function askOf(row: JoinedAskRow): Ask {
  const { name, input } = parseJson(row.content);
  return Object.assign(pick(row, READ), {
    tool_name: name,
    input,
    asked_by: parseJson(row.asked_by),
    irreversible: Boolean(row.irreversible),
    result: parseJson(row.result),
    questions: [],
  });
}

function questionOf(row: JoinedAskRow): AskQuestion {
  const answered =
    row.value === null || row.answered_by === null || row.answered_at === null
      ? null
      : {
          answer: parseJson(row.value),
          by: parseJson(row.answered_by),
          at: row.answered_at,
          idempotency_key: row.answer_key,
        };
  return { ...parseJson(row.definition), status: row.question_status, answered };
}

const WRITTEN = without(ASK, "conversation_id", "round", "sequence_num", "delivered_at", "asked_by", "result");

export function askRow(ask: Ask, nth_round: number, nth_message: number): NewAsk {
  const { asked_by, result } = ask;
  return Object.assign(pick(ask, WRITTEN), {
    nth_round,
    nth_message,
    asked_by: toJson(asked_by),
    result: result && toJson(result),
  });
}

export function questionRows(ask: Ask): NewQuestion[] {
  return ask.questions.map((question, position) => ({
    question_id: question.question_id,
    tool_use_id: ask.tool_use_id,
    position,
    status: question.status,
    parent_question_id: question.parent?.question_id ?? null,
    parent_option_id: question.parent?.option_id ?? null,
    definition: definitionOf(question),
  }));
}

/** What never changes of a question. */
export function definitionOf({ status: _status, answered: _answered, ...definition }: AskQuestion): Json<Question> {
  return toJson(definition);
}

export function answerRow({ answer, by, at, idempotency_key }: Answered): NewAnswer {
  return {
    question_id: answer.question_id,
    value: toJson(answer),
    answered_by: toJson(by),
    answered_at: at,
    idempotency_key,
  };
}
