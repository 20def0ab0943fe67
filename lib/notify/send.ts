import { findAsk } from "../db/hot/asks.ts";
import { countOpenBySpace, countSnoozed } from "../db/hot/inbox.ts";
import {
  externalRefs,
  finish,
  type LeasedRow,
  lookAgain,
  type Outcome,
  recentMessages,
  type SentRow,
} from "../db/notify/notifications.ts";
import type { ChannelRow } from "../db/tables.ts";
import { isQuiet, reachableAt } from "../domain/availability.ts";
import { claimAt } from "../domain/claims.ts";
import { RETRY_MS } from "../domain/escalation.ts";
import { isPending } from "../domain/lifecycle.ts";
import { canAnswerIn, isAway, seesSpace } from "../domain/team.ts";
import { titleBeside } from "../domain/views/ask-view.ts";
import type { ChannelTarget } from "../protocol/notification.ts";
import { teamOf } from "./audience.ts";
import { noteFailure, noteSuccess, removeGone } from "./channel-health.ts";
import { LISTED } from "./content.ts";
import { isUsable, type NotifyContext } from "./context.ts";
import { type Message, type MessageItem, SendError } from "./message.ts";
import { languageFor, linkTo } from "./texts-for.ts";

/** More than this many messages to one channel within `digestMs` become one. */
export const DIGEST_ABOVE = 3;

/** Rows of one channel that go out as one message. */
export type Parcel = { channel: Found; rows: readonly [LeasedRow, ...LeasedRow[]] };
export type Lease = { id: string; until: number };

/** They were not tried: that costs them nothing. */
export async function putBack(
  ctx: NotifyContext,
  rows: readonly LeasedRow[],
  lease: Lease,
  next_at: number,
): Promise<void> {
  if (rows.length > 0) await finish(ctx.db, rows, lease.id, { state: "due", next_at, isUncounted: true });
}

/**
 * Which of a channel's rows are sent together. Too many questions at once become one message; what follows too soon waits.
 * People who may no longer be notified are left out.
 */
export async function pack(ctx: NotifyContext, rows: LeasedRow[], lease: Lease): Promise<Parcel[]> {
  const now = ctx.clock();
  const channel = findChannel(ctx, rows[0]?.channel_id ?? "");
  if (!channel) {
    await finish(ctx.db, rows, lease.id, { state: "dropped", error: "The channel was removed." });
    await lookAgain(ctx.db, itemsOf(rows), now, now + RETRY_MS);
    return [];
  }
  const wanted: LeasedRow[] = [];
  for (const row of rows) {
    const refusal = refusalOf(ctx, row, row.item_status === "open", (row.claim_expires_at ?? 0) > now, now);
    if (refusal) await finish(ctx.db, [row], lease.id, refusal);
    else wanted.push(row);
  }
  const single = (row: LeasedRow): Parcel => ({ channel, rows: [row] });
  const isNews = (row: LeasedRow) =>
    channel.sender.hasDigests && !row.replayed && row.event !== "settled" && row.event !== "claimed";
  const others = wanted.filter((row) => !isNews(row)).map(single);
  const news = wanted.filter(isNews);
  const [first, ...rest] = news;
  if (!first) return others;
  const recent = await recentMessages(ctx.db, channel.id, now - ctx.timing.digestMs);
  if (recent.length + news.length <= DIGEST_ABOVE) return [...others, ...news.map(single)];
  if (recent.length === 0) return [...others, { channel, rows: [first, ...rest] }];
  await putBack(ctx, news, lease, Math.max(...recent) + ctx.timing.digestMs);
  return others;
}

/** Why a notification must not go out now; undefined if it may. */
function refusalOf(
  ctx: NotifyContext,
  row: LeasedRow,
  isOpen: boolean,
  isClaimed: boolean,
  now: number,
): Outcome | undefined {
  const { event, space_id, person_id } = row;
  if (!row.replayed) {
    if (isOpen === (event === "settled")) return { state: "withdrawn" };
    if (isOpen && isClaimed !== (event === "claimed")) return { state: "withdrawn" };
  }
  if (person_id === null) return undefined;
  const team = teamOf(ctx);
  const person = team.people.get(person_id);
  const may = event === "settled" ? seesSpace : canAnswerIn;
  if (person?.status !== "active" || !may(team, person, space_id))
    return { state: "dropped", error: "The person may no longer see this." };
  if (event === "settled") return undefined;
  if (row.snoozed_until !== null && !row.replayed)
    return { state: "due", next_at: Number(row.snoozed_until), isUncounted: true };
  if (isAway(person, now)) return { state: "dropped", error: "The person is away." };
  // The first try was at a time that suited them.
  if (row.attempts > 1 && isQuiet(person, now))
    return { state: "due", next_at: reachableAt(person, now) ?? now + RETRY_MS };
  return undefined;
}

/**
 * The item as it is just before it goes out. The ask is read from its rows: it may have changed in the
 * meantime.
 */
