import type { MessageView } from "../protocol/message.ts";
import type { Database } from "./database.ts";
import { parseJson } from "./json.ts";
import { rowOf } from "./prisma.ts";
import { Statement } from "./statement.ts";
import { MESSAGE, TURN, type TurnRow, type TurnStatus } from "./tables.ts";

/** The queued turns of a conversation, in order. */
export async function queuedTurns(db: Database, conversation_id: string): Promise<TurnRow[]> {
  const where = { conversation_id, status: "queued" };
  const rows = await db.prisma(({ turn }) => turn.findMany({ where, orderBy: { number: "asc" } }));
  return rows.map((row) => rowOf(TURN, row));
}

/** Turns that a node runs, or ran when it died, and turns that ended but whose open asks are not cancelled yet. */
export async function unfinishedTurns(db: Database): Promise<TurnRow[]> {
  const where = { status: { in: ["running", "stopping"] } };
  const rows = await db.prisma(({ turn }) => turn.findMany({ where, orderBy: { id: "asc" } }));
  return rows.map((row) => rowOf(TURN, row));
}

/** Ends a turn that its conversation no longer knows of, or whose last step was not taken. */
export async function finishTurn(db: Database, id: string, from: TurnStatus, to: TurnStatus): Promise<void> {
  await db.run(
    new Statement("update turn set status = @to, owner = null where id = @id and status = @from", { id, from, to }),
  );
}

export type TurnMessage = Pick<MessageView, "sequence_num" | "type" | "role" | "content" | "metadata">;

/** The messages of a turn so far, in order. */
export async function turnMessages(db: Database, turn: TurnRow): Promise<TurnMessage[]> {
  const rows = await db.prisma(({ message }) =>
    message.findMany({
      where: {
        conversation_id: turn.conversation_id,
        sequence_num: { gt: turn.message_sequence ?? 0 },
        turn_id: turn.id,
      },
      orderBy: { sequence_num: "asc" },
      select: { sequence_num: true, type: true, role: true, content: true, metadata: true },
    }),
  );
  return rows.map((read) => {
    const row = rowOf(MESSAGE, read);
    return { ...row, content: parseJson(row.content), metadata: parseJson(row.metadata) };
  });
}
