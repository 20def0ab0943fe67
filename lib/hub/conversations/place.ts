import type { Place } from "../../domain/rights.ts";
import type { Actor } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { EVERYONE } from "../../protocol/space.ts";
import type { HubContext } from "../context.ts";

/** The space of a caller's new conversation: an agent key is bound to its space, and everyone else may choose one. */
export function placeOfNew(ctx: Pick<HubContext, "team">, actor: Actor, space_id: string = EVERYONE): Place {
  const { key, scope = "all" } = actor;
  const place = key ? { space_id: key.space_id, api_key_id: key.id } : { space_id, api_key_id: null };
  const isForeign = !key && scope !== "all" && !("spaces" in scope && scope.spaces.includes(space_id));
  const space = ctx.team().spaces.get(place.space_id);
  if (isForeign || (!space && place.space_id !== EVERYONE))
    throw new ParleyError("forbidden", `There is no space ${space_id} that you can use.`);
  if (space?.archived) throw new ParleyError("forbidden", `The space ${space.name} is archived: ask in another one.`);
  return place;
}

/** Some agents work on the machine that Parley runs on, with its files. Only those may start them who may do that. */
export function requireAgentAllowed(ctx: Pick<HubContext, "guardedAgents">, actor: Actor, agent: string): void {
  if (!ctx.guardedAgents.has(agent) || actor.rights.includes("run")) return;
  throw new ParleyError(
    "forbidden",
    `The agent ${agent} works on Parley's own machine, and your role may not start it. Ask an admin, or see CLAUDE_ALLOWED_ROLES.`,
  );
}