async function itemOf(ctx: NotifyContext, row: LeasedRow): Promise<MessageItem | Outcome> {
  const ask = await findAsk(ctx.db, row.conversation_id, row.tool_use_id);
  if (!ask) return { state: "dropped", error: "The question is gone." };
  const now = ctx.clock();
  const refusal = refusalOf(ctx, row, isPending(ask), claimAt(ask, now) !== null, now);
  if (refusal) return refusal;
  return {
    inbox_item_id: row.inbox_item_id,
    ask,
    agent: row.agent,
    title: titleBeside(ask.questions[0]?.text ?? "", row.title),
    space_id: row.space_id,
    space_name: teamOf(ctx).spaces.get(row.space_id)?.name ?? null,
    url: linkTo(ctx, ask),
  };
}

/** How the sender follows a parcel. */
export type Following = {
  /** Resolves when it is noted that they went out. */
  onSent: (rows: SentRow[]) => Promise<unknown>;
  /** Runs the part in which the service has the message and has not replied. */
  during: <Result>(rows: readonly LeasedRow[], work: () => Promise<Result>) => Promise<Result>;
};

export async function sendParcel(
  ctx: NotifyContext,
  { channel, rows }: Parcel,
  lease: Lease,
  { onSent, during }: Following,
): Promise<void> {
  const items: MessageItem[] = [];
  const refused = new Set<LeasedRow>();
  for (const row of rows) {
    if (items.length === LISTED) break;
    const found = await itemOf(ctx, row);
    if ("ask" in found) items.push(found);
    else {
      refused.add(row);
      await finish(ctx.db, [row], lease.id, found);
    }
  }
  const [row, ...more] = rows.filter((one) => !refused.has(one));
  const [first, ...rest] = items;
  if (!row || !first) return;
  const sent = [row, ...more];
  const isDigest = sent.length > 1;
  // A digest that is sent again keeps its id, whichever of its items are left.
  const id = isDigest ? (sent.find(({ digest_id }) => digest_id !== null)?.digest_id ?? row.id) : row.id;
  const about = { digest_id: isDigest ? id : null, external_ref: null };
  const { spaces } = teamOf(ctx);
  try {
    const message: Message = {
      id,
      event: row.event,
      items: [first, ...rest],
      count: sent.length,
      isShort: sent.some(({ space_id }) => spaces.get(space_id)?.detail === "short"),
      language: languageFor(ctx, row.person_id),
      at: row.created_at,
      open: () => openFor(ctx, row.person_id),
      inboxUrl: `${ctx.publicUrl()}/`,
      refs: row.event === "settled" ? await externalRefs(ctx.db, row.inbox_item_id, row.channel_id) : [],
    };
    const target = channel.target();
    const { ref } = await during(sent, () => channel.sender.send(target, message));
    const sent_at = ctx.clock();
    const external_ref = isDigest ? null : ref;
    await onSent(sent.map((one) => ({ id: one.id, digest_id: about.digest_id, external_ref, sent_at })));
    await noteSuccess(ctx, channel.row, sent_at);
  } catch (error) {
    if (!(error instanceof SendError)) ctx.onError(error);
    await failed(ctx, channel, sent, lease, error instanceof SendError ? error : INTERNAL, about);
  }
}

const INTERNAL = new SendError("Parley failed to send this; its log says why.");

async function failed(
  ctx: NotifyContext,
  { row: channel }: Found,
  rows: LeasedRow[],
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
  kind: ChannelRow["kind"];
  /** Null for a channel from the settings. */
  row: ChannelRow | null;
  sender: NonNullable<NotifyContext["kinds"][ChannelRow["kind"]]>;
  target: () => ChannelTarget;
};

/** The channel and how to send to it; undefined if it was removed or disabled, or its kind is no longer set up. */
export function findChannel(ctx: NotifyContext, id: string, isTest = false): Found | undefined {
  const fixed = ctx.fixed.find((one) => one.id === id);
  const row = fixed ? null : ctx.auth.directory.channels.find((one) => one.id === id);
  const kind = fixed?.target.kind ?? row?.kind;
  const sender = fixed?.sender ?? (kind && ctx.kinds[kind]);
  if (!kind || !sender || row === undefined || (row !== null && !isTest && !isUsable(ctx, row))) return undefined;
  const target = () => {
    const found = fixed?.target ?? (row && ctx.cipher.decrypt(row.id, row.target));
    if (found) return found;
    throw new SendError("Its address cannot be read: PARLEY_SECRET is another one. Add the channel again.", "never");
  };
  return { id, kind, row, sender, target };
}

/** How many questions a person could answer. */
async function openFor(ctx: NotifyContext, person_id: string | null): Promise<number> {
  const team = teamOf(ctx);
  const person = person_id === null ? undefined : team.people.get(person_id);
  let open = 0;
  for (const [space_id, count] of await countOpenBySpace(ctx.db))
    if (!person || seesSpace(team, person, space_id)) open += count;
  if (!person) return open;
  // Whatever they have put away, they saw.
  return open - (await countSnoozed(ctx.db, { person_id: person.id, now: ctx.clock() }, "all"));
}

function itemsOf(rows: LeasedRow[]): string[] {
  return rows.map(({ inbox_item_id }) => inbox_item_id);
}
