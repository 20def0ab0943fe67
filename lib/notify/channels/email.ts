import { createTransport } from "nodemailer";
import { NOTIFICATION_TEXTS } from "../../../i18n/notifications.ts";
import type { TargetOf } from "../../protocol/notification.ts";
import { contentOf, oneLine } from "../content.ts";
import { type Channel, SendError } from "../message.ts";

export type MailAddress = { name: string; address: string };
export type EmailOptions = {
  /** `smtp://` or `smtps://`, with the name and password if it needs them. */
  url: string;
  from: MailAddress;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/**
 * One email with one link. Addresses are objects and the envelope is explicit: a mail library that reads addresses from text
 * can be talked into more recipients. The link alone never answers: scanning or forwarding an email must not decide
 * anything.
 */
export function createEmail({ url, from, timeoutMs = TIMEOUT_MS }: EmailOptions): Channel<TargetOf<"email">> {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  const host = from.address.split("@").at(-1) ?? "parley.invalid";
  const idOf = (name: string) => `<${name}@${host}>`;
  type Mail = { id: string; thread: string | null; subject: string; text: string; html: string };
  const mail = async ({ address }: TargetOf<"email">, { id, thread, subject, text, html }: Mail) => {
    try {
      await transport.sendMail({
        from,
        to: { name: "", address },
        envelope: { from: from.address, to: [address] },
        subject,
        text,
        html,
        messageId: idOf(id),
        ...(thread !== null && { inReplyTo: idOf(thread), references: [idOf(thread)] }),
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
    } catch (error) {
      throw refusal(error);
    }
  };
  return {
    hasDigests: true,
    hearsSettled: false,
    close: () => transport.close(),
    send: async (target, message) => {
      const { title, body, options, url: link } = contentOf(message);
      const { open, options: heading, footer } = NOTIFICATION_TEXTS[message.language];
      const [{ ask }] = message.items;
      const isOne = message.count === 1;
      const listed = options.length > 0 ? `\n\n${heading}\n${options.map((label) => `- ${label}`).join("\n")}` : "";
      await mail(target, {
        id: message.id,
        thread: isOne ? ask.conversation_id : null,
        subject: oneLine(isOne && !message.isShort ? `${title}: ${body}` : title, 150),
        text: `${body}${listed}\n\n${open}: ${link}\n\n-- \n${footer}\n`,
        html: page(
          body,
          options.length > 0
            ? `<p>${escaped(heading)}</p><ul>${options.map((label) => `<li>${escaped(label)}</li>`).join("")}</ul>`
            : "",
          link,
          open,
          footer,
        ),
      });
      return { ref: null };
    },
    test: (target, { title, body, url: link, id }) =>
      mail(target, {
        id,
        thread: null,
        subject: title,
        text: `${body}\n\n${link}\n`,
        html: page(body, "", link, title, ""),
      }),
  };
}

function page(body: string, options: string, link: string, open: string, footer: string): string {
  const text = escaped(body).replaceAll("\n", "<br>");
  return `<!doctype html><html><body style="font-family:sans-serif;font-size:16px;line-height:1.5"><p>${text}</p>${options}<p><a href="${escaped(link)}">${escaped(open)}</a></p><p style="color:#666;font-size:13px">${escaped(footer)}</p></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** 4xx: try again. 5xx: the server will not take it. Anything else did not reach the server. */
function refusal(error: unknown): SendError {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (responseCode === undefined) return new SendError(`The mail server could not be reached (${code ?? "failed"}).`);
  const said = `The mail server refused the message (${responseCode}).`;
  return new SendError(said, responseCode >= 500 ? "never" : "retry");
}
