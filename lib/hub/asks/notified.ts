import { readStatus } from "../../db/notify/status.ts";
import type { Ask } from "../../domain/ask.ts";
import { claimAt } from "../../domain/claims.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Notified } from "../../domain/views/ask-view.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";

/** Nobody is notified of a question that is younger: most are answered by then, and need no read. */
const YOUNG_MS = 1_000;

/** Who was notified of an open ask, who saw it, and what comes next; undefined once it is settled. */
export async function notified(
  ctx: Pick<HubContext, "db" | "labels" | "notifyAt">,
  { now }: Call,
  ask: Ask,
): Promise<Notified | undefined> {
  if (!isPending(ask)) return undefined;
  if (now - ask.created_at < YOUNG_MS) {
    const { space_id } = await labelOf(ctx, ask.conversation_id);
    return { ...NOBODY, next_at: iso(ctx.notifyAt(space_id, ask.created_at)), note: assigneeNote(ask) };
  }
  const row = await readStatus(ctx.db, ask.inbox_item_id);
  if (!row) return { ...NOBODY, note: assigneeNote(ask) };
  const count = Number(row.notified);
  return {
    notified: count,
    last_at: iso(row.last_at),
    seen_at: iso(row.seen_at),
    seen_by: row.seen_by,
    // While someone answers, nobody else is notified.
    next_at: claimAt(ask, now) ? null : iso(row.notify_at),
    note: (count === 0 ? row.note : null) ?? assigneeNote(ask),
    reachable_at: count === 0 ? iso(row.reachable_at) : null,
  };
}

/** Says that the person the agent requested is unavailable, unless it was assigned to someone else since. */
function assigneeNote({ requested_assignee, assignee }: Ask): Notified["note"] {
  return requested_assignee !== null && assignee === null ? "assignee_unavailable" : null;
}

const NOBODY: Notified = {
  notified: 0,
  last_at: null,
  seen_at: null,
  seen_by: null,
  next_at: null,
  note: null,
  reachable_at: null,
};

function iso(at: number | null): string | null {
  return at === null ? null : new Date(Number(at)).toISOString();
}
