import type { MessageView } from "../protocol/message.ts";
import type { Database } from "./database.ts";

export type TurnStatus = "queued" | "running" | "completed" | "interrupted" | "error";

export type TurnRow = {
  id: string;
  conversation_id: string;
  number: number;
  status: TurnStatus;
  owner: string | null;
  message_sequence: number | null;
};

const COLUMNS = "id, conversation_id, number, status, owner, message_sequence";

export async function findTurn(db: Database, id: string): Promise<TurnRow | undefined> {
  return (await db.read<TurnRow>(`select ${COLUMNS} from turn where id = ?`, [id]))[0];
}

export async function nextQueuedTurn(db: Database, conversation_id: string): Promise<TurnRow | undefined> {
  const sql = `select ${COLUMNS} from turn where conversation_id = ? and status = 'queued' order by number limit 1`;
  return (await db.read<TurnRow>(sql, [conversation_id]))[0];
}

/** Turns that some node runs, or ran when it ended. */
export async function runningTurns(db: Database): Promise<TurnRow[]> {
  return db.read<TurnRow>(`select ${COLUMNS} from turn where status = 'running' order by id`, []);
}

/** Open asks of a turn that has ended: its node died between the two steps of an interrupt. */
export async function orphanedAsks(db: Database): Promise<Array<{ conversation_id: string; tool_use_id: string }>> {
  const sql = `select i.conversation_id, i.tool_use_id from inbox_item i
    join ask a on a.conversation_id = i.conversation_id and a.tool_use_id = i.tool_use_id
    join turn t on t.id = a.turn_id
    where i.status = 'open' and t.status in ('interrupted', 'error', 'completed')`;
  return db.read(sql, []);
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
