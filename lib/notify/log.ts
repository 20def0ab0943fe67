import { noSuch } from "../auth/context.ts";
import { findNotification, listNotifications as listRows, replay } from "../db/notify/notifications.ts";
import { markSeen as markRows } from "../db/notify/status.ts";
import type { NotificationRow } from "../db/tables.ts";
import { LOCAL } from "../domain/team.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { NotificationQuery, NotificationView } from "../protocol/notification.ts";
import type { NotifyContext } from "./context.ts";
import { isManager, requireOwn } from "./manage-channels.ts";

/** What was sent: about an item that the caller sees, to a channel of theirs, or to them. */
export async function listNotifications(
  ctx: NotifyContext,
  hub: Pick<Hub, "inboxItem">,
  call: Call,
  { limit = 50, ...query }: NotificationQuery,
): Promise<NotificationView[]> {
  const { actor } = call;
  const { inbox_item_id, channel_id } = query;
  if (inbox_item_id !== undefined && !(await hub.inboxItem(call, inbox_item_id)))
    throw new ParleyError("question_not_found", `There is no question ${inbox_item_id} in the inbox.`);
  const isFixed = ctx.fixed.some(({ id }) => id === channel_id);
  const isAll = isManager(ctx, actor);
  if (channel_id !== undefined && !(isFixed && isAll)) requireOwn(ctx, actor, channel_id);
  const isOwn = inbox_item_id === undefined && channel_id === undefined && !isAll;
  const rows = await listRows(ctx.db, { limit, ...query, ...(isOwn && { person_id: actor.id ?? LOCAL.id }) });
  return rows.map(view);
}

/** Sends a notification again that was sent or has failed. */
export async function replayNotification(ctx: NotifyContext, { actor, now }: Call, id: string): Promise<void> {
  const row = await findNotification(ctx.db, id);
  if (!row) throw noSuch("notification", id);
  const isFixed = ctx.fixed.some((one) => one.id === row.channel_id);
  const isAll = isManager(ctx, actor);
  if (!(isFixed && isAll)) requireOwn(ctx, actor, row.channel_id);
  if (!(await replay(ctx.db, id, now))) throw noSuch("notification", id);
}

/** The caller has these items on their screen. */
export async function markSeen(
  ctx: NotifyContext,
  hub: Pick<Hub, "inboxItem">,
  call: Call,
  ids: string[],
): Promise<void> {
  const items = await Promise.all([...new Set(ids)].map((id) => hub.inboxItem(call, id)));
  const open = items.flatMap((item) => (item?.status === "open" ? [item.inbox_item_id] : []));
  if (open.length > 0) await markRows(ctx.db, open, call.actor.name, call.now);
}

function view(row: NotificationRow): NotificationView {
  const { id, inbox_item_id, conversation_id, tool_use_id, channel_id, channel_kind, person_id } = row;
  const { event, state, attempts, error } = row;
  return {
    id,
    inbox_item_id,
    session_id: conversation_id,
    tool_use_id,
    channel_id,
    kind: channel_kind,
    person_id,
    event,
    state,
    attempts,
    next_at: state === "due" ? new Date(row.next_at).toISOString() : null,
    sent_at: row.sent_at === null ? null : new Date(row.sent_at).toISOString(),
    error,
    created_at: new Date(row.created_at).toISOString(),
  };
}
