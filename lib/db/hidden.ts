import type { Database } from "./database.ts";

/**
 * `run_state` of a conversation that is still being written, page by page. No read shows it, or what belongs to it, until
 * its last commit sets another state. What stays hidden was left by a process that died, and is removed.
 */
export const HIDDEN = "hidden";

const PAGE = 200;

export async function hiddenBefore(db: Database, created_before: number): Promise<string[]> {
  const sql = "select id from conversation where run_state = 'hidden' and created_at < ?";
  return (await db.read<{ id: string }>(sql, [created_before])).map(({ id }) => id);
}

/** Removes all rows of a hidden conversation, a page at a time; leaves one alone that is not hidden any more. */
export async function removeHidden(db: Database, id: string, now: number): Promise<void> {
  // From here on a commit that would show it cannot win.
  await db.run("update conversation set closed_at = ? where id = ? and run_state = 'hidden'", [now, id]);
  const hidden = await db.read("select id from conversation where id = ? and run_state = 'hidden'", [id]);
  if (hidden.length === 0) return;
  await removePages(db, "ask", "tool_use_id", id, async (keys) => {
    const items = `select inbox_item_id from ask where conversation_id = ? and tool_use_id in (${marks(keys)})`;
    await db.run(`delete from inbox_item where id in (${items})`, [id, ...keys]);
  });
  for (const [table, key] of [
    ["question", "question_id"],
    ["answer", "question_id"],
    ["message", "sequence_num"],
    ["turn", "number"],
    ["audit_event", "number"],
    ["audit_seal", "number"],
  ] as const) {
    await removePages(db, table, key, id);
  }
  await db.run("delete from conversation where id = ? and run_state = 'hidden'", [id]);
}

async function removePages(
  db: Database,
  table: string,
  key: string,
  id: string,
  before: (keys: unknown[]) => Promise<void> = async () => {},
): Promise<void> {
  for (;;) {
    const sql = `select ${key} as key from ${table} where conversation_id = ? limit ${PAGE}`;
    const keys = (await db.read<{ key: unknown }>(sql, [id])).map((row) => row.key);
    if (keys.length === 0) return;
    await before(keys);
    await db.run(`delete from ${table} where conversation_id = ? and ${key} in (${marks(keys)})`, [id, ...keys]);
    await new Promise(setImmediate);
  }
}

const marks = (values: unknown[]) => values.map(() => "?").join(", ");
