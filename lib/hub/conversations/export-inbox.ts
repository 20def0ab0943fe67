import { BYTE_ORDER_MARK, csvLine } from "../../domain/views/csv.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { ExportQuery, InboxItem } from "../../protocol/inbox.ts";
import type { Caller, Overview } from "../access.ts";
import type { HubContext } from "../context.ts";
import { type InboxContext, listOf } from "./inbox.ts";

const PAGE = 200;

export type Download = { file: string; type: string; content: AsyncGenerator<string> };

/** The inbox as a file, page by page, so that a long one is never in memory as a whole. */
export async function exportInbox(
  ctx: InboxContext & Pick<HubContext, "access">,
  seen: Overview,
  { format = "csv", ...filter }: ExportQuery,
): Promise<Download> {
  const { page } = await listOf(ctx, filter, seen);
  const { begin, line, type } = FORMATS[format];
  const content = (async function* () {
    if (begin) yield begin;
    const held = ctx.access.hold<Caller>(seen);
    try {
      let cursor: string | null | undefined;
      do {
        await held.renew();
        requireSameScope(held.now(), seen);
        const { items, next_cursor } = await page(cursor ?? undefined, PAGE);
        if (items.length > 0) yield items.map(line).join("");
        cursor = next_cursor;
        // SQLite reads and a fast reader together would block everyone else.
        await new Promise(setImmediate);
      } while (cursor);
    } finally {
      held.release();
    }
  })();
  const day = new Date(seen.call.now).toISOString().slice(0, 10);
  return { file: `parley-inbox-${day}.${format}`, type, content };
}

/** The pages still to come would show what the caller may no longer see. */
function requireSameScope({ scope }: Caller, begun: Caller): void {
  if (JSON.stringify(scope) === JSON.stringify(begun.scope)) return;
  throw new ParleyError("forbidden", "What you can see has changed. Start the export again.");
}

const COLUMNS: Record<string, (item: InboxItem) => string | number | null> = {
  asked_at: (item) => item.created_at,
  settled_at: (item) => item.closed_at,
  status: (item) => item.status,
  agent: (item) => item.agent,
  title: (item) => item.title,
  round: (item) => item.round,
  questions: (item) => item.questions,
  question: (item) => item.question,
  answer: (item) => item.answer,
  outcome: (item) => item.settled?.outcome ?? null,
  decided_by: (item) => item.settled?.decided_by.name ?? null,
  surface: (item) => item.settled?.decided_by.surface ?? null,
  took_s: (item) => (item.took_ms === null ? null : item.took_ms / 1_000),
  deadline_at: (item) => item.deadline_at,
  session_id: (item) => item.session_id,
  tool_use_id: (item) => item.tool_use_id,
};

const FORMATS = {
  csv: {
    type: "text/csv; charset=utf-8",
    begin: BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)),
    line: (item: InboxItem) => csvLine(Object.values(COLUMNS).map((column) => column(item))),
  },
  jsonl: {
    type: "application/x-ndjson",
    begin: "",
    line: (item: InboxItem) => `${JSON.stringify(item)}\n`,
  },
};
