import type { Ask } from "../../domain/ask.ts";
import { requiresSecondPerson, type Team } from "../../domain/team.ts";
import type { Actor, DecidedBy } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { type AskContext, requireVisible } from "../context.ts";

/**
 * Some spaces require an answer from someone other than the owner of the agent's key. Parley must see that person itself: a
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
  return ({ asked_by }) => requireSecond(actor, ownerOf(team, asked_by));
}

/** The person behind the ask: the owner of the agent's key, or the person who asked with their own key or session. */
function ownerOf(team: Team, { id }: DecidedBy): string | undefined {
  return id === undefined ? undefined : (team.keyOwners.get(id) ?? id);
}

function requireSecond(actor: Actor, owner: string | undefined): void {
  const isSecond =
    actor.kind === "person" && actor.id !== owner && (actor.provenance === "sign_in" || actor.provenance === "passkey");
  if (isSecond) return;
  throw new ParleyError(
    "second_person_required",
    "This space requires a second person to answer: someone who is signed in and does not own the key that asked.",
  );
}
