import type { SocketModeClient } from "@slack/socket-mode";
import type { KnownBlock, Logger, LogLevel, View, WebClient } from "@slack/web-api";
import { NOTIFICATION_TEXTS } from "../../../i18n/notifications.ts";
import type { TargetOf } from "../../protocol/notification.ts";
import { contentOf, oneLine } from "../content.ts";
import { type Channel, type Message, type MessageItem, SendError } from "../message.ts";
import type { SlackSettings } from "../settings.ts";
import { modalOf, OPEN_ACTION, referenceTo, wayToAnswer } from "./slack-blocks.ts";

/** An action on a message or form, as Slack sends it. */
export type Interaction = {
  /** Acknowledges it to Slack, which expects this within three seconds. */
  ack: () => Promise<void>;
  body: unknown;
};

export type Slack = Channel<TargetOf<"slack">> & {
  /** Asks a Slack account whether it belongs to this person. */
  askToConfirm: (target: TargetOf<"slack">, channel_id: string, person: string) => Promise<void>;
  /** Follows what people do in Slack, for as long as Parley runs. */
  listen: (onInteraction: (interaction: Interaction) => Promise<void>) => Promise<void>;
  /** Says something that only this person sees. */
  whisper: (to: { channel: string; user: string }, text: string) => Promise<void>;
  openForm: (trigger_id: string, view: View) => Promise<void>;
  formOf: (message: MessageItem, language: Message["language"]) => View;
};

const TIMEOUT_MS = 10_000;
/** What will not change by trying again. */
const FINAL = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "user_not_found",
  "cannot_dm_bot",
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "missing_scope",
  "msg_too_long",
  "invalid_blocks",
]);

/**
 * Slack over Socket Mode: Parley connects to Slack, so it needs no public address. Its packages are large and optional; they
 * are loaded when something is first sent.
 */
export function createSlack(settings: SlackSettings): Slack {
  let client: Promise<WebClient> | undefined;
  let socket: SocketModeClient | undefined;
  const web = () => {
    client ??= createWeb(settings);
    return client;
  };
  const call = async <Result>(work: (web: WebClient) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await web());
    } catch (error) {
      throw refusal(error);
    }
  };
  const post = async (channel: string, text: string, blocks: KnownBlock[]) => {
    const sent = await call((slack) => slack.chat.postMessage({ channel, text: escaped(text), blocks, ...PLAIN }));
    return `${sent.channel ?? channel}:${sent.ts ?? ""}`;
  };
  return {
    hasDigests: true,
    hearsSettled: true,
    send: async ({ address }, message) => {
      const { title, body } = contentOf(message);
      if (message.event !== "settled") return { ref: await post(address, `${title}: ${body}`, blocksOf(message)) };
      for (const ref of message.refs) {
        const [channel = "", ts = ""] = ref.split(":");
        const blocks = [plain(title), plain(body)];
        await call((slack) => slack.chat.update({ channel, ts, text: escaped(title), blocks, ...PLAIN }));
      }
      return { ref: null };
    },
    test: async ({ address }, { title, body }) => {
      await post(address, title, [plain(title), plain(body)]);
    },
    askToConfirm: async ({ address }, channel_id, person) => {
      const { confirm } = NOTIFICATION_TEXTS.en;
      await post(address, confirm.text(person), [
        plain(confirm.text(person)),
        {
          type: "actions",
          elements: [{ type: "button", action_id: "confirm", text: label(confirm.button), value: channel_id }],
        },
      ]);
    },
    listen: async (onInteraction) => {
      const { SocketModeClient } = await load(() => import("@slack/socket-mode"));
      socket = new SocketModeClient({
        appToken: settings.appToken,
        logger: SILENT,
        clientOptions: settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl },
      });
      socket.on("interactive", ({ ack, body }: Interaction) => void onInteraction({ ack, body }));
      await socket.start();
    },
    whisper: async ({ channel, user }, text) => {
      await call((slack) => slack.chat.postEphemeral({ channel, user, text: escaped(text) }));
    },
    openForm: async (trigger_id, view) => {
      await call((slack) => slack.views.open({ trigger_id, view }));
    },
    formOf: (item, language) => modalOf(item, NOTIFICATION_TEXTS[language]),
    close: () => void socket?.disconnect().catch(() => {}),
  };
}

/** Slack must not turn what an agent wrote into links, mentions or previews. */
const PLAIN = { mrkdwn: false, parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

const nothing = () => {};
/** Slack closes sockets as a matter of course. What fails for good reaches Parley's own log, and the channel's owner. */
const SILENT: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => "error" as LogLevel,
};

async function createWeb({ botToken, apiUrl }: SlackSettings): Promise<WebClient> {
  const { WebClient } = await load(() => import("@slack/web-api"));
  return new WebClient(botToken, {
    logger: SILENT,
    // Parley tries again itself, and must know when.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
  });
}

async function load<Package>(imported: () => Promise<Package>): Promise<Package> {
  try {
    return await imported();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new SendError(
        "Slack's packages are not installed here. In Parley's folder run `npm install --no-save @slack/web-api @slack/socket-mode undici@7`, and start Parley again.",
      );
    throw error;
  }
}

function blocksOf(message: Message): KnownBlock[] {
  const { title, body, url } = contentOf(message);
  const { open, answer } = NOTIFICATION_TEXTS[message.language];
  const link = { type: "button" as const, action_id: OPEN_ACTION, text: label(open), url };
  const [item] = message.items;
  const isPlain = message.count > 1 || message.isShort;
  const way = isPlain ? { buttons: [], hasForm: false } : wayToAnswer(item.ask, NOTIFICATION_TEXTS[message.language]);
  const button = (action_id: string, text: string, option_id: string | null) => ({
    type: "button" as const,
    action_id,
    text: label(text),
    value: referenceTo(item.ask, option_id),
  });
  const elements = [
    ...way.buttons.map(({ id, label: text }, nth) => button(`answer:${nth}`, text, id)),
    ...(way.hasForm ? [button("form", answer, null)] : []),
    link,
  ];
  return [plain(title), plain(body), { type: "actions", elements }];
}

const plain = (text: string): KnownBlock => ({
  type: "section",
  text: { type: "plain_text", text: text.slice(0, 3_000) || "–", emoji: false },
});
const label = (text: string) => ({ type: "plain_text" as const, text: oneLine(text, 75) || "–", emoji: false });

/** In the text that screens without blocks show, Slack reads these three as markup. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function refusal(error: unknown): unknown {
  if (error instanceof SendError || !(error instanceof Error) || !("code" in error)) return error;
  const { code, data, retryAfter } = error as { code?: string; data?: { error?: string }; retryAfter?: number };
  if (code === "slack_webapi_rate_limited_error")
    return new SendError("Slack asks to wait.", "retry", (retryAfter ?? 30) * 1_000);
  if (code === "slack_webapi_platform_error") {
    const reason = data?.error ?? "refused";
    return new SendError(`Slack refused the message (${reason}).`, FINAL.has(reason) ? "never" : "retry");
  }
  return new SendError("Slack could not be reached.");
}
