import { randomUUID } from "node:crypto";
import { findAsk } from "../db/hot/asks.ts";
import { findConversation } from "../db/hot/conversations.ts";
import { countOpenBySpace } from "../db/hot/inbox.ts";
import { externalRefs, finish, leaseDue, lookAgain, type Outcome, recentMessages } from "../db/notify/notifications.ts";
import type { ChannelRow, NotificationRow } from "../db/tables.ts";
import { isQuiet, reachableAt } from "../domain/availability.ts";
import { claimAt } from "../domain/claims.ts";
import { RETRY_MS } from "../domain/escalation.ts";
import { isPending } from "../domain/lifecycle.ts";
import { canAnswerIn, isAway, seesSpace } from "../domain/team.ts";
import { titleBeside } from "../domain/views/ask-view.ts";
import type { ChannelTarget } from "../protocol/notification.ts";
import { teamOf } from "./audience.ts";
import { noteFailure, noteSuccess, removeGone } from "./channel-health.ts";
import { isUsable, type NotifyContext } from "./context.ts";
import { type Message, type MessageItem, SendError } from "./message.ts";
import { languageFor, linkTo } from "./texts-for.ts";

const BATCH = 1_000;
const AT_ONCE = 8;
/** More than this many messages to one channel within `digestMs` become one. */
export const DIGEST_ABOVE = 3;
/** What is left of a lease when nothing more is begun under it. */
const MARGIN = 1 / 3;

/** Rows of one channel that go out as one message, with their items. */
type Parcel = { rows: NotificationRow[]; items: MessageItem[] };
type Lease = { id: string; until: number };

