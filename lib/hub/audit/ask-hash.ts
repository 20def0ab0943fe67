import { hash } from "node:crypto";
import { definitionOf } from "../../db/ask-rows.ts";
import { fieldsText } from "../../db/audit-rows.ts";
import { toJson } from "../../db/json.ts";
import type { AnswerRow, AskRow, QuestionRow } from "../../db/tables.ts";
import type { Answered, Ask, AskQuestion } from "../../domain/ask.ts";

/** JSON of an ask that its rows have already, and that need not be written again. */
type KnownTexts = { definitions?: string[]; result?: string | null };

type Field = string | number | boolean | null;
/** `json` is a text of the row that may be known already: the result of an ask, the definition of a question. */
type FieldOf<Source> = (source: Source, json: string | null) => Field;
/** How the hash covers each column of a row: by a field, or not at all for the reason given. */
type Cover<Row, Source> = { readonly [Column in keyof Row]: FieldOf<Source> | { notHashed: string } };

// Each column of the three tables must be here, or this does not compile. The order is part of the hash, so a new column
// needs a new version.

const ASK_COVER: Cover<AskRow, Ask> = {
  conversation_id: (ask) => ask.conversation_id,
  tool_use_id: (ask) => ask.tool_use_id,
  round: { notHashed: "only the commit knows it; the order of the events says what it must be" },
  total_rounds: (ask) => ask.total_rounds,
  shape: (ask) => ask.shape,
  content_hash: (ask) => ask.content_hash,
  idempotency_key: (ask) => ask.idempotency_key,
  turn_id: (ask) => ask.turn_id,
  status: (ask) => ask.status,
  version: (ask) => ask.version,
  command_id: (ask) => ask.command_id,
  sequence_num: { notHashed: "only the commit knows it; the event says what it must be" },
  inbox_item_id: (ask) => ask.inbox_item_id,
  deadline_at: (ask) => ask.deadline_at,
  on_timeout: (ask) => ask.on_timeout,
  irreversible: (ask) => ask.irreversible,
  asked_by: (ask) => toJson(ask.asked_by),
  created_at: (ask) => ask.created_at,
  decided_at: (ask) => ask.decided_at,
  result: (_, json) => json,
  reply_key: (ask) => ask.reply_key,
  assignee_id: (ask) => (ask.assignee === null ? null : ask.assignee.id),
  assignee_name: (ask) => (ask.assignee === null ? null : ask.assignee.name),
  claimed_by: (ask) => (ask.claim === null ? null : ask.claim.by.id),
  claimed_by_name: (ask) => (ask.claim === null ? null : ask.claim.by.name),
  claimed_at: (ask) => (ask.claim === null ? null : ask.claim.at),
  claim_expires_at: (ask) => (ask.claim === null ? null : ask.claim.expires_at),
  delivered_at: { notHashed: "it is written without an event, and decides nothing" },
};

const QUESTION_COVER: Cover<QuestionRow, AskQuestion> = {
  conversation_id: { notHashed: "the ask has it" },
  question_id: (question) => question.question_id,
  tool_use_id: { notHashed: "the ask has it" },
  position: { notHashed: "the questions are hashed in its order" },
  status: (question) => question.status,
  parent_question_id: { notHashed: "the definition has it; this copy is only counted" },
  parent_option_id: { notHashed: "the definition has it" },
  definition: (_, json) => json,
};

const ANSWER_COVER: Cover<AnswerRow, Answered> = {
  conversation_id: { notHashed: "the ask has it" },
  question_id: { notHashed: "its question has it" },
  value: ({ answer }) => toJson(answer),
  answered_by: ({ by }) => toJson(by),
  answered_at: ({ at }) => at,
  idempotency_key: ({ idempotency_key }) => idempotency_key,
};

const [ASK_FIELDS, QUESTION_FIELDS, ANSWER_FIELDS] = [
  fieldsOf(ASK_COVER),
  fieldsOf(QUESTION_COVER),
  fieldsOf(ANSWER_COVER),
];

const VERSION = "2.";

/** Covers an ask with its questions and answers, as stored. What the agent sent is in the ask's message, which is hashed too. */
export function askHash(ask: Ask, known: KnownTexts = {}): string {
  const { result = ask.result && toJson(ask.result), definitions = ask.questions.map(definitionOf) } = known;
  const fields: Field[] = [ask.questions.length];
  for (const field of ASK_FIELDS) fields.push(field(ask, result));
  for (const [index, question] of ask.questions.entries()) {
    for (const field of QUESTION_FIELDS) fields.push(field(question, definitions[index] ?? null));
    fields.push(question.answered !== null);
    if (question.answered) for (const field of ANSWER_FIELDS) fields.push(field(question.answered, null));
  }
  return VERSION + hash("sha256", fieldsText(fields), "base64url");
}

/** Whether the ask is as it was when this hash was made, in whichever version. */
export function isHashOf(ask_hash: string, ask: Ask): boolean {
  return ask_hash === (ask_hash.startsWith(VERSION) ? askHash(ask) : firstAskHash(ask));
}

/** The hash of the releases that covered neither assignees nor claims. Their records are verified by it forever. */
export function firstAskHash(ask: Ask): string {
  const fields: Field[] = [
    ask.conversation_id,
    ask.tool_use_id,
    ask.total_rounds,
    ask.shape,
    ask.content_hash,
    ask.idempotency_key,
    ask.turn_id,
    ask.status,
    ask.version,
    ask.command_id,
    ask.inbox_item_id,
    ask.deadline_at,
    ask.on_timeout,
    toJson(ask.asked_by),
    ask.created_at,
    ask.decided_at,
    ask.result && toJson(ask.result),
    ask.questions.length,
    ...ask.questions.map(definitionOf),
  ];
  for (const { status, answered } of ask.questions) {
    fields.push(status);
    if (answered) fields.push(toJson(answered.answer), toJson(answered.by), answered.at, answered.idempotency_key);
    else fields.push(null);
  }
  // Only where they are set: the hashes of the oldest records have neither.
  if (ask.irreversible || ask.reply_key !== null) fields.push(String(ask.irreversible), ask.reply_key);
  return hash("sha256", fieldsText(fields), "base64url");
}

function fieldsOf<Row, Source>(cover: Cover<Row, Source>): FieldOf<Source>[] {
  const fields: Array<FieldOf<Source> | { notHashed: string }> = Object.values(cover);
  return fields.filter((field) => typeof field === "function");
}
