import { countOpen, listInbox } from "../../db/hot/inbox.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import type { HubContext } from "../context.ts";

const FRESH_MS = 1_000;

/** The inbox, and how much is open. The count is kept between changes of this node, for a second at most. */
export function createInbox(ctx: HubContext) {
  let counted: { open: number; at: number } | undefined;
  ctx.events.subscribe(() => {
    counted = undefined;
  });

  const open = async (): Promise<number> => {
    // Not the time of the call: a clock that is set back would keep the count for as long.
    const at = performance.now();
    if (counted && at - counted.at < FRESH_MS) return counted.open;
    const reading = { open: await countOpen(ctx.db), at };
    counted = reading;
    return reading.open;
  };

  return async function inbox({ actor }: Call, query: InboxQuery): Promise<InboxPage> {
    requireRight(actor, "read");
    const [page, count] = await Promise.all([listInbox(ctx.db, query), open()]);
    return { ...page, counts: { open: count } };
  };
}