/** Sends everything that is due, at most eight at once, and each channel's in order. */
export async function sendDue(ctx: NotifyContext): Promise<void> {
  for (;;) {
    const now = ctx.clock();
    const lease = { id: randomUUID(), until: now + ctx.timing.leaseMs };
    const rows = await leaseDue(ctx.db, { lease: lease.id, now, until: lease.until, limit: BATCH });
    if (rows.length === 0) return;
    const channels = [...grouped(rows).values()];
    const work = async () => {
      for (let next = channels.shift(); next; next = channels.shift())
        await sendToChannel(ctx, next, lease).catch(ctx.onError);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

function grouped(rows: NotificationRow[]): Map<string, NotificationRow[]> {
  const groups = new Map<string, NotificationRow[]>();
  for (const row of rows) {
    const group = groups.get(row.channel_id);
    if (group) group.push(row);
    else groups.set(row.channel_id, [row]);
  }
  return groups;
}

async function sendToChannel(ctx: NotifyContext, rows: NotificationRow[], lease: Lease): Promise<void> {
  const end = (some: NotificationRow[], outcome: Outcome) => finish(ctx.db, some, lease.id, outcome);
  const [{ channel_id }] = rows as [NotificationRow];
  const channel = findChannel(ctx, channel_id);
  if (!channel) {
    await end(rows, { state: "dropped", error: "The channel was removed." });
    await lookAgain(ctx.db, itemsOf(rows), ctx.clock(), ctx.clock() + RETRY_MS);
    return;
  }
  const wanted: Array<{ row: NotificationRow; item: MessageItem }> = [];
  for (const row of rows) {
    const checked = await check(ctx, row);
    if ("item" in checked) wanted.push({ row, item: checked.item });
    else await end([row], checked);
  }
  const parcels = await pack(ctx, channel, wanted, end);
  for (const parcel of parcels) {
    // Somebody else takes over what cannot be sent in time.
    if (ctx.clock() > lease.until - ctx.timing.leaseMs * MARGIN) return;
    await sendParcel(ctx, channel, parcel, lease);
  }
}

/**
 * Looks again, just before it goes out: the question may be settled, and the person may no longer be allowed to see it. The
 * ask is read from its rows, so that nothing is told of what has changed in the meantime.
 */
async function check(ctx: NotifyContext, row: NotificationRow): Promise<{ item: MessageItem } | Outcome> {
  const now = ctx.clock();
  const ask = await findAsk(ctx.db, row.conversation_id, row.tool_use_id);
  const conversation = ask && (await findConversation(ctx.db, row.conversation_id));
  if (!ask || !conversation) return { state: "dropped", error: "The question is gone." };
  const { space_id, agent, title } = conversation;
  const team = teamOf(ctx);
  if (!row.replayed) {
    const isOver = row.event === "settled" ? isPending(ask) : !isPending(ask);
    if (isOver) return { state: "withdrawn" };
    const isClaimed = claimAt(ask, now) !== null;
    if (row.event !== "settled" && isClaimed !== (row.event === "claimed")) return { state: "withdrawn" };
  }
  if (row.person_id !== null) {
    const person = team.people.get(row.person_id);
    const may =
      person && (row.event === "settled" ? seesSpace(team, person, space_id) : canAnswerIn(team, person, space_id));
    if (!may || person.status !== "active") return { state: "dropped", error: "The person may no longer see this." };
    if (row.event !== "settled" && isAway(person, now)) return { state: "dropped", error: "The person is away." };
    if (row.attempts > 1 && row.event !== "settled" && isQuiet(person, now))
      return { state: "due", next_at: reachableAt(person, now) ?? now + RETRY_MS };
  }
  const question = ask.questions[0]?.text ?? "";
  return {
    item: {
      inbox_item_id: row.inbox_item_id,
      ask,
      agent,
      title: titleBeside(question, title),
      space_id,
      space_name: team.spaces.get(space_id)?.name ?? null,
      url: linkTo(ctx, ask),
    },
  };
}

/** Which rows go out together. Too many questions at once become one message; what follows too soon waits for its turn. */
async function pack(
  ctx: NotifyContext,
  channel: Found,
  wanted: Array<{ row: NotificationRow; item: MessageItem }>,
  end: (rows: NotificationRow[], outcome: Outcome) => Promise<number>,
): Promise<Parcel[]> {
  const isNews = ({ row }: { row: NotificationRow }) =>
    channel.sender.hasDigests && !row.replayed && row.event !== "settled" && row.event !== "claimed";
  const single = (one: { row: NotificationRow; item: MessageItem }) => ({ rows: [one.row], items: [one.item] });
  const others = wanted.filter((one) => !isNews(one)).map(single);
  const news = wanted.filter(isNews);
  if (news.length === 0) return others;
  const now = ctx.clock();
  const recent = await recentMessages(ctx.db, channel.id, now - ctx.timing.digestMs);
  if (recent.length + news.length <= DIGEST_ABOVE) return [...others, ...news.map(single)];
  const together = { rows: news.map(({ row }) => row), items: news.map(({ item }) => item) };
  if (recent.length === 0) return [...others, together];
  await end(together.rows, { state: "due", next_at: Math.max(...recent) + ctx.timing.digestMs, isUncounted: true });
  return others;
}

async function sendParcel(ctx: NotifyContext, channel: Found, { rows, items }: Parcel, lease: Lease): Promise<void> {
  const [row] = rows as [NotificationRow, ...NotificationRow[]];
  const [first, ...rest] = items as [MessageItem, ...MessageItem[]];
  const isDigest = rows.length > 1;
  // A digest that is sent again keeps its id, whichever of its items are left.
  const id = isDigest ? (rows.find(({ digest_id }) => digest_id !== null)?.digest_id ?? row.id) : row.id;
  const about = { digest_id: isDigest ? id : null, external_ref: null };
  try {
    const message: Message = {
      id,
      event: row.event,
      items: [first, ...rest],
      isShort: items.some(({ space_id }) => teamOf(ctx).spaces.get(space_id)?.detail === "short"),
      language: languageFor(ctx, row.person_id),
      at: row.created_at,
      open: await openFor(ctx, row.person_id),
      inboxUrl: `${ctx.publicUrl()}/`,
      refs: row.event === "settled" ? await externalRefs(ctx.db, row.inbox_item_id, row.channel_id) : [],
    };
    const { ref } = await channel.sender.send(channel.target(), message);
    const sent_at = ctx.clock();
    await finish(ctx.db, rows, lease.id, { state: "sent", sent_at }, { ...about, external_ref: isDigest ? null : ref });
    await noteSuccess(ctx, channel.row, sent_at);
  } catch (error) {
    if (!(error instanceof SendError)) ctx.onError(error);
    await failed(ctx, channel, rows, lease, error instanceof SendError ? error : INTERNAL, about);
  }
}

const INTERNAL = new SendError("Parley failed to send this; its log says why.");

async function failed(
  ctx: NotifyContext,
  { row: channel }: Found,
  rows: NotificationRow[],
  lease: Lease,
  { message, verdict, retryAfterMs }: SendError,
  about: { digest_id: string | null; external_ref: null },
): Promise<void> {
  const now = ctx.clock();
  const isGone = verdict === "gone" && channel?.kind === "web_push";
  const tries = Math.max(...rows.map(({ attempts }) => attempts));
  const pause = ctx.timing.retriesMs[tries - 1];
  const isOver = isGone || verdict === "never" || pause === undefined;
  const outcome: Outcome = isOver
    ? { state: "failed", error: message }
    : { state: "due", next_at: now + (retryAfterMs ?? pause * (0.8 + Math.random() * 0.4)), error: message };
  if (outcome.next_at !== undefined) outcome.next_at = Math.round(outcome.next_at);
  await finish(ctx.db, rows, lease.id, outcome, about);
  if (channel) await (isGone ? removeGone(ctx, channel, now) : noteFailure(ctx, channel, message, now));
  if (isOver) await lookAgain(ctx.db, itemsOf(rows), now, now + RETRY_MS);
}

type Found = {
  id: string;
  /** Null for a channel from the settings. */
  row: ChannelRow | null;
  sender: NonNullable<NotifyContext["kinds"][ChannelRow["kind"]]>;
  target: () => ChannelTarget;
};

/** The channel and how to send to it; undefined if it is gone, was given up, or its kind is not set up any more. */
export function findChannel(ctx: NotifyContext, id: string, isTest = false): Found | undefined {
  const fixed = ctx.fixed.find((one) => one.id === id);
  const row = fixed ? null : ctx.auth.directory.channels.find((one) => one.id === id);
  const kind = fixed?.target.kind ?? row?.kind;
  const sender = fixed?.sender ?? (kind && ctx.kinds[kind]);
  if (!sender || row === undefined || (row !== null && !isTest && !isUsable(ctx, row))) return undefined;
  const target = () => {
    const found = fixed?.target ?? (row && ctx.cipher.decrypt(row.id, row.target));
    if (found) return found;
    throw new SendError("Its address cannot be read: PARLEY_SECRET is another one. Add the channel again.", "never");
  };
  return { id, row, sender, target };
}

/** How many questions a person could answer. */
async function openFor(ctx: NotifyContext, person_id: string | null): Promise<number> {
  const team = teamOf(ctx);
  const person = person_id === null ? undefined : team.people.get(person_id);
  let open = 0;
  for (const [space_id, count] of await countOpenBySpace(ctx.db))
    if (!person || seesSpace(team, person, space_id)) open += count;
  return open;
}

function itemsOf(rows: NotificationRow[]): string[] {
  return rows.map(({ inbox_item_id }) => inbox_item_id);
}
