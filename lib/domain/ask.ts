import type { DecidedBy } from "../protocol/actor.ts";
import type { CheckedAnswer } from "../protocol/answer.ts";
import type { AskStatus, Result } from "../protocol/ask.ts";
import type { PersonRef } from "../protocol/people.ts";
import type { Question, QuestionStatus, Shape } from "../protocol/question.ts";

export type Answered = { answer: CheckedAnswer; by: DecidedBy; at: number; idempotency_key: string | null };
export type AskQuestion = Question & { status: QuestionStatus; answered: Answered | null };

/** A person is answering it, and until then nobody else should. */
export type Claim = { by: PersonRef; at: number; expires_at: number };

/** An ask with its questions and answers, as the rules see it. Times are milliseconds since 1970. */
export type Ask = {
  conversation_id: string;
  tool_use_id: string;
  tool_name: string;
  /** What the agent sent. */
  input: Record<string, unknown>;
  round: number;
  total_rounds: number | null;
  shape: Shape;
  content_hash: string;
  idempotency_key: string | null;
  turn_id: string | null;
  status: AskStatus;
  /** Incremented by every change. A command that decided on an older version loses. */
  version: number;
  /** The command behind the last change. */
  command_id: string;
  /** Its message in the thread. */
  sequence_num: number;
  inbox_item_id: string;
  deadline_at: number | null;
  on_timeout: "default" | "terminate";
  /** A person must confirm the answer on its own: never in bulk, never by a default. */
  irreversible: boolean;
  asked_by: DecidedBy;
  created_at: number;
  decided_at: number | null;
  result: Result | null;
  /** The idempotency key of the reply that settled it. */
  reply_key: string | null;
  /** The person it is assigned to. */
  assignee: PersonRef | null;
  /** Whom the agent asked for, as it named them, if they cannot have it. */
  requested_assignee: string | null;
  claim: Claim | null;
  /** When the agent received the result, if that is known. */
  delivered_at: number | null;
  questions: AskQuestion[];
};
