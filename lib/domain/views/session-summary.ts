import type { SessionSummary } from "../../protocol/session.ts";
import { type RunState, sessionStatus } from "../lifecycle.ts";
import { totalRounds } from "./ask-view.ts";

type Conversation = {
  id: string;
  title: string | null;
  agent: string;
  run_state: RunState;
  interactive: boolean;
  current_round: number;
  total_rounds: number | null;
  pending_asks: number;
  last_sequence: number;
  space_id: string;
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
    space_id: row.space_id,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
