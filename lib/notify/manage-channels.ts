import { randomBytes } from "node:crypto";
import { NOTIFICATION_TEXTS } from "../../i18n/notifications.ts";
import { accountOf, change, noSuch } from "../auth/context.ts";
import { digestOf, plainUserCode } from "../auth/secrets.ts";
import { wakeUntold } from "../db/notify/status.ts";
import type { ChannelRow } from "../db/tables.ts";
import {
  giveChannel,
  giveNotifications,
  insertChannel,
  removeChannel as removeRow,
  replaceChannel,
  updateChannel,
  setWish as wishRow,
} from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy, scopeOf } from "../domain/rights.ts";
import { LOCAL } from "../domain/team.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { ChannelTarget, ChannelView, NewChannel } from "../protocol/notification.ts";
import { EVERYONE, type Wish } from "../protocol/space.ts";
import { noteFailure, noteSuccess } from "./channel-health.ts";
import { oneLine, testTexts } from "./content.ts";
import type { FixedChannel, NotifyContext } from "./context.ts";
import { SendError } from "./message.ts";
import { findChannel } from "./send.ts";
import { languageFor } from "./texts-for.ts";

/** Whose a channel is: a person's or a space's. */
type Owner = { person_id: string; space_id: null } | { person_id: null; space_id: string };

/** The person behind a call. While nobody has an account, it is always the same one. */
function personOf(ctx: NotifyContext, actor: Actor): string {
  return ctx.auth.directory.mode === "open" ? LOCAL.id : accountOf(ctx.auth, actor).id;
}

const MOST = 20;

function listed(ctx: NotifyContext, isOf: (channel: ChannelRow) => boolean, fixed: readonly FixedChannel[]) {
  const kinds = Object.keys(ctx.kinds) as ChannelView["kind"][];
  return {
    channels: [...fixed.map(fixedView), ...ctx.auth.directory.channels.filter(isOf).map(channelView)],
    kinds,
    vapid_public_key: ctx.vapidPublicKey,
  };
}

export async function listChannels(ctx: NotifyContext, { actor }: Call) {
  // Failures are stored without an event, so the copy in memory may be older.
  await ctx.auth.directory.refresh();
  const me = personOf(ctx, actor);
  const isOpen = ctx.auth.directory.mode === "open";
  const isMine = ({ person_id, space_id }: ChannelRow) => person_id === me || (isOpen && space_id !== null);
  const { kinds, ...rest } = listed(ctx, isMine, isOpen ? ctx.fixed : []);
  return { ...rest, kinds: kinds.filter((kind) => kind !== "webhook" || isOpen) };
}

export async function listSpaceChannels(ctx: NotifyContext, space_id: string) {
  const space = requireSpace(ctx, space_id);
  await ctx.auth.directory.refresh();
  const { kinds, ...rest } = listed(ctx, (channel) => channel.space_id === space_id, space.open ? ctx.fixed : []);
  return { ...rest, kinds: kinds.filter((kind) => kind !== "web_push") };
}

/** While nobody has an account there are no admins, so the one person adds webhooks to the space that everything is in. */
export async function addChannel(ctx: NotifyContext, call: Call, given: NewChannel) {
  if (given.target.kind === "webhook") {
    if (ctx.auth.directory.mode === "open") return addSpaceChannel(ctx, call, EVERYONE, given);
    throw invalidRequest([{ path: "target.kind", message: "cannot be a webhook: those belong to spaces" }]);
  }
  return add(ctx, call, { person_id: personOf(ctx, call.actor), space_id: null }, given);
}

export async function addSpaceChannel(ctx: NotifyContext, call: Call, space_id: string, given: NewChannel) {
  requireSpace(ctx, space_id);
  if (given.target.kind === "web_push")
    throw invalidRequest([{ path: "target.kind", message: "cannot be web_push: a device belongs to a person" }]);
  return add(ctx, call, { person_id: null, space_id }, given);
}

