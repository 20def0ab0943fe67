import { NOTIFICATION_TEXTS } from "../../../i18n/notifications.ts";
import type { TargetOf } from "../../protocol/notification.ts";
import { contentOf } from "../content.ts";
import type { Channel } from "../message.ts";
import type { Outgoing } from "../outgoing.ts";

/**
 * ntfy: one POST of JSON to the server, with the topic in it. It only links to the question: an action that answers would
 * give the ntfy server the right to answer.
 */
export function createNtfy(outgoing: Outgoing): Channel<TargetOf<"ntfy">> {
  const publish = ({ url, token }: TargetOf<"ntfy">, message: Record<string, unknown>) => {
    const address = new URL(url);
    const topic = decodeURIComponent(
      address.pathname
        .replace(/^\/+|\/+$/g, "")
        .split("/")
        .at(-1) ?? "",
    );
    const root = new URL(address.pathname.replace(/[^/]*\/*$/, ""), address);
    return outgoing.post(String(root), {
      headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ topic, ...message }),
    });
  };
  return {
    hasDigests: true,
    hearsSettled: false,
    send: async (target, message) => {
      const { title, body, options, url } = contentOf(message);
      const isUrgent = message.event === "escalated";
      const text = [body, ...(options.length > 0 ? [options.map((label) => `– ${label}`).join("\n")] : [])].join("\n");
      await publish(target, {
        title,
        message: text,
        priority: isUrgent ? 4 : 3,
        tags: ["question"],
        click: url,
        actions: [{ action: "view", label: NOTIFICATION_TEXTS[message.language].open, url, clear: true }],
      });
      return { ref: null };
    },
    test: (target, { title, body, url }) => publish(target, { title, message: body, click: url }),
  };
}
