import type { AskView } from "../../protocol/ask.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import type { SessionSummary } from "../../protocol/session.ts";
import type { Ask } from "../ask.ts";
import { sessionStatus } from "../lifecycle.ts";
import { totalRounds } from "../rounds.ts";

/** An ask as every door shows it. */
export function askView(ask: Ask): AskView {
  return {
    tool_use_id: ask.tool_use_id,
    session_id: ask.conversation_id,
    round: ask.round,
    total_rounds: totalRounds(ask.total_rounds, ask.round),
    status: ask.status,
    shape: ask.shape,
    created_at: iso(ask.created_at),
    deadline_at: ask.deadline_at === null ? null : iso(ask.deadline_at),
    on_timeout: ask.on_timeout,
    sequence_num: ask.sequence_num,
    inbox_item_id: ask.inbox_item_id,
    content_hash: ask.content_hash,
    asked_by: ask.asked_by,
    questions: ask.questions.map(({ answered, ...question }) => ({
      ...question,
      answer: answered?.answer ?? null,
      answered_by: answered?.by ?? null,
      answered_at: answered ? iso(answered.at) : null,
    })),
    input: ask.input,
    decided_at: ask.decided_at === null ? null : iso(ask.decided_at),
    delivered_at: ask.delivered_at === null ? null : iso(ask.delivered_at),
    ...(ask.result && { result: ask.result }),
  };
}

/** The title of a conversation that somebody gave it; one that was made of the question says nothing more. */
export function titleBeside(question: string, title: string | null): string | null {
  return title === null || question.startsWith(title) ? null : title;
}

/** What an inbox item is about. A question that was not found goes by the name of its ask, as a single question does. */
export function sourceOf(session_id: string, question_id: string): Pick<InboxItem, "type" | "source_id"> {
  return { type: "await_user_input", source_id: `conversation:${session_id}:question:${question_id}` };
}

/** An ask as the inbox shows it. */
export function inboxItem(
  ask: Ask,
  { agent, title }: { agent: string; title: string | null },
  similar_key: string,
): InboxItem {
  const question = ask.questions[0]?.text ?? "";
  return {
    inbox_item_id: ask.inbox_item_id,
    ...sourceOf(ask.conversation_id, ask.questions[0]?.question_id ?? ask.tool_use_id),
    session_id: ask.conversation_id,
    tool_use_id: ask.tool_use_id,
    status: ask.status === "pending" ? "open" : "closed",
    agent,
    round: ask.round,
    question,
    header: ask.questions[0]?.header || null,
    title: titleBeside(question, title),
    similar_key,
    created_at: iso(ask.created_at),
    deadline_at: ask.deadline_at === null ? null : iso(ask.deadline_at),
    closed_at: ask.decided_at === null ? null : iso(ask.decided_at),
    settled: ask.result && { outcome: ask.result.outcome, decided_by: ask.result.decided_by },
  };
}

type Conversation = {
  id: string;
  title: string | null;
  agent: string;
  run_state: string;
  interactive: boolean;
  current_round: number;
  total_rounds: number | null;
  pending_asks: number;
  last_sequence: number;
  closed_at: number | null;
  created_at: number;
  updated_at: number;
};

export function sessionSummary(row: Conversation): SessionSummary {
  return {
    session_id: row.id,
    title: row.title,
    agent: row.agent,
    status: sessionStatus(row),
    interactive: row.interactive,
    current_round: row.current_round,
    total_rounds: totalRounds(row.total_rounds, row.current_round),
    pending_asks: row.pending_asks,
    last_sequence: row.last_sequence,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
