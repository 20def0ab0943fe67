import { listAsks } from "../db/asks.ts";
import { listMessages } from "../db/threads.ts";
import { lineOf } from "../domain/jsonl.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { type HubContext, requireConversation } from "./context.ts";

const PAGE = 200;

/** The thread as JSONL, a page at a time, so that a long one is never in memory whole. */
export async function exportSession(ctx: HubContext, call: Call, session_id: string): Promise<AsyncGenerator<string>> {
  requireRight(call.actor, "read");
  const { last_sequence } = await requireConversation(ctx, session_id);
  const outputs = new Map((await listAsks(ctx.db, session_id)).map((ask) => [ask.tool_use_id, ask.result?.output]));
  return (async function* () {
    for (let after = 0; after < last_sequence; after += PAGE) {
      const messages = await listMessages(ctx.db, session_id, after, Math.min(PAGE, last_sequence - after));
      const lines = messages.flatMap((message) => {
        const line = lineOf(
          message,
          session_id,
          message.type === "tool_result" ? outputs.get(String(message.content.tool_use_id)) : undefined,
        );
        return line ? [`${JSON.stringify(line)}\n`] : [];
      });
      yield lines.join("");
      // Reads of SQLite, and a reader who is fast enough, would never let anybody else be served.
      await new Promise(setImmediate);
    }
  })();
}
