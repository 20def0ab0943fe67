import { Webhook } from "standardwebhooks";
import { askView } from "../../domain/views/ask-view.ts";
import type { NotificationEvent, TargetOf } from "../../protocol/notification.ts";
import type { Channel, Message } from "../message.ts";
import { SendError } from "../message.ts";
import type { Outgoing } from "../outgoing.ts";

const TYPES: Record<NotificationEvent, string> = {
  asked: "question.asked",
  assigned: "question.escalated",
  escalated: "question.escalated",
  claimed: "question.claimed",
  settled: "question.settled",
};

/** Signed POST requests by the rules of Standard Webhooks. The receiver recognises a repeated event by `webhook-id`. */
export function createWebhook(outgoing: Outgoing, clock: () => number): Channel<TargetOf<"webhook">> {
  const post = ({ url, secret }: TargetOf<"webhook">, id: string, payload: object) => {
    if (secret === undefined) throw new SendError("This webhook has no secret to sign with.", "never");
    const body = JSON.stringify(payload);
    const at = new Date(clock());
    return outgoing.post(url, {
      headers: {
        "content-type": "application/json",
        "user-agent": "Parley",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(secret).sign(id, at, body),
      },
      body,
    });
  };
  return {
    hasDigests: false,
    hearsSettled: true,
    send: async (target, message) => {
      await post(target, message.id, {
        type: TYPES[message.event],
        timestamp: new Date(message.at).toISOString(),
        data: dataOf(message),
      });
      return { ref: null };
    },
    test: (target, { title, id }) =>
      post(target, id, { type: "parley.test", timestamp: new Date(clock()).toISOString(), data: { text: title } }),
  };
}

/** The question as `GET /api/asks` returns it; without its texts in spaces that keep them to themselves. */
function dataOf({ items: [item], isShort }: Message) {
  const { inbox_item_id, ask, agent, space_id, url } = item;
  const view = askView(ask);
  const plain = { inbox_item_id, session_id: ask.conversation_id, tool_use_id: ask.tool_use_id, agent, space_id, url };
  const { status, created_at, deadline_at, irreversible, decided_at } = view;
  if (isShort) return { ...plain, status, created_at, deadline_at, irreversible, decided_at };
  return { ...plain, ask: view };
}
