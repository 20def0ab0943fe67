import type { Answered, Ask, AskQuestion } from "../domain/ask.ts";
import type { PersonRef } from "../protocol/people.ts";
import type { Question } from "../protocol/question.ts";
import type { Holders, NewAnswer, NewAsk, NewQuestion } from "./change.ts";
import { type Json, parseJson, toJson } from "./json.ts";
import type { AnswerRow, AskRow, QuestionRow } from "./tables.ts";

// An ask is stored as one row, plus one per question and one per answer. Its message contains what the agent sent.

/** A row per question: the ask, the content of its message, the question and its answer. */
export type JoinedAskRow = AskRow & {
  content: Json<{ name: string; input: Record<string, unknown>; requested_assignee?: string }>;
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

function askOf(row: JoinedAskRow): Ask {
  const { name, input, requested_assignee = null } = parseJson(row.content);
  return {
    conversation_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    tool_name: name,
    input,
    round: row.round,
    total_rounds: row.total_rounds,
    shape: row.shape,
    content_hash: row.content_hash,
    idempotency_key: row.idempotency_key,
    turn_id: row.turn_id,
    status: row.status,
    version: row.version,
    command_id: row.command_id,
    sequence_num: row.sequence_num,
    inbox_item_id: row.inbox_item_id,
    deadline_at: row.deadline_at,
    on_timeout: row.on_timeout,
    irreversible: Boolean(row.irreversible),
    asked_by: parseJson(row.asked_by),
    created_at: row.created_at,
    decided_at: row.decided_at,
    result: parseJson(row.result),
    reply_key: row.reply_key,
    ...holdersOf(row),
    requested_assignee,
    delivered_at: row.delivered_at,
    questions: [],
  };
}

/** Who has an ask, from its row or from that of its inbox item. */
export function holdersOf(row: Holders): Pick<Ask, "assignee" | "claim"> {
  const by = refOf(row.claimed_by, row.claimed_by_name);
  const { claimed_at: at, claim_expires_at: expires_at } = row;
  return {
    assignee: refOf(row.assignee_id, row.assignee_name),
    claim: by === null || at === null || expires_at === null ? null : { by, at, expires_at },
  };
}

function refOf(id: string | null, name: string | null): PersonRef | null {
  return id === null ? null : { id, name: name ?? id };
}

/** The same as columns. */
export function holderColumns({ assignee, claim }: Pick<Ask, "assignee" | "claim">): Holders {
  return {
    assignee_id: assignee === null ? null : assignee.id,
    assignee_name: assignee === null ? null : assignee.name,
    claimed_by: claim === null ? null : claim.by.id,
    claimed_by_name: claim === null ? null : claim.by.name,
    claimed_at: claim === null ? null : claim.at,
    claim_expires_at: claim === null ? null : claim.expires_at,
  };
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
  return { status: row.question_status, answered, ...parseJson(row.definition) };
}

/** One literal: to copy these columns by their names, and add to the copy, takes ten times as long. */
export function askRow(ask: Ask, nth_round: number, nth_message: number): NewAsk {
  return {
    tool_use_id: ask.tool_use_id,
    total_rounds: ask.total_rounds,
    shape: ask.shape,
    content_hash: ask.content_hash,
    idempotency_key: ask.idempotency_key,
    turn_id: ask.turn_id,
    status: ask.status,
    version: ask.version,
    command_id: ask.command_id,
    inbox_item_id: ask.inbox_item_id,
    deadline_at: ask.deadline_at,
    on_timeout: ask.on_timeout,
    irreversible: ask.irreversible,
    asked_by: toJson(ask.asked_by),
    created_at: ask.created_at,
    decided_at: ask.decided_at,
    result: ask.result && toJson(ask.result),
    reply_key: ask.reply_key,
    ...holderColumns(ask),
    nth_round,
    nth_message,
  };
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
