import type { Change, Committed } from "./change.ts";
import type { Database } from "./database.ts";

/** Where the numbers of this very change begin, if it is stored. */
export async function findCommitted(db: Database, change: Change): Promise<Committed> {
  const { conversation_id, audit, asks } = change;
  const [event] = await db.read<{ first_sequence: number }>(
    "select first_sequence from audit_event where conversation_id = ? and command_id = ? order by number limit 1",
    [conversation_id, audit.command_id],
  );
  if (!event) return undefined;
  const first = asks[0];
  if (!first) return { first_sequence: event.first_sequence, first_round: 0 };
  const [ask] = await db.read<{ round: number }>(
    "select round from ask where conversation_id = ? and tool_use_id = ?",
    [conversation_id, first.tool_use_id],
  );
  return { first_sequence: event.first_sequence, first_round: (ask?.round ?? 0) - first.nth_round + 1 };
}
