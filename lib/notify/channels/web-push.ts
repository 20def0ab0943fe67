import webpush from "web-push";
import { NOTIFICATION_TEXTS } from "../../../i18n/notifications.ts";
import { QUESTION_TYPES } from "../../domain/question-types.ts";
import type { TargetOf } from "../../protocol/notification.ts";
import { type Choice, contentOf, oneClickChoices, oneLine } from "../content.ts";
import { type Channel, type Message, SendError } from "../message.ts";
import type { Outgoing } from "../outgoing.ts";
import type { VapidKeys } from "../vapid.ts";

/** Push services take 4 kB, encryption and padding included. */
const MAX_BYTES = 3_000;
const DAY_S = 86_400;
/** What a lock screen has room for. */
const MAX_ACTIONS = 2;
/** Until when a question can be put away from its notification, by the clock of the device: public/sw.js. */
const SNOOZES = ["hour", "tomorrow"] as const;

export type WebPushOptions = {
  keys: VapidKeys;
  /** The contact for push services: a `mailto:` or `https:` address. */
  subject: () => string;
};

/**
 * Encrypted for one browser. The payload has the shape of declarative web push, so that Safari shows it without a service
 * worker; `data` is what Parley's own needs to answer from the notification.
 */
export function createWebPush(outgoing: Outgoing, { keys, subject }: WebPushOptions): Channel<TargetOf<"web_push">> {
  const push = async (
    { subscription }: TargetOf<"web_push">,
    payload: string,
    { topic, urgency }: { topic: string; urgency: "normal" | "high" },
  ) => {
    const details = prepared(() =>
      webpush.generateRequestDetails(subscription, payload, {
        vapidDetails: { subject: subject(), ...keys },
        TTL: DAY_S,
        urgency,
        topic,
      }),
    );
    const headers = Object.entries(details.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    await outgoing.post(details.endpoint, { headers: Object.fromEntries(headers), body: details.body });
  };
  return {
    hasDigests: true,
    hearsSettled: true,
    send: async (target, message) => {
      const isUrgent = message.event === "escalated" || message.event === "assigned";
      await push(target, pushPayload(message, await message.open()), {
        topic: tagOf(message),
        urgency: isUrgent ? "high" : "normal",
      });
      return { ref: null };
    },
    test: (target, { title, body, url }) =>
      push(target, JSON.stringify({ web_push: 8030, notification: { title, body, navigate: url, tag: "test" } }), {
        topic: "test",
        urgency: "high",
      }),
  };
}

/** A device that sent something that is no subscription can never be reached. */
function prepared<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new SendError(
      `The browser's subscription cannot be used (${error instanceof Error ? error.message : "it is malformed"}).`,
      "never",
    );
  }
}

/** The notification on the device that a new one takes the place of. */
function tagOf({ items, count }: Message): string {
  return count > 1 ? "digest" : items[0].inbox_item_id;
}

export function pushPayload(message: Message, open: number): string {
  const { event, items, language, id } = message;
  const { title, body, url } = contentOf(message);
  const [{ ask, inbox_item_id }] = items;
  const isOne = message.count === 1;
  const buttons = buttonsOf(message);
  const payload = (text: string) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title,
        body: text,
        lang: language,
        navigate: url,
        tag: tagOf(message),
        // A settled question replaces its notification without a sound.
        silent: event === "settled",
        renotify: event !== "settled",
        ...(isOne && {
          actions: [
            ...buttons.map(({ id, label }) => ({ action: `answer:${id}`, title: oneLine(label, 60) })),
            // Where no answer fits, there is room to put it away.
            ...(buttons.length > 0 || event === "settled"
              ? []
              : SNOOZES.map((name) => ({
                  action: `snooze:${name}`,
                  title: NOTIFICATION_TEXTS[language].snooze[name],
                }))),
          ].map((action) => ({ ...action, navigate: url })),
        }),
        data: {
          notification_id: id,
          event,
          ...(isOne && {
            inbox_item_id,
            session_id: ask.conversation_id,
            tool_use_id: ask.tool_use_id,
            question_id: ask.questions[0]?.question_id ?? null,
            content_hash: ask.content_hash,
            answers: answersOf(message, buttons),
          }),
        },
      },
      app_badge: String(open),
    });
  for (const length of [240, 120, 60]) {
    const text = payload(isOne ? oneLine(body, length) : body.slice(0, length * 4));
    if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  }
  return payload("");
}

/**
 * Buttons for a question with at most two options, which the service worker answers with. What cannot be undone is confirmed
 * on its own page.
 */
function buttonsOf({ items: [{ ask }], event, isShort, language, count }: Message): Choice[] {
  if (isShort || event === "settled" || count > 1) return [];
  const choices = oneClickChoices(ask, NOTIFICATION_TEXTS[language]) ?? [];
  return choices.length > MAX_ACTIONS ? [] : choices;
}

/** What the service worker sends for each button, as `answer` of `POST /api/task/answer`. */
function answersOf({ items: [{ ask }] }: Message, buttons: Choice[]): Record<string, unknown> {
  const [question] = ask.questions;
  if (!question) return {};
  const { submit } = QUESTION_TYPES[question.type];
  return Object.fromEntries(buttons.map(({ id }) => [`answer:${id}`, submit({ option_ids: [id], text: null }).answer]));
}
