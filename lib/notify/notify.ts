import type { AuthContext } from "../auth/context.ts";
import { Allowance } from "../auth/throttle.ts";
import type { Database } from "../db/database.ts";
import { nextWakes } from "../db/notify/items.ts";
import { leaseOwners, releaseLost, releaseOf } from "../db/notify/notifications.ts";
import type { SweepHook } from "../hub/background/sweep.ts";
import type { ChannelKind, ChannelTarget } from "../protocol/notification.ts";
import { hasChannels } from "./audience.ts";
import { createEmail } from "./channels/email.ts";
import { createNtfy } from "./channels/ntfy.ts";
import { createSlack, type Slack } from "./channels/slack.ts";
import { createWebPush } from "./channels/web-push.ts";
import { createWebhook } from "./channels/webhook.ts";
import { type FixedChannel, type NotifyContext, type NotifyTiming, TIMING } from "./context.ts";
import { createTargetCipher } from "./encrypt-target.ts";
import { lookAtItems } from "./look.ts";
import { inheritChannels } from "./manage-channels.ts";
import type { Channel } from "./message.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import { Sender } from "./sender.ts";
import type { NotifySettings } from "./settings.ts";
import { onInteraction, type SlackOptions } from "./slack-answers.ts";
import { vapidKeys } from "./vapid.ts";

export type NotifyOptions = {
  db: Database;
  /** This process among the nodes that share the database. */
  node: string;
  auth: AuthContext;
  settings: NotifySettings;
  /** The secret of the installation. */
  secret: string;
  publicUrl: () => string;
  isLooking: NotifyContext["isLooking"];
  /** Whether someone who can see this space has used Parley within the last minute. */
  isSomebodyHere: (space_id: string, now: number) => boolean;
  timing?: Partial<NotifyTiming> | undefined;
  /** Certificates to trust besides the usual ones. */
  ca?: string | undefined;
  clock: () => number;
  onError: (error: unknown) => void;
};

export type Notify = {
  ctx: NotifyContext;
  /** For the hub: when people must be notified of a new ask. */
  notifyAt: (space_id: string, now: number) => number | null;
  /** For the hub's sweep: plans what is due, and begins to send it. */
  sweep: SweepHook;
  /** Follows what people do in Slack, if it is set up. */
  listen: (options: Omit<SlackOptions, "ctx" | "slack">) => void;
  /** Sends what is due, and resolves when nothing is left. */
  sendNow: () => Promise<void>;
  stop: () => Promise<void>;
};

const NOTHING = { looked: 0, isMore: false };
/** Whether another node is alive costs a connection: only one that has sent for so long is suspected. */
const SUSPECT_MS = 3_000;
const HOUR_MS = 3_600_000;

/** Tells people of questions, wherever they are. */
export function createNotify(options: NotifyOptions): Notify {
  const { db, node, auth, settings, secret, publicUrl, isLooking, isSomebodyHere, ca, clock, onError } = options;
  const keys = vapidKeys(secret);
  const outgoing = createOutgoing({ privateHosts: settings.privateHosts, ca });
  // What the administrator set up may be anywhere; what people give as theirs may not.
  const trusted = createOutgoing({ privateHosts: settings.fixedHosts, ca });
  const slack = settings.slack && createSlack(settings.slack);
  const ctx: NotifyContext = {
    db,
    node,
    auth,
    cipher: createTargetCipher(secret),
    confirmations: { byPerson: new Allowance(10, HOUR_MS), byAddress: new Allowance(3, HOUR_MS) },
    kinds: {
      web_push: asAny(createWebPush(outgoing, { keys, subject: () => contactOf(settings, publicUrl()) })),
      ntfy: asAny(createNtfy(outgoing)),
      webhook: asAny(createWebhook(outgoing, clock)),
      ...(settings.email && { email: asAny(createEmail(settings.email)) }),
      ...(slack && { slack: asAny(slack) }),
    },
    fixed: fixedChannels(settings, trusted, slack, clock),
    slack,
    vapidPublicKey: keys.publicKey,
    healthy: new Set(),
    publicUrl,
    isLooking,
    timing: { ...TIMING, ...options.timing },
    clock,
    onError,
  };
  auth.inheritance = (person_id) => inheritChannels(ctx, person_id);
  const { holdMs, presentHoldMs } = ctx.timing;
  const sender = new Sender(ctx);
  let isStopped = false;
  /** What other nodes had leased when they died is sent at once. */
  const releaseOfDead = async (now: number) => {
    let released = 0;
    const heldMs = db.kind === "postgresql" ? SUSPECT_MS : 0;
    for (const owner of await leaseOwners(db, now + ctx.timing.leaseMs - heldMs))
      if (owner !== node)
        await db.whileGone(owner, async () => {
          released += await releaseOf(db, owner, now);
        });
    return released;
  };
  return {
    ctx,
    notifyAt: (space_id, now) =>
      hasChannels(ctx) ? now + (isSomebodyHere(space_id, now) ? presentHoldMs : holdMs) : null,
    sweep: async (now) => {
      if (isStopped) return undefined;
      const wakes = await nextWakes(db);
      const isDue = (at: number | null) => at !== null && Number(at) <= now;
      const { looked, isMore } = isDue(wakes.item) ? await lookAtItems(ctx, now) : NOTHING;
      const released =
        wakes.lease === null ? 0 : (await releaseOfDead(now)) + (isDue(wakes.lease) ? await releaseLost(db, now) : 0);
      if (isDue(wakes.due) || looked + released > 0) void sender.begin().catch(onError);
      if (isMore) return now;
      const ahead = [wakes.item, wakes.due].filter((at) => at !== null && Number(at) > now).map(Number);
      return ahead.length > 0 ? Math.min(...ahead) : undefined;
    },
    listen: (options) => {
      if (!slack) return;
      const all = { ctx, slack, ...options };
      slack.listen((interaction) => onInteraction(all, interaction)).catch(onError);
    },
    sendNow: () => sender.drain(),
    stop: async () => {
      isStopped = true;
      await sender.stop(ctx.timing.stopMs);
      for (const channel of Object.values(ctx.kinds)) channel.close?.();
    },
  };
}

/** The kinds are looked up by the `kind` of the target that they then get. */
function asAny<Kind extends ChannelKind>(
  channel: Channel<Extract<ChannelTarget, { kind: Kind }>>,
): Channel<ChannelTarget> {
  return channel as unknown as Channel<ChannelTarget>;
}

function fixedChannels(
  settings: NotifySettings,
  trusted: Outgoing,
  slack: Slack | undefined,
  clock: () => number,
): FixedChannel[] {
  const { ntfy, webhook } = settings;
  const channel = settings.slack?.channel;
  return [
    ...(slack && channel ? [{ id: "chn_slack", label: "SLACK_CHANNEL", target: channel, sender: asAny(slack) }] : []),
    ...(ntfy ? [{ id: "chn_ntfy", label: "NTFY_URL", target: ntfy, sender: asAny(createNtfy(trusted)) }] : []),
    ...(webhook
      ? [{ id: "chn_webhook", label: "WEBHOOK_URL", target: webhook, sender: asAny(createWebhook(trusted, clock)) }]
      : []),
  ];
}

/** The contact for push services. */
function contactOf({ email }: NotifySettings, publicUrl: string): string {
  if (email) return `mailto:${email.from.address}`;
  return publicUrl.startsWith("https:") ? publicUrl : "mailto:parley@parley.invalid";
}
