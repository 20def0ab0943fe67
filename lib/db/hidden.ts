import type { Database } from "./database.ts";
import { Statement } from "./statement.ts";

/**
 * `run_state` of a conversation that is still being written, page by page. No read shows it or its rows until its last
 * commit sets another state. A conversation that stays hidden was left by a process that died, and is removed.
 */
export const HIDDEN = "hidden";

export async function hiddenBefore(db: Database, created_before: number): Promise<string[]> {
  const rows = await db.prisma(({ conversation }) =>
    conversation.findMany({
      where: { run_state: HIDDEN, created_at: { lt: created_before } },
      select: { id: true },
    }),
  );
  return rows.map(({ id }) => id);
}

/** Rows per statement: a removal must not block the writer. */
const PAGE = 200;

const KEYS = [
  ["ask", "tool_use_id"],
  ["question", "question_id"],
  ["answer", "question_id"],
  ["message", "sequence_num"],
  ["turn", "number"],
  ["audit_event", "number"],
] as const;

/**
 * Removes all rows of a hidden conversation, page by page. Leaves a conversation alone that is no longer hidden, and one that
 * has been sealed: it was complete once, so someone hid it in the database.
 */
export async function removeHidden(db: Database, id: string, now: number): Promise<void> {
  // From here on a commit that would show it cannot win.
  const close = `update conversation set closed_at = @now where id = @id and run_state = 'hidden'
    and not exists (select 1 from audit_seal where conversation_id = @id)`;
  if ((await db.run(new Statement(close, { id, now }))) === 0) return;
  for (const [table, key] of KEYS) {
    const page = (column: string) =>
      `select ${column} from ${table} where conversation_id = @id order by ${key} limit ${PAGE}`;
    for (let removed = PAGE; removed === PAGE; ) {
      // By way of its ask: settled items have no index by conversation.
      if (table === "ask")
        await db.run(new Statement(`delete from inbox_item where id in (${page("inbox_item_id")})`, { id }));
      const rows = `delete from ${table} where conversation_id = @id and ${key} in (${page(key)})`;
      removed = await db.run(new Statement(rows, { id }));
      await new Promise(setImmediate);
    }
  }
  await db.run(new Statement("delete from conversation where id = @id and run_state = 'hidden'", { id }));
}
