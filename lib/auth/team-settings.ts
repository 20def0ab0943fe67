import { setBuiltInAgents } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import type { TeamChange, TeamSettings } from "../protocol/space.ts";
import { type AuthContext, change } from "./context.ts";

export const readTeamSettings = ({ directory }: AuthContext): TeamSettings => ({
  built_in_agents: directory.builtInAgents,
});

export async function updateTeamSettings(
  ctx: AuthContext,
  actor: Actor,
  { built_in_agents }: TeamChange,
  now: number,
): Promise<TeamSettings> {
  const before = readTeamSettings(ctx);
  if (built_in_agents !== undefined && built_in_agents !== before.built_in_agents) {
    const event = {
      action: "team.changed",
      actor: decidedBy(actor),
      at: now,
      before,
      after: { built_in_agents },
    } as const;
    await change(ctx, [setBuiltInAgents(built_in_agents)], event);
  }
  return readTeamSettings(ctx);
}
