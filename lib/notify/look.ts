import { holdersOf } from "../db/ask-rows.ts";
import { NEVER } from "../db/change.ts";
import { HIDDEN } from "../db/hidden.ts";
import { snoozesOf } from "../db/hot/snoozes.ts";
import { parseJson, toJson } from "../db/json.ts";
import { type DueItem, dueItems, type ItemLook, writeLooks } from "../db/notify/items.ts";
import { heardOf, type SentTo } from "../db/notify/notifications.ts";
import type { EscalationRow, NotificationRow, SnoozeRow } from "../db/tables.ts";
import { type Addressee, type EscalationState, escalate } from "../domain/escalation.ts";
import { newId } from "../protocol/ids.ts";
import type { NotificationEvent } from "../protocol/notification.ts";
import { audienceOf, kindOf } from "./audience.ts";
import type { NotifyContext } from "./context.ts";

const PAGE = 100;
/** In one sweep: deadlines and waits must not queue behind a flood. */
const PAGES = 5;
/** A conversation that is still being written is nobody's business yet. */
const HIDDEN_MS = 5_000;

/**
 * Turns items whose time has come into notifications. Several nodes may do this at once: each look is written only if
 * nothing has happened to its item since it was read.
 */
export async function lookAtItems(ctx: NotifyContext, now: number): Promise<{ looked: number; isMore: boolean }> {
  let looked = 0;
  for (let page = 0; page < PAGES; page++) {
    const items = await dueItems(ctx.db, now, PAGE);
    if (items.length > 0) await look(ctx, items, now);
    looked += items.length;
    if (items.length < PAGE) return { looked, isMore: false };
  }
  return { looked, isMore: true };
}

async function look(ctx: NotifyContext, items: DueItem[], now: number): Promise<void> {
  const looks: ItemLook[] = [];
  const notifications: NotificationRow[] = [];
  const states: EscalationRow[] = [];
  const settled = items.filter(({ status }) => status === "closed");
  const heard = settled.length === 0 ? [] : await heardOf(ctx.db, idsOf(settled));
  const snoozes = await snoozesOf(ctx.db, idsOf(items));

  for (const item of items) {
    const seen_at = Number(item.notify_at);
    const decided =
      item.run_state === HIDDEN
        ? { event: "asked" as const, notify: [], next_at: now + HIDDEN_MS, step: item.notify_step }
        : item.status === "closed"
          ? settle(ctx, item, heard)
          : decide(ctx, item, snoozes, now);
    const rows = rowsOf(ctx, item, decided.event, decided.notify, now);
    notifications.push(...rows);
    looks.push({ id: item.id, status: item.status, seen_at, notify_at: decided.next_at, notify_step: decided.step });
    if ("state" in decided) states.push(stateRow(item.id, decided.state));
  }
  await writeLooks(
    ctx.db,
    looks,
    notifications,
    states,
    settled.map(({ id }) => ({ id })),
  );
}

function decide(ctx: NotifyContext, item: DueItem, snoozes: readonly SnoozeRow[], now: number) {
  const escalated = {
    space_id: item.space_id,
    created_at: Number(item.created_at),
    deadline_at: Number(item.due_at) === NEVER ? null : Number(item.due_at),
    assignee_id: item.assignee_id,
    claim: holdersOf(item).claim,
    notify_at: Number(item.notify_at),
    notify_step: item.notify_step,
    isFailed: Number(item.sent) > 0 && Number(item.alive) === 0,
  };
  const own = snoozes.filter(({ inbox_item_id }) => inbox_item_id === item.id);
  const audience = audienceOf(ctx, item, new Map(own.map(({ person_id, until }) => [person_id, until])));
  const { event, notify, state, next_at } = escalate(escalated, stateOf(item), audience, now);
  return { event, notify, next_at, step: state.step, state };
}

/** Channels that can update a message show that the question is settled. */
function settle(ctx: NotifyContext, item: DueItem, heard: SentTo[]) {
  const notify = heard
    .filter(({ inbox_item_id, channel_kind }) => inbox_item_id === item.id && ctx.kinds[channel_kind]?.hearsSettled)
    .map(({ channel_id, person_id }) => ({ channel_id, person_id }));
  return { event: "settled" as const, notify, next_at: null, step: item.notify_step + (notify.length > 0 ? 1 : 0) };
}

function rowsOf(
  ctx: NotifyContext,
  { id: inbox_item_id, conversation_id, tool_use_id, notify_step: step }: DueItem,
  event: NotificationEvent,
  notify: Addressee[],
  now: number,
): NotificationRow[] {
  return notify.flatMap(({ channel_id, person_id }) => {
    const channel_kind = kindOf(ctx, channel_id);
    if (channel_kind === undefined) return [];
    return [
      {
        id: newId("notification", now),
        inbox_item_id,
        conversation_id,
        tool_use_id,
        step,
        channel_id,
        channel_kind,
        person_id,
        event,
        state: "due",
        attempts: 0,
        next_at: now,
        lease: null,
        lease_until: null,
        digest_id: null,
        external_ref: null,
        sent_at: null,
        error: null,
        replayed: false,
        created_at: now,
      },
    ];
  });
}

function stateOf(item: DueItem): EscalationState | null {
  if (item.e_began_at === null) return null;
  return {
    began_at: Number(item.e_began_at),
    done_at: Number(item.e_done_at),
    step: Number(item.e_step),
    claimed_at: item.e_claimed_at,
    assignee_id: item.e_assignee_id,
    deferred: parseJson(item.e_deferred) ?? [],
    note: item.e_note,
    reachable_at: item.e_reachable_at,
  };
}

function stateRow(inbox_item_id: string, { deferred, ...state }: EscalationState): EscalationRow {
  return { inbox_item_id, deferred: toJson(deferred), ...state };
}

function idsOf(items: DueItem[]): string[] {
  return items.map(({ id }) => id);
}
