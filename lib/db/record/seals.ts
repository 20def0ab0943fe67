import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { Query, select } from "../query.ts";
import type { Reader } from "../snapshot.ts";
import { Statement, selectJson } from "../statement.ts";
import {
  AUDIT_EVENT,
  AUDIT_HEAD,
  AUDIT_SEAL,
  type AuditEventRow,
  type AuditHeadRow,
  type AuditSealRow,
} from "../tables.ts";

/** An audit event as the hash covers it: all columns of its row. */
export type SealedEvent = AuditEventRow;
/** A seal of an older version has no position and is not in the chain of seals. */
export type Seal = AuditSealRow;
export type NewSeal = Omit<Seal, "position" | "mac">;
/** A seal in the chain of seals. */
export type KeyedSeal = NewSeal & { position: number; mac: string };
export type Head = Omit<AuditHeadRow, "id">;

/** No event has a higher number. */
const LAST = 2_147_483_647;

const selectSeals = select(AUDIT_SEAL, AUDIT_SEAL.columns);

const NEWEST_SEAL = selectSeals<{ conversation_id: string; until: number }>(
  "where conversation_id = @conversation_id and number <= @until order by number desc limit 1",
);

/** The newest seal of a conversation up to this event. */
export async function lastSeal(db: Reader, conversation_id: string, until = LAST): Promise<Seal | undefined> {
  return (await db.read(NEWEST_SEAL, { conversation_id, until }))[0];
}

const SEALS_BETWEEN = selectSeals<{ conversation_id: string; after: number; until: number; limit: number }>(
  "where conversation_id = @conversation_id and number > @after and number <= @until order by number limit @limit",
);

/** Seals of a conversation after one event and up to another, oldest first. */
export async function sealsBetween(
  db: Reader,
  conversation_id: string,
  { after, until = LAST, limit }: { after: number; until?: number; limit: number },
): Promise<Seal[]> {
  return db.read(SEALS_BETWEEN, { conversation_id, after, until, limit });
}

const CHAIN = new Query<{ position: number; limit: number }, KeyedSeal>(
  selectSeals("where position > @position order by position limit @limit").sql,
);

/** Seals in the order of their chain. */
export async function chainAfter(db: Reader, position: number, limit: number): Promise<KeyedSeal[]> {
  return db.read(CHAIN, { position, limit });
}

const AT_POSITION = new Query<{ position: number }, KeyedSeal>(selectSeals("where position = @position").sql);

export async function sealAt(db: Reader, position: number): Promise<KeyedSeal | undefined> {
  return (await db.read(AT_POSITION, { position }))[0];
}

const KEYED_COUNT = new Query<object, { seals: number }>(
  "select count(*) as seals from audit_seal where position is not null",
);

export async function countKeyedSeals(db: Reader): Promise<number> {
  return (await db.read(KEYED_COUNT, {}))[0]?.seals ?? 0;
}

const EVENTS_AFTER = select(
  AUDIT_EVENT,
  AUDIT_EVENT.columns,
)<{
  conversation_id: string;
  number: number;
  limit: number;
}>("where conversation_id = @conversation_id and number > @number order by number limit @limit");

export async function eventsAfter(
  db: Reader,
  conversation_id: string,
  number: number,
  limit: number,
): Promise<SealedEvent[]> {
  return db.read(EVENTS_AFTER, { conversation_id, number, limit });
}

const COVERED = select(AUDIT_EVENT, ["number"])<object>("where command_id is not null limit 1");

/** Whether anything was written by a version that keeps a chain of seals. */
export async function hasCoveredEvents(db: Reader): Promise<boolean> {
  return (await db.read(COVERED, {})).length > 0;
}

const HEAD = select(AUDIT_HEAD, ["position", "mac", "key_fingerprint", "began_at"])<object>("where id = 'head'");

export async function findHead(db: Reader): Promise<Head | undefined> {
  return (await db.read(HEAD, {}))[0];
}

/** Of several nodes that start at once, one creates it. */
export async function createHead(db: Database, head: Head): Promise<void> {
  const marks = AUDIT_HEAD.columns.map((column) => `@${column}`).join(", ");
  await db.run(
    new Statement(
      `insert into audit_head (${AUDIT_HEAD.columns.join(", ")}) values (${marks}) on conflict do nothing`,
      { ...head, id: "head" } satisfies AuditHeadRow,
    ),
  );
}

/** Removes the chain: its seals lose their positions, and take new ones in the next chain. */
export async function removeChain(db: Database): Promise<void> {
  await db.run(new Statement("delete from audit_head", {}));
  await db.run(new Statement("update audit_seal set position = null, mac = null where position is not null", {}));
}

/**
 * Writes the seals and the head that ends with them, or nothing: a conflict means that another node was faster. A seal of
 * an older version in the same place becomes part of the chain.
 */
export async function appendSeals(db: Database, before: Head, seals: KeyedSeal[], mac: string): Promise<void> {
  await db.runAll([
    new Statement(
      `update audit_head set position = position + @seals, mac = @mac
        where id = 'head' and position = @position and mac = @previous`,
      { seals: seals.length, mac, position: before.position, previous: before.mac },
      1,
    ),
    new Statement(
      `insert into audit_seal (${AUDIT_SEAL.columns.join(", ")})
        ${selectJson(db.kind, AUDIT_SEAL, AUDIT_SEAL.columns, "seals")}
        on conflict (conversation_id, number) do update
        set position = excluded.position, mac = excluded.mac, sealed_at = excluded.sealed_at
        where audit_seal.position is null and audit_seal.hash = excluded.hash`,
      { seals: toJson(seals) },
      seals.length,
    ),
  ]);
}

const NEWEST = (column: string) =>
  `(select ${column} from audit_seal s where s.conversation_id = c.id order by number desc limit 1)`;
const toSeal = <Params>(where: string) =>
  new Query<Params, { id: string; last_audit: number; sealed: number | null; position: number | null }>(
    `select c.id, c.last_audit, ${NEWEST("number")} as sealed, ${NEWEST("position")} as position
    from conversation c where c.run_state <> 'hidden' and ${where}`,
  );
const AFTER_ID = toSeal<{ after: string; limit: number }>("c.id > @after order by c.id limit @limit");
const CHANGED_BETWEEN = toSeal<{ from: number; until: number }>("c.updated_at > @from and c.updated_at <= @until");

const isUnsealed = (row: { last_audit: number; sealed: number | null; position: number | null }) =>
  (row.sealed ?? 0) < row.last_audit || row.position === null;

/** A page of conversations whose newest events are not in the chain of seals, by id. */
export async function unsealed(
  db: Reader,
  after: string,
  limit: number,
): Promise<{ ids: string[]; last: string | undefined }> {
  const rows = await db.read(AFTER_ID, { after, limit });
  return { ids: rows.filter(isUnsealed).map((row) => row.id), last: rows.at(-1)?.id };
}

/** The same among those that were last changed in a span of time. */
export async function unsealedBetween(db: Reader, from: number, until: number): Promise<string[]> {
  return (await db.read(CHANGED_BETWEEN, { from, until })).filter(isUnsealed).map((row) => row.id);
}
