import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { Query } from "../query.ts";
import { Statement, selectJson } from "../statement.ts";
import {
  ESCALATION,
  type EscalationRow,
  INBOX_ITEM,
  type InboxItemRow,
  NOTIFICATION,
  type NotificationRow,
  type Table,
} from "../tables.ts";

// Which items lib/notify must look at, and what it decides about them. Read by the driver: it looks every second.

type Wakes = { item: number | null; due: number | null; lease: number | null };
const WAKES = new Query<object, Wakes>(
  `select (select min(notify_at) from inbox_item where notify_at is not null) as item,
    (select min(next_at) from notification where state = 'due') as due,
    (select min(lease_until) from notification where state = 'sending') as lease`,
);

/** When there is something to do next: the earliest item, notification and lost lease. */
export async function nextWakes(db: Database): Promise<Wakes> {
  const [wakes] = await db.read(WAKES, {});
  return wakes ?? { item: null, due: null, lease: null };
}

type Prefixed<Row> = { [Name in keyof Row as `e_${Name & string}`]: Row[Name] | null };
export type DueItem = InboxItemRow &
  Prefixed<Omit<EscalationRow, "inbox_item_id">> & { run_state: string; sent: number; alive: number };

const STATE = ESCALATION.columns.filter((column) => column !== "inbox_item_id");
const DUE = new Query<{ now: number; limit: number }, DueItem>(
  `select ${INBOX_ITEM.columns.map((column) => `i.${column}`).join(", ")},
    ${STATE.map((column) => `e.${column} as e_${column}`).join(", ")},
    (select run_state from conversation c where c.id = i.conversation_id) as run_state,
    (select count(*) from notification n where n.inbox_item_id = i.id and n.step = i.notify_step - 1
      and n.channel_kind <> 'webhook') as sent,
    (select count(*) from notification n where n.inbox_item_id = i.id and n.step = i.notify_step - 1
      and n.channel_kind <> 'webhook' and n.state in ('due', 'sending', 'sent')) as alive
  from inbox_item i left join escalation e on e.inbox_item_id = i.id
  where i.notify_at <= @now order by i.notify_at limit @limit`,
);

/** Items whose time has come, open or settled, the longest due first. */
export async function dueItems(db: Database, now: number, limit: number): Promise<DueItem[]> {
  return db.read(DUE, { now, limit });
}

/** What a look at an item decided, and the `status` and `notify_at` (`seen_at`) that it was decided on. */
export type ItemLook = {
  id: string;
  status: InboxItemRow["status"];
  seen_at: number;
  notify_at: number | null;
  notify_step: number;
};

const LOOK: Table<ItemLook> = {
  name: "looks",
  columns: ["id", "status", "seen_at", "notify_at", "notify_step"],
  types: { id: "text", status: "text", seen_at: "bigint", notify_at: "bigint", notify_step: "int" },
};

/**
 * Writes decisions with their notifications and states, all or nothing, and withdraws pending notifications about settled
 * items. A decision based on an older `notify_at` loses: another node was faster, or the item has changed and will be
 * checked again. If it lost to the same decision on another node, its notifications already exist.
 */
export async function writeLooks(
  db: Database,
  looks: ItemLook[],
  notifications: NotificationRow[],
  states: EscalationRow[],
  settled: Array<{ id: string }>,
): Promise<void> {
  const listed = selectJson(db.kind, LOOK, LOOK.columns, "looks");
  // Rows that an answer or another node has locked are left for the next look.
  const won =
    db.kind === "postgresql"
      ? `select i.id, x.notify_at, x.notify_step from (${listed}) x join inbox_item i on i.id = x.id
           and i.notify_at = x.seen_at and i.status = x.status order by i.id for update of i skip locked`
      : `select i.id, x.notify_at, x.notify_step from (${listed}) x join inbox_item i on i.id = x.id and i.notify_at = x.seen_at and i.status = x.status`;
  const decided = `(select i.id from (${listed}) x join inbox_item i on i.id = x.id and i.notify_step = x.notify_step
    and i.notify_at is not distinct from x.notify_at)`;
  await db.runAll([
    new Statement(
      `update inbox_item set notify_at = won.notify_at, notify_step = won.notify_step from (${won}) as won
       where inbox_item.id = won.id`,
      { looks: toJson(looks) },
    ),
    ...(notifications.length === 0
      ? []
      : [
          new Statement(
            `insert into notification (${NOTIFICATION.columns.join(", ")})
             select ${NOTIFICATION.columns.join(", ")} from (${selectJson(db.kind, NOTIFICATION, NOTIFICATION.columns, "rows")}) as n
             where n.inbox_item_id in ${decided} on conflict (inbox_item_id, step, channel_id) do nothing`,
            { looks: toJson(looks), rows: toJson(notifications) },
          ),
        ]),
    ...(states.length === 0
      ? []
      : [
          new Statement(
            `insert into escalation (${ESCALATION.columns.join(", ")})
             select ${ESCALATION.columns.join(", ")} from (${selectJson(db.kind, ESCALATION, ESCALATION.columns, "states")}) as s
             where s.inbox_item_id in ${decided}
             on conflict (inbox_item_id) do update set ${STATE.map((column) => `${column} = excluded.${column}`).join(", ")}`,
            { looks: toJson(looks), states: toJson(states) },
          ),
        ]),
    ...(settled.length === 0
      ? []
      : [
          new Statement(
            `update notification set state = 'withdrawn' where state = 'due' and event <> 'settled'
             and inbox_item_id in (${selectJson(db.kind, INBOX_ITEM, ["id"], "settled")})`,
            { settled: toJson(settled) },
          ),
          new Statement(
            `delete from escalation where inbox_item_id in (${selectJson(db.kind, INBOX_ITEM, ["id"], "settled")})`,
            { settled: toJson(settled) },
          ),
        ]),
  ]);
}
