import type { AskView, NotificationStatus } from "../../protocol/ask.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import type { Ask } from "../ask.ts";
import { answersText, deciderOf } from "./answer-text.ts";

/** What is known about the people who were notified about an open ask. */
export type Notified = Omit<NotificationStatus, "claimed_by" | "claimed_at" | "assigned_to">;

/** An ask as clients see it. `notified` is for the agent that waits. */
export function askView(ask: Ask, notified?: Notified): AskView {
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
    irreversible: ask.irreversible,
    sequence_num: ask.sequence_num,
    inbox_item_id: ask.inbox_item_id,
    content_hash: ask.content_hash,
    asked_by: ask.asked_by,
    questions: ask.questions.map(({ answered, ...question }) => ({
      answer: answered?.answer ?? null,
      answered_by: answered?.by ?? null,
      answered_at: answered ? iso(answered.at) : null,
      ...question,
    })),
    input: ask.input,
    ...holdersView(ask, ask.status === "pending"),
    requested_assignee: ask.requested_assignee,
    ...(notified && ask.status === "pending" && { notification_status: notificationStatus(ask, notified) }),
    decided_at: ask.decided_at === null ? null : iso(ask.decided_at),
    delivered_at: ask.delivered_at === null ? null : iso(ask.delivered_at),
    ...(ask.result && { result: ask.result }),
  };
}

/**
 * Who has claimed an open ask or is assigned to it. A page must compare a claim's end with the time, because it can expire
 * while shown.
 */
export function holdersView({ assignee, claim }: Pick<Ask, "assignee" | "claim">, isOpen: boolean) {
  const { by, at, expires_at } = (isOpen && claim) || {};
  return { assignee, claim: by ? { by, at: iso(at ?? 0), expires_at: iso(expires_at ?? 0) } : null };
}

function notificationStatus({ assignee, claim }: Ask, notified: Notified): NotificationStatus {
  return {
    claimed_by: claim?.by.name ?? null,
    claimed_at: claim ? iso(claim.at) : null,
    assigned_to: assignee?.name ?? null,
    ...notified,
  };
}

/** The title of a conversation, or null: a title derived from the question adds nothing to it. */
export function titleBeside(question: string, title: string | null): string | null {
  return title === null || question.startsWith(title) ? null : title;
}

/** What an inbox item is about. `question_id` is that of the first question, or the id of the ask if it has none. */
export function sourceOf(session_id: string, question_id: string): Pick<InboxItem, "type" | "source_id"> {
  return { type: "await_user_input", source_id: `conversation:${session_id}:question:${question_id}` };
}

/** An ask as the inbox shows it. */
export function inboxItem(
  ask: Ask,
  { agent, title, space_id }: { agent: string; title: string | null; space_id: string },
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
    expected_rounds: ask.total_rounds,
    question,
    questions: ask.questions.filter(({ parent }) => !parent).length,
    header: ask.questions[0]?.header || null,
    title: titleBeside(question, title),
    similar_key,
    created_at: iso(ask.created_at),
    deadline_at: ask.deadline_at === null ? null : iso(ask.deadline_at),
    irreversible: ask.irreversible,
    space_id,
    ...holdersView(ask, ask.status === "pending"),
    snoozed_until: null,
    closed_at: ask.decided_at === null ? null : iso(ask.decided_at),
    took_ms: ask.decided_at === null ? null : Math.max(0, ask.decided_at - ask.created_at),
    answer: ask.result && answersText(ask.result),
    settled: ask.result && { outcome: ask.result.outcome, decided_by: deciderOf(ask.result) },
  };
}

/** "Round 2 of 3": what the agent announced, but never less than the current round. */
export function totalRounds(announced: number | null, current: number): number {
  return Math.max(announced ?? 0, current);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
