import type { Ask } from "../../domain/ask.ts";
import { requiresSecondPerson, type Team } from "../../domain/team.ts";
import type { Actor, DecidedBy } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { type AskContext, requireVisible } from "../context.ts";

/**
 * Some spaces want somebody else than the owner of the agent's key to answer, seen by Parley itself: not by a key, which the
 * agent might find on its machine, and not as reported by the agent.
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

/** The person behind who asked: the owner of the agent's key, or whoever asked with their own key or session. */
function ownerOf(team: Team, { id }: DecidedBy): string | undefined {
  return id === undefined ? undefined : (team.keyOwners.get(id) ?? id);
}

function requireSecond(actor: Actor, owner: string | undefined): void {
  const isSecond =
    actor.kind === "person" && actor.id !== owner && (actor.provenance === "sign_in" || actor.provenance === "passkey");
  if (isSecond) return;
  throw new ParleyError(
    "second_person_required",
    "This space wants a second person: somebody who signed in, and who does not own the key that asked.",
  );
}
