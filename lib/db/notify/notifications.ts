import type { NotificationQuery, NotificationState } from "../../protocol/notification.ts";
import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { rowOf } from "../prisma.ts";
import { Query } from "../query.ts";
import { Statement, selectJson } from "../statement.ts";
import { INBOX_ITEM, type InboxItemRow, NOTIFICATION, type NotificationRow } from "../tables.ts";

// Outgoing notifications. A sender leases a notification first, in a separate commit: if it crashes, the lease expires and
// the notification is sent again.

/** Takes what is due for this sender, except on channels that are `busy`. Rows that another node is taking are skipped. */
export async function leaseDue(
  db: Database,
  {
    busy,
    ...params
  }: { lease: string; now: number; until: number; limit: number; busy: readonly NotificationRow["channel_id"][] },
): Promise<LeasedRow[]> {
  const skip = db.kind === "postgresql" ? " for update skip locked" : "";
  const leased = await db.run(
    new Statement(
      `update notification set state = 'sending', lease = @lease, lease_until = @until, attempts = attempts + 1
       where id in (select id from notification where state = 'due' and next_at <= @now
         and channel_id not in (${selectJson(db.kind, NOTIFICATION, ["channel_id"], "busy")})
         order by next_at, id limit @limit${skip})`,
      { ...params, busy: toJson(busy.map((channel_id) => ({ channel_id }))) },
    ),
  );
  const { lease, now } = params;
  return leased === 0 ? [] : db.read(LEASED, { lease, now });
}

/** A notification to send, with what is known about its item. */
export type LeasedRow = NotificationRow &
  Pick<InboxItemRow, "space_id" | "agent"> & {
    item_status: InboxItemRow["status"];
    claim_expires_at: number | null;
    /** Until when the person has put the item away. */
    snoozed_until: number | null;
    title: string | null;
  };

const LEASED = new Query<{ lease: string; now: number }, LeasedRow>(
  `select ${NOTIFICATION.columns.map((column) => `n.${column}`).join(", ")}, i.space_id, i.agent, i.status as item_status,
     i.claim_expires_at, c.title, (select until from snooze s where s.inbox_item_id = n.inbox_item_id
       and s.person_id = n.person_id and s.until > @now) as snoozed_until
   from notification n join inbox_item i on i.id = n.inbox_item_id join conversation c on c.id = n.conversation_id
   where n.state = 'sending' and n.lease_until > @now and n.lease = @lease order by n.created_at, n.id`,
);

/** Leases that ran out: their sender hangs. */
export async function releaseLost(db: Database, now: number): Promise<number> {
  return db.run(
    new Statement(
      `update notification set state = 'due', next_at = @now, lease = null, lease_until = null
       where state = 'sending' and lease_until <= @now`,
      { now },
    ),
  );
}

const LEASES = new Query<{ until: number }, { lease: string }>(
  "select distinct lease from notification where state = 'sending' and lease_until <= @until limit 200",
);

/** The nodes whose leases end by then: they are sending, or died over it. */
export async function leaseOwners(db: Database, until: number): Promise<string[]> {
  const rows = await db.read(LEASES, { until });
  return [...new Set(rows.map(({ lease }) => ownerOf(lease)))];
}

/** A lease begins with the node that has it. */
export const leaseOf = (node: string, id: string): string => `${node}/${id}`;
const ownerOf = (lease: string): string => lease.slice(0, lease.lastIndexOf("/"));

/** Releases everything leased by a node that is gone. */
export async function releaseOf(db: Database, node: string, now: number): Promise<number> {
  return db.run(
    new Statement(
      `update notification set state = 'due', next_at = @now, lease = null, lease_until = null
       where state = 'sending' and lease >= @first and lease < @end`,
      { now, first: `${node}/`, end: `${node}0` },
    ),
  );
}

const IDS = (db: Database) => selectJson(db.kind, NOTIFICATION, ["id"], "ids");
const idsOf = (rows: readonly Pick<NotificationRow, "id">[]) => toJson(rows.map(({ id }) => ({ id })));

export type Outcome = {
  state: NotificationState;
  next_at?: number;
  error?: string | null;
  sent_at?: number;
  /** It was not tried at all. */
  isUncounted?: boolean;
};

/** Ends the lease of notifications that went out, or failed, together. Writes nothing for those whose lease was lost. */
export async function finish(
  db: Database,
  rows: readonly NotificationRow[],
  lease: string,
  { state, next_at, error = null, sent_at, isUncounted = false }: Outcome,
  message: { digest_id: string | null; external_ref: string | null } = { digest_id: null, external_ref: null },
): Promise<number> {
  return db.run(
    new Statement(
      `update notification set state = @state, next_at = coalesce(@next_at, next_at), error = @error,
         sent_at = coalesce(@sent_at, sent_at), digest_id = coalesce(@digest_id, digest_id),
         external_ref = coalesce(@external_ref, external_ref), attempts = attempts - ${isUncounted ? 1 : 0}, lease = null, lease_until = null
       where lease = @lease and state = 'sending' and id in (${IDS(db)})`,
      { state, next_at: next_at ?? null, error, sent_at: sent_at ?? null, ...message, lease, ids: idsOf(rows) },
    ),
  );
}