async function add(ctx: NotifyContext, { actor, now }: Call, owner: Owner, { target, label }: NewChannel) {
  const { kind } = target;
  if (!ctx.kinds[kind])
    throw invalidRequest([{ path: "target.kind", message: `cannot be ${kind}: Parley is not set up for it` }]);
  const own = ctx.auth.directory.channels.filter(
    ({ person_id, space_id }) => person_id === owner.person_id && space_id === owner.space_id,
  );
  if (own.length >= MOST) throw invalidRequest([{ path: "target", message: `cannot be added: ${MOST} are the most` }]);
  const full = withSecret(target);
  const id = newId("channel", now);
  const unconfirmed = needsConfirmation(ctx, target, owner);
  if (unconfirmed && target.kind === "email") countConfirmation(ctx, actor, target.address, now);
  const row: ChannelRow = {
    id,
    ...owner,
    kind,
    target: ctx.cipher.encrypt(id, full),
    fingerprint: fingerprintOf(full, owner),
    label: label ?? labelOf(target),
    created_at: now,
    unconfirmed_since: unconfirmed ? now : null,
    verified_at: null,
    failures: 0,
    failing_since: null,
    last_error: null,
    disabled_at: null,
  };
  const after = { channel_id: id, kind, label: row.label, ...owner };
  const event = { action: "channel.added" as const, actor: decidedBy(actor), at: now, after };
  await change(ctx.auth, [replaceChannel(kind, row.fingerprint), insertChannel(row)], event);
  // Whoever reads there says whose it is, before anything else is sent there.
  if (unconfirmed) await askToConfirm(ctx, actor, row, target, now).catch((error) => noteError(ctx, row, error, now));
  // Questions about which nobody could be notified so far.
  await wakeUntold(ctx.db, now);
  return { channel: channelView(row), secret: full.kind === "webhook" ? (full.secret ?? null) : null };
}

/** Only what the person proved to be theirs in another way, or holds in their hands, needs no confirmation. */
function needsConfirmation({ auth }: NotifyContext, target: ChannelTarget, { person_id }: Owner): boolean {
  if (target.kind === "slack") return person_id !== null;
  if (target.kind !== "email") return false;
  const person = auth.directory.person(person_id ?? "");
  return !person?.login_proven || person.login !== target.address.toLowerCase();
}

/** Otherwise anyone with an account could have Parley flood a stranger with codes. */
function countConfirmation({ confirmations }: NotifyContext, { id }: Actor, address: string, now: number): void {
  confirmations.byPerson.use(id ?? LOCAL.id, now);
  confirmations.byAddress.use(address.toLowerCase(), now);
}

async function askToConfirm(
  ctx: NotifyContext,
  actor: Actor,
  { id, person_id }: ChannelRow,
  target: ChannelTarget,
  now: number,
): Promise<void> {
  if (target.kind === "slack") return ctx.slack?.askToConfirm(target, id, nameOf(ctx, actor));
  const { title, body } = NOTIFICATION_TEXTS[languageFor(ctx, person_id)].confirmAddress;
  const text = { title, body: body(oneLine(nameOf(ctx, actor), 200), ctx.cipher.codeFor(id)) };
  await ctx.kinds[target.kind]?.test(target, { ...text, url: ctx.publicUrl(), id: newId("notification", now) });
}

/** Proves with the code that its owner reads what arrives at an address. */
export async function confirmChannel(
  ctx: NotifyContext,
  { actor, now }: Call,
  id: string,
  code: string,
): Promise<ChannelView> {
  const row = requireOwn(ctx, actor, id);
  if (row.unconfirmed_since === null || row.kind !== "email") return channelView(row);
  const attempt = ctx.auth.throttle.attempt(`confirm ${id}`, "");
  if (plainUserCode(code) !== ctx.cipher.codeFor(id))
    throw new ParleyError("token_invalid", "This is not the code in the email. Check it, or have it sent again.");
  attempt.succeeded();
  const after = { channel_id: id, kind: row.kind, label: row.label };
  const event = { action: "channel.confirmed" as const, actor: decidedBy(actor), at: now, after };
  if (!(await change(ctx.auth, [updateChannel(id, { unconfirmed_since: null })], event))) throw noSuch("channel", id);
  await wakeUntold(ctx.db, now);
  return channelView({ ...row, unconfirmed_since: null });
}

/**
 * The channels of the person who used Parley alone move to the first account, so that their phone keeps ringing. A channel
 * replaces one with the same address that the account already had.
 */
export function inheritChannels(ctx: NotifyContext, person_id: string) {
  const channels = ctx.auth.directory.channels.filter((channel) => channel.person_id === LOCAL.id);
  const statements = channels.flatMap(({ id, kind, target: encrypted, fingerprint: before }) => {
    const target = ctx.cipher.decrypt(id, encrypted);
    const fingerprint = target ? fingerprintOf(target, { person_id, space_id: null }) : before;
    const given = giveChannel(id, person_id, fingerprint);
    return fingerprint === before ? [given] : [replaceChannel(kind, fingerprint), given];
  });
  return {
    statements: [...statements, giveNotifications(LOCAL.id, person_id)],
    after: { channels: channels.map(({ id }) => id) },
  };
}

function nameOf(ctx: NotifyContext, { id, name }: Actor): string {
  const person = id === undefined ? undefined : ctx.auth.directory.person(id);
  return person ? `${person.name} (${person.login})` : name;
}

async function noteError(ctx: NotifyContext, row: ChannelRow, error: unknown, now: number): Promise<void> {
  if (!(error instanceof SendError)) throw error;
  await noteFailure(ctx, row, error.message, now);
}

