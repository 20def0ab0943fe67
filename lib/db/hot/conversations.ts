import type { RunState } from "../../domain/lifecycle.ts";
import type { Database } from "../database.ts";
import { select } from "../query.ts";
import { CONVERSATION, type ConversationRow } from "../tables.ts";

/** A conversation that readers may see. */
export type VisibleConversation = ConversationRow & { run_state: RunState };

const BY_ID = select(CONVERSATION, CONVERSATION.columns)<{ id: string }>("where id = @id and run_state <> 'hidden'");

/** Read for every state that watchers are sent, and for every page of a replay. */
export async function findConversation(db: Database, id: string): Promise<VisibleConversation | undefined> {
  const [row] = await db.read(BY_ID, { id });
  return row && isVisible(row) ? { ...row, interactive: Boolean(row.interactive) } : undefined;
}

export function isVisible(row: ConversationRow): row is VisibleConversation {
  return row.run_state !== "hidden";
}

const HEADS = select(CONVERSATION, ["id", "last_sequence", "last_audit"])<{ ids: string[] }>(
  "where id = any(@ids::text[])",
);
export type Head = Pick<ConversationRow, "id" | "last_sequence" | "last_audit">;

/** The newest numbers of each of these conversations. PostgreSQL only: a SQLite file has one process, which knows them. */
export async function readHeads(db: Database, ids: string[]): Promise<Head[]> {
  return ids.length === 0 ? [] : db.read(HEADS, { ids });
}
