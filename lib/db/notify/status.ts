import type { NotifyNote } from "../../protocol/notification.ts";
import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { Query } from "../query.ts";
import { Statement, selectJson } from "../statement.ts";
import { INBOX_ITEM } from "../tables.ts";

export type StatusRow = {
  notify_at: number | null;
  note: NotifyNote | null;
  reachable_at: number | null;
  seen_at: number | null;
  seen_by: string | null;
  notified: number;
  last_at: number | null;
};

const STATUS = new Query<{ id: string }, StatusRow>(
  `select i.notify_at, e.note, e.reachable_at, s.seen_at, s.seen_by,
    (select count(distinct coalesce(person_id, channel_id)) from notification n where n.inbox_item_id = i.id
      and n.sent_at is not null and n.event in ('asked', 'assigned', 'escalated')) as notified,
    (select max(sent_at) from notification n where n.inbox_item_id = i.id
      and n.event in ('asked', 'assigned', 'escalated')) as last_at
  from inbox_item i left join escalation e on e.inbox_item_id = i.id left join seen_item s on s.inbox_item_id = i.id
  where i.id = @id`,
);

/** Who was notified of an item, who saw it, and what comes next. */
export async function readStatus(db: Database, id: string): Promise<StatusRow | undefined> {
  return (await db.read(STATUS, { id }))[0];
}

/** Records that someone has these open items on their screen. The first person stays on record. */
export async function markSeen(db: Database, ids: string[], name: string, now: number): Promise<void> {
  await db.run(
    new Statement(
      `insert into seen_item (inbox_item_id, seen_at, seen_by)
       select id, @now, @name from (${selectJson(db.kind, INBOX_ITEM, ["id"], "ids")}) as given
       where true on conflict (inbox_item_id) do nothing`,
      { ids: toJson(ids.map((id) => ({ id }))), now, name },
    ),
  );
}

/** Someone has become reachable, so open items that nobody was notified about are checked again. */
export async function wakeUntold(db: Database, now: number): Promise<void> {
  await db.run(
    new Statement(
      `update inbox_item set notify_at = @now where status = 'open' and (notify_at is null or notify_at > @now)
       and (notify_step = 0 or exists (
         select 1 from escalation e where e.inbox_item_id = inbox_item.id and e.note is not null))`,
      { now },
    ),
  );
}
