import type { Database } from "../database.ts";
import type { Reader } from "../snapshot.ts";

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
  command_id: string | null;
  first_sequence: number | null;
  messages: number | null;
  content_hash: string | null;
  ask_hash: string | null;
};

export type NewSeal = { conversation_id: string; number: number; hash: string; sealed_at: number };
/** Without a position it is of an older version, and not in the chain of seals. */
export type Seal = NewSeal & { position: number | null; mac: string | null };
/** A seal in the chain of seals. */
export type KeyedSeal = NewSeal & { position: number; mac: string };
export type Head = { position: number; mac: string; key_fingerprint: string; began_at: number };

export const EVENT = `conversation_id, number, action, tool_use_id, question_id, actor, at, before, after, command_id, first_sequence,
  messages, content_hash, ask_hash`;
export const SEAL = "conversation_id, number, hash, sealed_at, position, mac";

/** No event has a higher number. */
const LAST = 2_147_483_647;

/** The newest seal of a conversation up to this event. */
export async function lastSeal(db: Reader, conversation_id: string, until = LAST): Promise<Seal | undefined> {
  const sql = `select ${SEAL} from audit_seal where conversation_id = ? and number <= ? order by number desc limit 1`;
  return (await db.read<Seal>(sql, [conversation_id, until]))[0];
}

/** Seals of a conversation after one event and up to another, oldest first. */
export async function sealsBetween(
  db: Reader,
  conversation_id: string,
  { after, until = LAST, limit }: { after: number; until?: number; limit: number },
): Promise<Seal[]> {
  const sql = `select ${SEAL} from audit_seal where conversation_id = ? and number > ? and number <= ? order by number limit ?`;
  return db.read<Seal>(sql, [conversation_id, after, until, limit]);
}

/** Seals in the order of their chain. */
export async function chainAfter(db: Reader, position: number, limit: number): Promise<KeyedSeal[]> {
  const sql = `select ${SEAL} from audit_seal where position > ? order by position limit ?`;
  return db.read<KeyedSeal>(sql, [position, limit]);
}

export async function sealAt(db: Reader, position: number): Promise<KeyedSeal | undefined> {
  return (await db.read<KeyedSeal>(`select ${SEAL} from audit_seal where position = ?`, [position]))[0];
}

export async function countKeyedSeals(db: Reader): Promise<number> {
  const sql = "select count(*) as seals from audit_seal where position is not null";
  return Number((await db.read<{ seals: number }>(sql, []))[0]?.seals ?? 0);
}

export async function eventsAfter(
  db: Reader,
  conversation_id: string,
  number: number,
  limit: number,
): Promise<SealedEvent[]> {
  const sql = `select ${EVENT} from audit_event where conversation_id = ? and number > ? order by number limit ?`;
  return db.read<SealedEvent>(sql, [conversation_id, number, limit]);
}

/** Whether anything was written by a version that keeps a chain of seals. */
export async function hasCoveredEvents(db: Reader): Promise<boolean> {
  return (await db.read("select 1 from audit_event where command_id is not null limit 1", [])).length > 0;
}

export async function findHead(db: Reader): Promise<Head | undefined> {
  const sql = "select position, mac, key_fingerprint, began_at from audit_head where id = 'head'";
  return (await db.read<Head>(sql, []))[0];
}

/** Of several nodes that start at once, one creates it. */
export async function createHead(db: Database, { position, mac, key_fingerprint, began_at }: Head): Promise<void> {
  await db.run(
    `insert into audit_head (id, position, mac, key_fingerprint, began_at) values ('head', ?, ?, ?, ?) on conflict do nothing`,
    [position, mac, key_fingerprint, began_at],
  );
}

/**
 * Seals and the head that ends with them, or nothing: a conflict says that another node was faster. A seal of an older
 * version at the same place becomes part of the chain.
 */
export async function appendSeals(db: Database, before: Head, seals: KeyedSeal[], mac: string): Promise<void> {
  const marks = seals.map(() => "(?, ?, ?, ?, ?, ?)").join(", ");
  await db.runAll([
    {
      sql: "update audit_head set position = position + ?, mac = ? where id = 'head' and position = ? and mac = ?",
      params: [seals.length, mac, before.position, before.mac],
      rows: 1,
    },
    {
      sql: `insert into audit_seal (${SEAL}) values ${marks}
        on conflict (conversation_id, number) do update
        set position = excluded.position, mac = excluded.mac, sealed_at = excluded.sealed_at
        where audit_seal.position is null and audit_seal.hash = excluded.hash`,
      params: seals.flatMap((s) => [s.conversation_id, s.number, s.hash, s.sealed_at, s.position, s.mac]),
      rows: seals.length,
    },
  ]);
}

const NEWEST = (column: string) =>
  `(select ${column} from audit_seal s where s.conversation_id = c.id order by number desc limit 1)`;
const TO_SEAL = `select c.id, c.last_audit, ${NEWEST("number")} as sealed, ${NEWEST("position")} as position
  from conversation c where c.run_state <> 'hidden'`;
type ToSeal = { id: string; last_audit: number; sealed: number | null; position: number | null };

const isUnsealed = ({ last_audit, sealed, position }: ToSeal) => (sealed ?? 0) < last_audit || position === null;

/** A page of conversations whose newest events are not in the chain of seals, by id. */
export async function unsealed(
  db: Reader,
  after: string,
  limit: number,
): Promise<{ ids: string[]; last: string | undefined }> {
  const rows = await db.read<ToSeal>(`${TO_SEAL} and c.id > ? order by c.id limit ?`, [after, limit]);
  return { ids: rows.filter(isUnsealed).map((row) => row.id), last: rows.at(-1)?.id };
}

/** The same among those that were last changed in a span of time. */
export async function unsealedBetween(db: Reader, from: number, until: number): Promise<string[]> {
  const sql = `${TO_SEAL} and c.updated_at > ? and c.updated_at <= ?`;
  return (await db.read<ToSeal>(sql, [from, until])).filter(isUnsealed).map((row) => row.id);
}
