import { updateTeamState } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { TeamChange, TeamSettings } from "../protocol/space.ts";
import { type AuthContext, change } from "./context.ts";

export async function updateTeamSettings(
  ctx: AuthContext,
  actor: Actor,
  given: TeamChange,
  now: number,
): Promise<TeamSettings> {
  const before = ctx.directory.settings;
  const { built_in_agents = before.built_in_agents, strong_sign_in = before.strong_sign_in } = given;
  const after: TeamChange = {
    ...(built_in_agents !== before.built_in_agents && { built_in_agents }),
    ...(strong_sign_in !== before.strong_sign_in && { strong_sign_in }),
  };
  if (after.strong_sign_in !== undefined) requireStrongSession(actor);
  if (Object.keys(after).length > 0)
    await change(ctx, [updateTeamState(after)], {
      action: "team.changed",
      actor: decidedBy(actor),
      at: now,
      before,
      after,
    });
  return ctx.directory.settings;
}

/** Whoever turns it on has proved that it can be met. At the console there is no session, and always a way back. */
function requireStrongSession({ session }: Actor): void {
  if (!session || session === "proxy" || session.proof !== null) return;
  throw new ParleyError(
    "forbidden",
    "Sign in with a passkey or the identity provider first, so that nobody is locked out.",
  );
}
