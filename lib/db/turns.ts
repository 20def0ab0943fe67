import type { MessageView } from "../protocol/message.ts";
import type { Database } from "./database.ts";

/** `stopping`: it has ended, and what it asked is being cancelled. */
export type TurnStatus = "queued" | "running" | "stopping" | "completed" | "interrupted" | "error";

export type TurnRow = {
  id: string;
  conversation_id: string;
  number: number;
  status: TurnStatus;
  owner: string | null;
  message_sequence: number | null;
  reason: string | null;
  ended_at: number | null;
};

const COLUMNS = "id, conversation_id, number, status, owner, message_sequence, reason, ended_at";

export async function findTurn(db: Database, id: string): Promise<TurnRow | undefined> {
  return (await db.read<TurnRow>(`select ${COLUMNS} from turn where id = ?`, [id]))[0];
}

/** The turns that wait in a conversation, in order. */
export async function queuedTurns(db: Database, conversation_id: string): Promise<TurnRow[]> {
  const sql = `select ${COLUMNS} from turn where conversation_id = ? and status = 'queued' order by number`;
  return db.read<TurnRow>(sql, [conversation_id]);
}

/** Turns that some node runs, or ran when it died, and turns that ended but still have open asks to cancel. */
export async function unfinishedTurns(db: Database): Promise<TurnRow[]> {
  return db.read<TurnRow>(`select ${COLUMNS} from turn where status in ('running', 'stopping') order by id`, []);
}

/** Ends a turn that its conversation no longer knows of, or whose last step was left undone. */
export async function finishTurn(db: Database, id: string, from: TurnStatus, to: TurnStatus): Promise<void> {
  await db.run("update turn set status = ?, owner = null where id = ? and status = ?", [to, id, from]);
}

type Row = Pick<MessageView, "sequence_num" | "type" | "role"> & { content: string; metadata: string | null };
export type TurnMessage = Pick<MessageView, "sequence_num" | "type" | "role" | "content" | "metadata">;

/** What was said in a turn so far, in order. */
export async function turnMessages(db: Database, turn: TurnRow): Promise<TurnMessage[]> {
  const sql = `select sequence_num, type, role, content, metadata from message
    where conversation_id = ? and sequence_num > ? and turn_id = ? order by sequence_num`;
  const rows = await db.read<Row>(sql, [turn.conversation_id, turn.message_sequence ?? 0, turn.id]);
  return rows.map((row) => ({
    ...row,
    content: JSON.parse(row.content),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  }));
}

/** The asks for which the agent of a turn was put away. */
export async function parkedAsks(db: Database, { conversation_id, id }: TurnRow): Promise<string[]> {
  const sql = `select tool_use_id from audit_event where conversation_id = ? and action = 'turn.parked' and after = ?`;
  const rows = await db.read<{ tool_use_id: string }>(sql, [conversation_id, JSON.stringify({ turn_id: id })]);
  return rows.map(({ tool_use_id }) => tool_use_id);
}
