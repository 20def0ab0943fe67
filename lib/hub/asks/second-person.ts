import type { Ask } from "../../domain/ask.ts";
import { requiresSecondPerson, type Team } from "../../domain/team.ts";
import type { Actor, DecidedBy } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { type AskContext, requireVisible } from "../context.ts";

/**
 * Some spaces require an answer from someone other than the people behind the agent's key. Parley must see that person itself: a
 * personal key does not count, because the agent might find it on its machine, and neither does the agent's report.
 */
export async function secondPersonRule(
  ctx: AskContext,
  actor: Actor,
  conversation_id: string,
): Promise<(ask: Pick<Ask, "asked_by">) => void> {
  const team = ctx.team();
  if (team.people.size === 0) return () => {};
  const { space_id } = await requireVisible(ctx, actor, conversation_id);
  if (!requiresSecondPerson(team, space_id)) return () => {};
  return ({ asked_by }) => requireSecond(actor, peopleBehind(team, asked_by));
}

/** The people behind the ask: those behind the agent's key, or the person who asked with their own key or session. */
function peopleBehind(team: Team, { id }: DecidedBy): ReadonlySet<string | undefined> {
  return (id === undefined ? undefined : team.keys.get(id)?.behind) ?? new Set([id]);
}

function requireSecond(actor: Actor, behind: ReadonlySet<string | undefined>): void {
  const isSecond =
    actor.kind === "person" &&
    !behind.has(actor.id) &&
    (actor.provenance === "sign_in" || actor.provenance === "passkey");
  if (isSecond) return;
  throw new ParleyError(
    "second_person_required",
    "This space requires a second person to answer: someone who is signed in, and who neither owns the key that asked nor has held it.",
  );
}
