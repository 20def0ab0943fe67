import { z } from "zod";
import { SessionId, ToolUseId } from "./ids.ts";
import { PersonId } from "./people.ts";
import { SpaceId } from "./space.ts";

export const ChannelKind = z
  .enum(["web_push", "email", "ntfy", "webhook", "slack"])
  .describe(
    "`web_push`: a browser or phone. `email`. `ntfy`: a topic of an ntfy server. `webhook`: a program. `slack`: a member or a channel.",
  );
export type ChannelKind = z.infer<typeof ChannelKind>;

export const NotificationEvent = z
  .enum(["asked", "assigned", "escalated", "claimed", "settled"])
  .describe(
    "What it tells. `asked`: a new question. `assigned`: it was given to this person. `escalated`: it is still open, and another step is due. `claimed` and `settled`: somebody is answering, or it is over.",
  );
export type NotificationEvent = z.infer<typeof NotificationEvent>;

export const NotificationState = z
  .enum(["due", "sending", "sent", "failed", "dropped", "withdrawn"])
  .describe(
    "`due`: it will be sent, perhaps again after a failure. `failed`: given up. `dropped`: no longer wanted by the time it could be sent. `withdrawn`: the question was settled before it was sent.",
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
 * An address without anything that a mail header could break on. It is stricter than RFC 5321: quoted local parts are of
 * no use to people, and of much use to attackers.
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
    .describe("Where the push service takes messages for this browser."),
  keys: z
    .object({ p256dh: Base64Url.describe("The browser's public key."), auth: Base64Url.describe("Its secret.") })
    .describe("What messages for it are encrypted with."),
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
  kind: z.literal("ntfy").describe("A topic of an ntfy server."),
  url: HttpUrl.describe("The topic's address: `https://ntfy.sh/my-topic`."),
  token: z.string().max(500).optional().describe("An access token, if the topic needs one."),
});
const WebhookTarget = z.object({
  kind: z.literal("webhook").describe("A program that takes signed POST requests (Standard Webhooks)."),
  url: HttpUrl.describe("Where to POST."),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ and at least 24 bytes in base64")
    .max(200)
    .optional()
    .describe("The secret to sign with, `whsec_…`; Parley makes one if there is none."),
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

const label = Label.optional().describe("How to tell it from the others; taken from the address by default.");
export const NewChannel = z.object({
  target: ChannelTarget.describe("Where to send."),
  label,
});
export type NewChannel = z.infer<typeof NewChannel>;

export const ChannelView = z.object({
  id: ChannelId,
  kind: ChannelKind,
  label: z.string().describe("How to tell it from the others. Never the whole address, which may be a secret."),
  person_id: PersonId.nullable().describe("Whose it is; null if it is a space's."),
  space_id: SpaceId.nullable().describe("The space that it belongs to; null if it is a person's."),
  fixed: z.boolean().describe("Whether it comes from Parley's settings, and cannot be removed here."),
  created_at: z.iso.datetime().nullable().describe("When it was added; null if it comes from the settings."),
  verified_at: z.iso.datetime().nullable().describe("When something first arrived; null until then."),
  failing_since: z.iso.datetime().nullable().describe("Since when nothing arrives; null if all is well."),
  last_error: z.string().nullable().describe("Why the last message did not arrive; null if it did."),
  disabled: z.boolean().describe("Whether it was given up, after ten failures in a row. A successful test revives it."),
});
export type ChannelView = z.infer<typeof ChannelView>;

export const CreatedChannel = z.object({
  channel: ChannelView.describe("The new channel."),
  secret: z
    .string()
    .nullable()
    .describe("Of a webhook: the secret by which its receiver knows Parley. It is shown this once."),
});

/** What people and programs can be notified by here. */
export const ChannelKinds = z.object({
  kinds: z.array(ChannelKind).describe("The kinds that can be added here."),
  vapid_public_key: z.string().describe("What browsers subscribe with: `applicationServerKey`, base64url."),
});

export const ChannelTest = z.object({
  arrived: z.boolean().describe("Whether the service accepted the message."),
  error: z.string().nullable().describe("Why not; null if it did."),
});

export const NotificationView = z.object({
  id: z.string().describe("The notification; also its idempotency key: `webhook-id`, `Message-ID`."),
  inbox_item_id: z.string().describe("What it is about."),
  session_id: SessionId,
  tool_use_id: ToolUseId,
  channel_id: ChannelId,
  kind: ChannelKind,
  person_id: PersonId.nullable().describe("Who is notified; null for the channel of a space."),
  event: NotificationEvent,
  state: NotificationState,
  attempts: z.number().int().describe("How often it was tried."),
  next_at: z.iso.datetime().nullable().describe("When it is tried next; null if it is not."),
  sent_at: z.iso.datetime().nullable().describe("When it arrived at the service."),
  error: z.string().nullable().describe("Why it did not, the last time."),
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
