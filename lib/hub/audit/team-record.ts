import { findConversation } from "../../db/hot/conversations.ts";
import { SYSTEM } from "../../protocol/actor.ts";
import { TEAM_RECORD, TEAM_RECORD_SPACE } from "../../protocol/space.ts";
import { emptyChange } from "../changes.ts";
import type { HubContext } from "../context.ts";

/**
 * Creates the conversation whose audit events say what happened to people, keys and spaces, unless it exists. So they are in
 * the same chain, under the same seals, and checked by the same program as everything else. Nobody asks in it.
 */
export async function beginTeamRecord(ctx: Pick<HubContext, "db" | "access" | "commit">, now: number): Promise<void> {
  if (await findConversation(ctx.db, TEAM_RECORD)) return;
  const about = { title: null, agent: "parley", interactive: false };
  await ctx.commit({
    ...emptyChange(ctx.access.own({ actor: SYSTEM, now }, TEAM_RECORD), "team.begun", about),
    guard: { kind: "create" },
    create: {
      ...about,
      metadata: null,
      ask_limit: 0,
      forked_from: null,
      forked_round: null,
      space_id: TEAM_RECORD_SPACE,
      api_key_id: null,
    },
  });
}
