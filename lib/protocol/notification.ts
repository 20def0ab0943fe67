import { z } from "zod";
import { SessionId, ToolUseId } from "./ids.ts";
import { PersonId } from "./people.ts";
import { SpaceId } from "./space.ts";

export const ChannelKind = z
  .enum(["web_push", "email", "ntfy", "webhook", "slack"])
  .describe(
    "`web_push`: a browser or phone. `email`. `ntfy`: a topic on an ntfy server. `webhook`: a program. `slack`: a member or a channel.",
  );
export type ChannelKind = z.infer<typeof ChannelKind>;

export const NotificationEvent = z
  .enum(["asked", "assigned", "escalated", "claimed", "settled"])
  .describe(
    "What happened. `asked`: a new question. `assigned`: it was assigned to this person. `escalated`: it is still open, and another step is due. `claimed`: someone is answering. `settled`: it is settled.",
  );
export type NotificationEvent = z.infer<typeof NotificationEvent>;

export const NotificationState = z
  .enum(["due", "sending", "sent", "failed", "dropped", "withdrawn"])
  .describe(
    "`due`: it will be sent, perhaps again after a failure. `failed`: Parley gave up. `dropped`: no longer needed by the time it could be sent. `withdrawn`: the question was settled before it was sent.",
  );
export type NotificationState = z.infer<typeof NotificationState>;

export const NotifyNote = z.enum(["nobody_reachable", "no_channel"]);
export type NotifyNote = z.infer<typeof NotifyNote>;
/** What a waiting agent should know. */
export const StatusNote = z.enum([...NotifyNote.options, "assignee_unavailable"]);

export const ChannelId = z.string().min(1).max(64).describe("The channel.");
const Label = z.string().trim().min(1).max(100);

const HttpUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/**
 * An address that cannot break a mail header. It is stricter than RFC 5321: quoted local parts help attackers and nobody
 * else.
 */
export const EmailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, "must be an email address");

const Base64Url = z
  .string()
  .regex(/^[\w-]+={0,2}$/)
  .max(200);

/** What a browser's `PushSubscription.toJSON()` holds. */
export const PushSubscription = z.object({
  endpoint: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .describe("Where the push service accepts messages for this browser."),
  keys: z
    .object({ p256dh: Base64Url.describe("The browser's public key."), auth: Base64Url.describe("Its secret.") })
    .describe("The keys that messages to it are encrypted with."),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

const WebPushTarget = z.object({
  kind: z.literal("web_push").describe("A browser or phone."),
  subscription: PushSubscription.describe("What the browser returned when it subscribed."),
});
const EmailTarget = z.object({
  kind: z.literal("email").describe("Email. Needs SMTP_URL."),
  address: EmailAddress.describe("The address."),
});
const NtfyTarget = z.object({
  kind: z.literal("ntfy").describe("A topic on an ntfy server."),
  url: HttpUrl.describe("The topic's address: `https://ntfy.sh/my-topic`."),
  token: z.string().max(500).optional().describe("An access token, if the topic needs one."),
});
const WebhookTarget = z.object({
  kind: z.literal("webhook").describe("A program that accepts signed POST requests (Standard Webhooks)."),
  url: HttpUrl.describe("Where to POST."),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ and at least 24 bytes in base64")
    .max(200)
    .optional()
    .describe("The secret to sign with, `whsec_…`; Parley generates one by default."),
});
const SlackTarget = z.object({
  kind: z.literal("slack").describe("A member of the Slack workspace, or one of its channels. Needs SLACK_BOT_TOKEN."),
  address: z
    .string()
    .regex(/^[UWCGD][A-Z0-9]{2,30}$/, "must be the id of a Slack member or channel, as in U0123ABCD")
    .describe("Its id in Slack: `U…` for a member, `C…` for a channel."),
});

export const ChannelTarget = z.discriminatedUnion("kind", [
  WebPushTarget,
  EmailTarget,
  NtfyTarget,
  WebhookTarget,
  SlackTarget,
]);
export type ChannelTarget = z.infer<typeof ChannelTarget>;
export type TargetOf<Kind extends ChannelKind> = Extract<ChannelTarget, { kind: Kind }>;

const label = Label.optional().describe("A label that tells it apart; derived from the address by default.");
export const NewChannel = z.object({
  target: ChannelTarget.describe("Where to send."),
  label,
});
export type NewChannel = z.infer<typeof NewChannel>;

export const ChannelView = z.object({
  id: ChannelId,
  kind: ChannelKind,
  label: z.string().describe("A label that tells it apart. Never the whole address, which may be secret."),
  person_id: PersonId.nullable().describe("The person it belongs to; null if it belongs to a space."),
  space_id: SpaceId.nullable().describe("The space it belongs to; null if it belongs to a person."),
  fixed: z.boolean().describe("Whether it comes from Parley's settings and cannot be removed here."),
  created_at: z.iso.datetime().nullable().describe("When it was added; null if it comes from the settings."),
  confirmed: z
    .boolean()
    .describe(
      "Whether its owner has confirmed it. Until then, an email address gets only a code, and a Slack account only a button.",
    ),
  verified_at: z.iso.datetime().nullable().describe("When a message first arrived; null until then."),
  failing_since: z.iso.datetime().nullable().describe("Since when messages have failed; null if they arrive."),
  last_error: z.string().nullable().describe("Why the last message did not arrive; null if it did."),
  disabled: z
    .boolean()
    .describe("Whether Parley stopped using it after ten failures in a row. A successful test re-enables it."),
});
export type ChannelView = z.infer<typeof ChannelView>;

export const CreatedChannel = z.object({
  channel: ChannelView.describe("The new channel."),
  secret: z
    .string()
    .nullable()
    .describe("For a webhook: the secret its receiver verifies requests with. It is shown only this once."),
});

/** The kinds of channels available here. */
export const ChannelKinds = z.object({
  kinds: z.array(ChannelKind).describe("The kinds that can be added here."),
  vapid_public_key: z.string().describe("The `applicationServerKey` that browsers subscribe with, base64url."),
});

export const ChannelTest = z.object({
  arrived: z.boolean().describe("Whether the service accepted the message."),
  error: z.string().nullable().describe("Why the service did not accept it; null if it did."),
});

export const NotificationView = z.object({
  id: z.string().describe("The notification; also its idempotency key: `webhook-id`, `Message-ID`."),
  inbox_item_id: z.string().describe("The inbox item it is about."),
  session_id: SessionId,
  tool_use_id: ToolUseId,
  channel_id: ChannelId,
  kind: ChannelKind,
  person_id: PersonId.nullable().describe("Who is notified; null for a space's channel."),
  event: NotificationEvent,
  state: NotificationState,
  attempts: z.number().int().describe("How many times Parley tried to send it."),
  next_at: z.iso.datetime().nullable().describe("When Parley tries next; null if it does not."),
  sent_at: z.iso.datetime().nullable().describe("When the service accepted it."),
  error: z.string().nullable().describe("Why the last attempt failed."),
  created_at: z.iso.datetime().describe("When it was due."),
});
export type NotificationView = z.infer<typeof NotificationView>;

export const NotificationQuery = z.object({
  inbox_item_id: z.string().max(64).optional().describe("Only those about this item."),
  channel_id: z.string().max(64).optional().describe("Only those to this channel: its delivery log."),
  state: NotificationState.optional().describe("Only those in this state."),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("How many, 50 by default."),
});
export type NotificationQuery = z.infer<typeof NotificationQuery>;
