import type { Database } from "./database.ts";

// Reads of asks off the hot path.

/** The asks of a turn that nobody answered in time. */
export async function timedOutAsks(db: Database, conversation_id: string, turn_id: string): Promise<string[]> {
  const rows = await db.prisma(({ ask }) =>
    ask.findMany({
      where: { conversation_id, turn_id, status: "timeout" },
      select: { tool_use_id: true },
    }),
  );
  return rows.map((row) => row.tool_use_id);
}

/** Which of these question ids the conversation has used already. */
export async function takenQuestionIds(db: Database, conversation_id: string, ids: string[]): Promise<string[]> {
  const rows = await db.prisma(({ question }) =>
    question.findMany({
      where: { conversation_id, question_id: { in: ids } },
      select: { question_id: true },
    }),
  );
  return rows.map((row) => row.question_id);
}

/** The ask of an inbox item. */
export async function findAskOfItem(
  db: Database,
  id: string,
): Promise<{ conversation_id: string; tool_use_id: string } | undefined> {
  const select = { conversation_id: true, tool_use_id: true };
  return (await db.prisma(({ inboxItem }) => inboxItem.findUnique({ where: { id }, select }))) ?? undefined;
}
