import { findTurn } from "../../db/hot/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import type { Move } from "../../domain/lifecycle.ts";
import { requiresSecondPerson, type Team } from "../../domain/team.ts";
import type { Actor } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Access, Changing } from "../access.ts";
import type { AskContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";

type Decided = Move | undefined;
/** Decides only if the caller counts as a second person for this ask. */
type SecondPersonRule = (ask: Ask, decide: () => Decided) => Decided | Promise<Decided>;

/**
 * Some spaces require an answer from someone other than the person behind the ask. Parley must see that person itself: a
 * personal key does not count, because the agent might find it on its machine, and neither does the agent's report.
 */
export async function secondPersonRule(ctx: AskContext, at: Access<Changing>): Promise<SecondPersonRule> {
  const team = ctx.team();
  if (team.people.size === 0) return anyone;
  const { space_id } = await labelOf(ctx, at.conversation_id);
  if (!requiresSecondPerson(team, space_id)) return anyone;
  return async (ask, decide) => {
    requireSecond(at.call.actor, await ownerOf(ctx, team, ask));
    return decide();
  };
}

const anyone: SecondPersonRule = (_ask, decide) => decide();

/** The person behind the ask: who started the agent's turn, owns the agent's key, or asked with their own key or session. */
async function ownerOf(ctx: Pick<AskContext, "db">, { keyOwners }: Team, ask: Ask): Promise<string | null> {
  if (ask.turn_id !== null) return (await findTurn(ctx.db, ask.turn_id))?.started_by ?? null;
  const { id } = ask.asked_by;
  return id === undefined ? null : (keyOwners.get(id) ?? id);
}

function requireSecond(actor: Actor, owner: string | null): void {
  const isSecond =
    actor.kind === "person" && actor.id !== owner && (actor.provenance === "sign_in" || actor.provenance === "passkey");
  if (isSecond) return;
  throw new ParleyError(
    "second_person_required",
    "This space requires a second person to answer: someone who is signed in, does not own the key that asked and did not start the agent.",
  );
}
