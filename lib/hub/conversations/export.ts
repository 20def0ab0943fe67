import { hash as digest } from "node:crypto";
import { listAsksOf } from "../../db/hot/asks.ts";
import { listMessages } from "../../db/hot/messages.ts";
import { parseJson } from "../../db/json.ts";
import { lineOf } from "../../domain/views/jsonl.ts";
import type { Held, Readable } from "../access.ts";
import { type HubContext, requireConversation } from "../context.ts";

const PAGE = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type ExportedFile = {
  /** The name that `claude --resume` looks for. */
  file: string;
  lines: AsyncGenerator<string>;
};

/** The thread as JSONL, page by page, so that a long one is never in memory as a whole. */
export async function exportConversation(ctx: Pick<HubContext, "db" | "access">, at: Readable): Promise<ExportedFile> {
  const { conversation_id } = at;
  const { last_sequence, metadata } = await requireConversation(ctx, at);
  const id = chainId(conversation_id, parseJson(metadata));
  const pages = async function* (held: Held<Readable>) {
    for (let after = 0; after < last_sequence; after += PAGE) {
      await held.renew();
      const messages = await listMessages(ctx.db, conversation_id, after, Math.min(PAGE, last_sequence - after));
      const resultOf = (message: (typeof messages)[number]) =>
        message.type === "tool_result" ? String(message.content.tool_use_id) : undefined;
      const asked = [...new Set(messages.flatMap((message) => resultOf(message) ?? []))];
      const asks = await listAsksOf(ctx.db, conversation_id, asked);
      const outputs = new Map(asks.map((ask) => [ask.tool_use_id, ask.result?.output]));
      const page = messages.flatMap((message) => {
        const line = lineOf(message, id, outputs.get(resultOf(message) ?? ""));
        return line ? [`${JSON.stringify(line)}\n`] : [];
      });
      yield page.join("");
      // SQLite reads and a fast reader together would block everyone else.
      await new Promise(setImmediate);
    }
  };
  const lines = (async function* () {
    const held = ctx.access.hold(at);
    try {
      yield* pages(held);
    } finally {
      held.release();
    }
  })();
  return { file: `${id}.jsonl`, lines };
}

/** Claude Code's id of the thread, in the lines and the file name: a UUID, from the imported file if there was one. */
function chainId(conversation_id: string, metadata: Record<string, unknown> | null): string {
  const from = metadata?.imported_from;
  if (typeof from === "string" && UUID.test(from)) return from.toLowerCase();
  const hex = digest("sha256", conversation_id, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
