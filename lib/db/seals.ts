import type { Database } from "./database.ts";

/** An audit event as the hash sees it: its columns, as they stand in the row. */
export type SealedEvent = {
  conversation_id: string;
  number: number;
  action: string;
  tool_use_id: string | null;
  question_id: string | null;
  actor: string;
  at: number;
  before: string | null;
  after: string | null;
};

export type Seal = { conversation_id: string; number: number; hash: string };

export async function lastSeal(db: Database, conversation_id: string): Promise<Seal | undefined> {
  const sql =
    "select conversation_id, number, hash from audit_seal where conversation_id = ? order by number desc limit 1";
  return (await db.read<Seal>(sql, [conversation_id]))[0];
}

export async function listSeals(db: Database, conversation_id: string): Promise<Seal[]> {
  return db.read<Seal>(
    "select conversation_id, number, hash from audit_seal where conversation_id = ? order by number",
    [conversation_id],
  );
}

export async function eventsAfter(
  db: Database,
  conversation_id: string,
  number: number,
  limit: number,
): Promise<SealedEvent[]> {
  const sql = `select conversation_id, number, action, tool_use_id, question_id, actor, at, before, after
    from audit_event where conversation_id = ? and number > ? order by number limit ?`;
  return db.read<SealedEvent>(sql, [conversation_id, number, limit]);
}

/** Two nodes may seal the same events: they come to the same hash, and one row stays. */
export async function insertSeals(db: Database, seals: Seal[], now: number): Promise<void> {
  // In one order: two nodes that insert the same rows the other way round would wait for each other.
  const ordered = seals.toSorted((a, b) => (a.conversation_id < b.conversation_id ? -1 : 1));
  const marks = ordered.map(() => "(?, ?, ?, ?)").join(", ");
  const values = ordered.flatMap((seal) => [seal.conversation_id, seal.number, seal.hash, now]);
  await db.run(
    `insert into audit_seal (conversation_id, number, hash, sealed_at) values ${marks} on conflict do nothing`,
    values,
  );
}

/** A page of conversations with events that no seal covers yet, by id. */
export async function unsealed(
  db: Database,
  after: string,
  limit: number,
): Promise<{ ids: string[]; last: string | undefined }> {
  const sql = `select c.id, c.last_audit, (select max(number) from audit_seal s where s.conversation_id = c.id) as sealed
    from conversation c where c.id > ? and c.run_state <> 'hidden' order by c.id limit ?`;
  const rows = await db.read<{ id: string; last_audit: number; sealed: number | null }>(sql, [after, limit]);
  return { ids: rows.filter((row) => (row.sealed ?? 0) < row.last_audit).map((row) => row.id), last: rows.at(-1)?.id };
}