export async function removeChannel(ctx: NotifyContext, { actor, now }: Call, id: string): Promise<void> {
  const { kind, label, person_id, space_id } = requireOwn(ctx, actor, id);
  const after = { channel_id: id, kind, label, person_id, space_id };
  const event = { action: "channel.removed" as const, actor: decidedBy(actor), at: now, after };
  if (!(await change(ctx.auth, [removeRow(id)], event))) throw noSuch("channel", id);
}

/** Sends a test at once, and says how it went. */
export async function testChannel(ctx: NotifyContext, { actor, now }: Call, id: string) {
  const row = ctx.fixed.some((one) => one.id === id) && isManager(ctx, actor) ? null : requireOwn(ctx, actor, id);
  const channel = findChannel(ctx, id, true);
  if (!channel) return { arrived: false, error: "Parley is not set up for this kind of channel any more." };
  const text = { ...testTexts(languageFor(ctx, row?.person_id ?? null)), url: ctx.publicUrl() };
  try {
    const target = channel.target();
    const unconfirmed = row !== null && row.unconfirmed_since !== null ? row : undefined;
    if (unconfirmed && target.kind === "email") countConfirmation(ctx, actor, target.address, now);
    if (unconfirmed) await askToConfirm(ctx, actor, unconfirmed, target, now);
    else await channel.sender.test(target, { ...text, id: newId("notification", now) });
    await noteSuccess(ctx, row, now);
    return { arrived: true, error: null };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (row) await noteFailure(ctx, row, error.message, now);
    return { arrived: false, error: error.message };
  }
}

export async function setWish(ctx: NotifyContext, { actor }: Call, space_id: string, notify: Wish): Promise<void> {
  const me = accountOf(ctx.auth, actor);
  const scope = scopeOf(actor);
  const isSeen = scope === "all" || ("spaces" in scope && scope.spaces.includes(space_id));
  if (!isSeen) throw noSuch("space", space_id);
  requireSpace(ctx, space_id);
  await change(ctx.auth, [wishRow(space_id, me.id, notify)], null);
}

/** Finds the caller's channel, or for admins a space's. For others it does not exist. */
export function requireOwn(ctx: NotifyContext, actor: Actor, id: string): ChannelRow {
  const channel = ctx.auth.directory.channels.find((one) => one.id === id);
  if (!channel) throw noSuch("channel", id);
  const isOwn = channel.person_id !== null && channel.person_id === personOf(ctx, actor);
  const isManaged = channel.space_id !== null && isManager(ctx, actor);
  if (!isOwn && !isManaged) throw noSuch("channel", id);
  return channel;
}

/** Admins manage channels that belong to nobody; without accounts, everyone does. */
export function isManager(ctx: NotifyContext, actor: Actor): boolean {
  return ctx.auth.directory.mode === "open" || actor.rights.includes("manage");
}

function requireSpace(ctx: NotifyContext, id: string) {
  const space = ctx.auth.directory.spaces.find((one) => one.id === id);
  if (!space) throw noSuch("space", id);
  return space;
}

function withSecret(target: ChannelTarget): ChannelTarget {
  if (target.kind !== "webhook" || target.secret !== undefined) return target;
  return { ...target, secret: `whsec_${randomBytes(32).toString("base64")}` };
}

/** A browser is one device and belongs to the person who subscribed last. */
function fingerprintOf(target: ChannelTarget, { person_id, space_id }: Owner): string {
  if (target.kind === "web_push") return digestOf(target.subscription.endpoint);
  const address = "url" in target ? target.url : target.address.toLowerCase();
  return digestOf(JSON.stringify([person_id, space_id, address]));
}

/** Enough to tell channels apart. The topic of ntfy and the path of a webhook may be secrets. */
function labelOf(target: ChannelTarget): string {
  if (target.kind === "web_push") return new URL(target.subscription.endpoint).hostname;
  return "url" in target ? new URL(target.url).host : target.address;
}

export function channelView(channel: ChannelRow): ChannelView {
  const { id, kind, label, person_id, space_id, last_error } = channel;
  return {
    id,
    kind,
    label,
    person_id,
    space_id,
    fixed: false,
    created_at: iso(channel.created_at),
    confirmed: channel.unconfirmed_since === null,
    verified_at: iso(channel.verified_at),
    failing_since: iso(channel.failing_since),
    last_error,
    disabled: channel.disabled_at !== null,
  };
}

function fixedView({ id, label, target: { kind } }: FixedChannel): ChannelView {
  return {
    id,
    kind,
    label,
    person_id: null,
    space_id: null,
    fixed: true,
    created_at: null,
    confirmed: true,
    verified_at: null,
    failing_since: null,
    last_error: null,
    disabled: false,
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
