import { request } from "node:http";
import type { Reply } from "../../../lib/mcp/tools.ts";
import { type McpMessage, messagesIn } from "../kit/mcp-message.ts";
import type { Random } from "../kit/random.ts";

/** Where a call breaks: nowhere, as soon as it is sent, or while its stream is open. */
export type McpFault = "none" | "reply lost" | "stream cut";
export type McpOutcome = { reply?: Reply | undefined; text: string; isError: boolean };

/** The result of the call, or undefined if the caller or a dying server cut it off. */
export function callMcp(port: number, { body, headers }: McpMessage, fault: McpFault, random: Random) {
  return new Promise<McpOutcome | undefined>((resolve) => {
    const cutAfter = fault === "none" ? 0 : random.between(0, 15);
    const outgoing = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers });
    const cut = () => setTimeout(() => outgoing.destroy(), cutAfter);
    outgoing.on("error", () => resolve(undefined));
    outgoing.on("close", () => resolve(undefined));
    // The newer protocol opens no stream until it has something to send, so there the call is cut before any data.
    if (fault !== "none") outgoing.on("finish", () => setTimeout(cut, fault === "reply lost" ? 0 : 30));
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (part: string) => {
        text += part;
      });
      incoming.on("error", () => resolve(undefined));
      incoming.on("end", () => resolve(outcomeIn(text)));
    });
    outgoing.end(JSON.stringify(body));
  });
}

function outcomeIn(text: string): McpOutcome | undefined {
  const last = messagesIn(text)?.at(-1) as { result?: Record<string, unknown>; error?: object } | undefined;
  if (!last?.result) return last?.error ? { text: JSON.stringify(last.error), isError: true } : undefined;
  const [first] = last.result.content as Array<{ text: string }>;
  const reply = last.result.structuredContent as Reply | undefined;
  return { reply, text: first?.text ?? "", isError: last.result.isError === true };
}