export type SentRow = Pick<NotificationRow, "id" | "digest_id" | "external_ref"> & { sent_at: number };

/** The same for many that went out. */
export async function finishSent(db: Database, lease: string, rows: SentRow[]): Promise<void> {
  const columns = ["id", "digest_id", "external_ref", "sent_at"] as const;
  await db.run(
    new Statement(
      `update notification set state = 'sent', error = null, sent_at = x.sent_at,
         digest_id = coalesce(x.digest_id, notification.digest_id),
         external_ref = coalesce(x.external_ref, notification.external_ref), lease = null, lease_until = null
       from (${selectJson(db.kind, NOTIFICATION, columns, "sent")}) as x
       where notification.id = x.id and notification.lease = @lease and notification.state = 'sending'`,
      { lease, sent: toJson(rows) },
    ),
  );
}

/** If everything that an item's last step sent has failed, the item must be checked again, later each time. */
export async function lookAgain(db: Database, ids: string[], now: number, later: number): Promise<void> {
  await db.run(
    new Statement(
      `update inbox_item set notify_at = case
         when exists (select 1 from escalation e where e.inbox_item_id = inbox_item.id and e.note is not null)
         then case when notify_at < @later then notify_at else @later end else @now end
       where status = 'open' and id in (${selectJson(db.kind, INBOX_ITEM, ["id"], "ids")})
         and not exists (select 1 from notification n where n.inbox_item_id = inbox_item.id
           and n.step = inbox_item.notify_step - 1 and n.channel_kind <> 'webhook' and n.state in ('due', 'sending', 'sent'))`,
      { now, later, ids: toJson(ids.map((id) => ({ id }))) },
    ),
  );
}

const RECENT = new Query<{ channel_id: string; since: number }, { message: string; sent_at: number | null }>(
  `select distinct coalesce(digest_id, id) as message, sent_at from notification
   where channel_id = @channel_id and sent_at > @since and event <> 'settled' limit 10`,
);

/** When each of the messages went out that a channel got lately. */
export async function recentMessages(db: Database, channel_id: string, since: number): Promise<number[]> {
  const rows = await db.read(RECENT, { channel_id, since });
  return rows.map(({ sent_at }) => Number(sent_at));
}

export type SentTo = Pick<NotificationRow, "inbox_item_id" | "channel_id" | "channel_kind" | "person_id">;

/** The channels that were notified about these items. */
export async function heardOf(db: Database, ids: string[]): Promise<SentTo[]> {
  const query = new Query<{ ids: string }, SentTo>(
    `select distinct inbox_item_id, channel_id, channel_kind, person_id from notification
     where state in ('sent', 'sending') and event <> 'settled'
       and inbox_item_id in (${selectJson(db.kind, INBOX_ITEM, ["id"], "ids")})`,
  );
  return db.read(query, { ids: toJson(ids.map((id) => ({ id }))) });
}

const REFS = new Query<{ inbox_item_id: string; channel_id: string }, { external_ref: string }>(
  `select distinct external_ref from notification
   where inbox_item_id = @inbox_item_id and channel_id = @channel_id and external_ref is not null`,
);

/** What the service calls the messages about an item, to change them. */
export async function externalRefs(db: Database, inbox_item_id: string, channel_id: string): Promise<string[]> {
  return (await db.read(REFS, { inbox_item_id, channel_id })).map(({ external_ref }) => external_ref);
}

export type NotificationWhere = Omit<NotificationQuery, "limit"> & { limit: number; person_id?: string };

/** Newest first. */
export async function listNotifications(
  db: Database,
  { limit, inbox_item_id, channel_id, state, person_id }: NotificationWhere,
): Promise<NotificationRow[]> {
  const where = {
    ...(inbox_item_id !== undefined && { inbox_item_id }),
    ...(channel_id !== undefined && { channel_id }),
    ...(state !== undefined && { state }),
    ...(person_id !== undefined && { person_id }),
  };
  const rows = await db.prisma(({ notification }) =>
    notification.findMany({ where, orderBy: { id: "desc" }, take: limit }),
  );
  return rows.map((row) => rowOf(NOTIFICATION, row));
}

export async function findNotification(db: Database, id: string): Promise<NotificationRow | undefined> {
  const row = await db.prisma(({ notification }) => notification.findUnique({ where: { id } }));
  return row ? rowOf(NOTIFICATION, row) : undefined;
}

/** Sends a notification again, unless it is on its way. False if it was. */
export async function replay(db: Database, id: string, now: number): Promise<boolean> {
  const written = await db.run(
    new Statement(
      `update notification set state = 'due', next_at = @now, attempts = 0, error = null,
         replayed = @replayed where id = @id and state in ('sent', 'failed', 'dropped')`,
      { id, now, replayed: "1" },
    ),
  );
  return written === 1;
}
