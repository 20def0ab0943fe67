import type { Database } from "../database.ts";
import { list, Query } from "../query.ts";
import { type Params, Statement } from "../statement.ts";
import { SNOOZE, type SnoozeRow } from "../tables.ts";

// What people have put away. Every inbox page reads it, and almost always finds nothing.

const OF_PERSON = new Query<{ person_id: string; now: number }, Pick<SnoozeRow, "inbox_item_id" | "until">>(
  "select inbox_item_id, until from snooze where person_id = @person_id and until > @now",
);

/** The items that a person has put away, and until when. */
export async function snoozedBy(db: Database, person_id: string, now: number): Promise<Map<string, number>> {
  const rows = await db.read(OF_PERSON, { person_id, now });
  return new Map(rows.map(({ inbox_item_id, until }) => [inbox_item_id, Number(until)]));
}

/** Who has put these items away, also those whose time has come. */
export async function snoozesOf(db: Database, ids: readonly string[]): Promise<SnoozeRow[]> {
  const { marks, params } = list("id", ids);
  const query = new Query<Params, SnoozeRow>(
    `select ${SNOOZE.columns.join(", ")} from snooze where inbox_item_id in (${marks})`,
  );
  const rows = await db.read(query, params);
  return rows.map((row) => ({ ...row, until: Number(row.until) }));
}

type Snoozed = { conversation_id: string; tool_use_id: string; person_id: string; until: number };
const ALL = new Query<{ now: number }, Snoozed>(
  `select i.conversation_id, i.tool_use_id, s.person_id, s.until from snooze s join inbox_item i on i.id = s.inbox_item_id
   where s.until > @now and i.status = 'open'`,
);

/** Every open item that someone has put away. */
export async function snoozed(db: Database, now: number): Promise<Snoozed[]> {
  const rows = await db.read(ALL, { now });
  return rows.map((row) => ({ ...row, until: Number(row.until) }));
}

type Returned = { conversation_id: string; tool_use_id: string; person_id: string };
const RETURNED = new Query<{ after: number; now: number }, Returned>(
  `select i.conversation_id, i.tool_use_id, s.person_id from snooze s join inbox_item i on i.id = s.inbox_item_id
   where s.until > @after and s.until <= @now and i.status = 'open'`,
);
const NEXT = new Query<{ now: number }, { at: number | null }>(
  "select min(until) as at from snooze where until > @now",
);

/** The open items that came back to someone in this time, and when the next one does. */
export async function returnedSince(
  db: Database,
  after: number,
  now: number,
): Promise<{ items: Returned[]; next: number | undefined }> {
  const items = await db.read(RETURNED, { after, now });
  const [next] = await db.read(NEXT, { now });
  return { items, next: next?.at === null || next?.at === undefined ? undefined : Number(next.at) };
}

/**
 * lib/notify looks at the item when it comes back. The time always changes if a look may be under way, because that look has
 * not seen this and must lose.
 */
const LOOK_THEN = `update inbox_item set notify_at = case when notify_at is null or notify_at > @until then @until
    when notify_at <= @soon then notify_at + 1 else notify_at end
  where id = @inbox_item_id and status = 'open'`;
/** Clocks of nodes differ by less. */
const SOON_MS = 60_000;

/** `notifies`: whether anyone can be notified here. */
export async function saveSnooze(
  db: Database,
  { person_id, inbox_item_id, until }: SnoozeRow,
  now: number,
  notifies: boolean,
): Promise<void> {
  await db.runAll([
    new Statement(
      `insert into snooze (person_id, inbox_item_id, until) values (@person_id, @inbox_item_id, @until)
       on conflict (inbox_item_id, person_id) do update set until = @until`,
      { person_id, inbox_item_id, until },
    ),
    ...(notifies ? [new Statement(LOOK_THEN, { inbox_item_id, until, soon: now + SOON_MS })] : []),
  ]);
}

export async function removeSnooze(
  db: Database,
  { person_id, inbox_item_id }: Pick<SnoozeRow, "person_id" | "inbox_item_id">,
): Promise<void> {
  await db.run(
    new Statement("delete from snooze where person_id = @person_id and inbox_item_id = @inbox_item_id", {
      person_id,
      inbox_item_id,
    }),
  );
}

/** The item has a nearer deadline now: nobody has put it away for longer than this. */
export async function limitSnoozes(db: Database, inbox_item_id: string, until: number): Promise<void> {
  await db.run(
    new Statement("update snooze set until = @until where inbox_item_id = @inbox_item_id and until > @until", {
      inbox_item_id,
      until,
    }),
  );
}
