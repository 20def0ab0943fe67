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
 * Some spaces require an answer from someone other than the people behind the ask. Parley must see that person itself: a
 * personal key does not count, because the agent might find it on its machine, and neither does the agent's report.
 */
export async function secondPersonRule(ctx: AskContext, at: Access<Changing>): Promise<SecondPersonRule> {
  const team = ctx.team();
  if (team.people.size === 0) return anyone;
  const { space_id } = await labelOf(ctx, at.conversation_id);
  if (!requiresSecondPerson(team, space_id)) return anyone;
  return async (ask, decide) => {
    requireSecond(at.call.actor, await peopleBehind(ctx, team, ask));
    return decide();
  };
}

const anyone: SecondPersonRule = (_ask, decide) => decide();

/** Who started the agent's turn, everyone behind the agent's key, or who asked with their own key or session. */
async function peopleBehind(
  ctx: Pick<AskContext, "db">,
  { keys }: Team,
  { turn_id, asked_by: { id } }: Ask,
): Promise<ReadonlySet<string | null | undefined>> {
  if (turn_id !== null) return new Set([(await findTurn(ctx.db, turn_id))?.started_by]);
  return (id === undefined ? undefined : keys.get(id)?.behind) ?? new Set([id]);
}

function requireSecond(actor: Actor, behind: ReadonlySet<string | null | undefined>): void {
  const isSecond =
    actor.kind === "person" &&
    !behind.has(actor.id) &&
    (actor.provenance === "sign_in" || actor.provenance === "passkey");
  if (isSecond) return;
  throw new ParleyError(
    "second_person_required",
    "This space requires a second person to answer: someone who is signed in, who neither owns nor has held the key that asked, and who did not start the agent.",
  );
}
