import { change } from "../auth/context.ts";
import { noteChannel } from "../db/notify/channels.ts";
import type { ChannelRow } from "../db/tables.ts";
import { removeChannel, updateChannel } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import { SYSTEM } from "../protocol/actor.ts";
import type { NotifyContext } from "./context.ts";

// Whether a channel works. Its owner sees the last error; after ten failures in a row nothing more is sent to it.

const GIVE_UP_AFTER = 10;

export async function noteSuccess(ctx: NotifyContext, channel: ChannelRow | null, now: number): Promise<void> {
  // Nothing to note, as far as this node knows.
  if (!channel || ctx.healthy.has(channel.id)) return;
  ctx.healthy.add(channel.id);
  await noteChannel(ctx.db, channel.id, { now, error: null });
  if (channel.disabled_at !== null) await change(ctx.auth, [updateChannel(channel.id, { disabled_at: null })], null);
}

export async function noteFailure(ctx: NotifyContext, channel: ChannelRow, error: string, now: number): Promise<void> {
  ctx.healthy.delete(channel.id);
  const failures = await noteChannel(ctx.db, channel.id, { now, error });
  if (failures >= GIVE_UP_AFTER && channel.disabled_at === null)
    await change(ctx.auth, [updateChannel(channel.id, { disabled_at: now })], null);
}

/** The service says that the device is gone for good. */
export async function removeGone(ctx: NotifyContext, { id, kind, person_id }: ChannelRow, now: number): Promise<void> {
  const after = { channel_id: id, kind, person_id, reason: "gone" };
  await change(ctx.auth, [removeChannel(id)], { action: "channel.removed", actor: decidedBy(SYSTEM), at: now, after });
}
