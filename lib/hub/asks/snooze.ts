import { findAskOfItem } from "../../db/asks.ts";
import { removeSnooze, saveSnooze } from "../../db/hot/snoozes.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { snoozeEnd } from "../../domain/snooze.ts";
import { LOCAL } from "../../domain/team.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import { isParleyError, ParleyError } from "../../protocol/errors.ts";
import type { AskContext, HubContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
import { loadAsk } from "./decide.ts";

type Context = AskContext & Pick<HubContext, "events" | "notifyAt">;
type SnoozeOutcome = { inbox_item_id: string; until: number | null; error?: undefined } | { error: ParleyError };

const LONGEST_MS = 366 * 86_400_000;

/**
 * Puts open questions away until a time, for the caller alone; null brings them back now. Only that person's inbox and
 * notifications change, so it is no part of the record. One that cannot be put away does not stop the rest.
 */
export async function snooze(
  ctx: Context,
  call: Call,
  ids: readonly string[],
  until: number | null,
): Promise<SnoozeOutcome[]> {
  const person_id = snoozerOf(call.actor);
  if (person_id === undefined) throw new ParleyError("forbidden", "Only people can snooze questions.");
  if (until !== null && (until <= call.now || until > call.now + LONGEST_MS))
    throw invalidRequest([{ path: "until", message: "must be in the future, and within a year" }]);
  const one = async (id: string): Promise<SnoozeOutcome> => {
    const missing = () => new ParleyError("question_not_found", `There is no question ${id} in the inbox.`);
    try {
      const target = await findAskOfItem(ctx.db, id);
      if (!target) throw missing();
      await ctx.access.to("tend", call, target.conversation_id);
      const ask = await loadAsk(ctx, target);
      if (!isPending(ask)) throw new ParleyError("question_closed", "This question is settled already.");
      const key = { person_id, inbox_item_id: id };
      const end = until === null ? null : snoozeEnd(until, ask.deadline_at, call.now);
      if (end === null) await removeSnooze(ctx.db, key);
      else {
        const { space_id } = await labelOf(ctx, ask.conversation_id);
        await saveSnooze(ctx.db, { ...key, until: end }, call.now, ctx.notifyAt(space_id, call.now) !== null);
      }
      ctx.events.putAway({ ...target, person_id });
      return { inbox_item_id: id, until: end };
    } catch (error) {
      // Who may not see a question must not learn that it exists.
      if (isParleyError(error)) return { error: error.code === "session_not_found" ? missing() : error };
      throw error;
    }
  };
  return Promise.all(ids.map(one));
}

/** Whose questions these are to put away: while nobody has an account, those of the one person there is. */
export function snoozerOf({ kind, id }: Actor): string | undefined {
  return kind === "person" ? (id ?? LOCAL.id) : undefined;
}
