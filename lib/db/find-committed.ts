import type { Change, Committed } from "./change.ts";
import type { Database } from "./database.ts";

/** Where the numbers of this very change begin, if it is stored. Its audit events are not read. */
export async function findCommitted(db: Database, { conversation_id, audit, asks }: Change): Promise<Committed> {
  const event = await db.prisma(({ auditEvent }) =>
    auditEvent.findFirst({
      where: { conversation_id, command_id: audit.command_id },
      orderBy: { number: "asc" },
      select: { first_sequence: true },
    }),
  );
  if (event?.first_sequence == null) return undefined;
  const { first_sequence } = event;
  const [first] = asks;
  if (!first) return { first_sequence, first_round: 0, events: [] };
  const ask = await db.prisma(({ ask }) =>
    ask.findUnique({
      where: { conversation_id_tool_use_id: { conversation_id, tool_use_id: first.tool_use_id } },
      select: { round: true },
    }),
  );
  return { first_sequence, first_round: (ask?.round ?? 0) - first.nth_round + 1, events: [] };
}
