import type { Database } from "./database.ts";
import { HIDDEN } from "./hidden.ts";
import { isVisible, type VisibleConversation } from "./hot/conversations.ts";
import { rowOf } from "./prisma.ts";
import { CONVERSATION } from "./tables.ts";

export type ListCursor = { updated_at: number; id: string };

/** Newest activity first. */
export async function listConversations(
  db: Database,
  after: ListCursor | undefined,
  limit: number,
): Promise<VisibleConversation[]> {
  const before = after && [
    { updated_at: { lt: after.updated_at } },
    { updated_at: after.updated_at, id: { lt: after.id } },
  ];
  const rows = await db.prisma(({ conversation }) =>
    conversation.findMany({
      where: { run_state: { not: HIDDEN }, ...(before && { OR: before }) },
      orderBy: [{ updated_at: "desc" }, { id: "desc" }],
      take: limit,
    }),
  );
  return rows.map((row) => rowOf(CONVERSATION, row)).filter(isVisible);
}

/** The conversations that were continued from this one, oldest first. */
export async function listForks(db: Database, id: string): Promise<Array<{ session_id: string; round: number }>> {
  const rows = await db.prisma(({ conversation }) =>
    conversation.findMany({
      where: { forked_from: id, run_state: { not: HIDDEN } },
      orderBy: { created_at: "asc" },
      select: { id: true, forked_round: true },
    }),
  );
  return rows.map((row) => ({ session_id: row.id, round: row.forked_round ?? 0 }));
}
