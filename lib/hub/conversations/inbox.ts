import { listInbox } from "../../db/hot/inbox.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { InboxPage, InboxQuery } from "../../protocol/inbox.ts";
import type { HubContext } from "../context.ts";

export async function inbox(
  { db, openCount }: Pick<HubContext, "db" | "openCount">,
  { actor }: Call,
  query: InboxQuery,
): Promise<InboxPage> {
  requireRight(actor, "read");
  const [page, open] = await Promise.all([listInbox(db, query), openCount.read()]);
  return { ...page, counts: { open } };
}
