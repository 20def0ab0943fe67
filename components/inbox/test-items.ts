import type { InboxItem } from "../../lib/protocol/inbox.ts";

/** An open question, asked in this minute. */
export const item = (id: string, minute: number, more: Partial<InboxItem> = {}): InboxItem => ({
  inbox_item_id: id,
  type: "await_user_input",
  source_id: `conversation:s-${id}:question:t-${id}`,
  session_id: `s-${id}`,
  tool_use_id: `t-${id}`,
  status: "open",
  agent: "builder",
  round: 1,
  question: `Question ${id}?`,
  questions: 1,
  header: null,
  title: null,
  similar_key: id,
  created_at: new Date(minute * 60_000).toISOString(),
  deadline_at: null,
  irreversible: false,
  space_id: "spc_everyone",
  assignee: null,
  claim: null,
  closed_at: null,
  took_ms: null,
  answer: null,
  settled: null,
  ...more,
});
