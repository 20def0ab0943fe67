import type { Database } from "./database.ts";
import { HIDDEN } from "./hidden.ts";

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
