import { findConversation } from "../../db/hot/conversations.ts";
import { findHead } from "../../db/record/seals.ts";
import { isTeamRecorded } from "../../db/record/team.ts";
import { recordTeam } from "../../db/team/change.ts";
import { decidedBy } from "../../domain/rights.ts";
import { SYSTEM } from "../../protocol/actor.ts";
import { TEAM_RECORD, TEAM_RECORD_SPACE } from "../../protocol/space.ts";
import { emptyChange } from "../changes.ts";
import type { HubContext } from "../context.ts";

/**
 * The conversation whose audit events say what happened to people, keys and spaces, and to their rows. So they are in the
 * same chain, under the same seals, and checked by the same program as everything else. Nobody asks in it.
 */
export function createTeamRecord(ctx: Pick<HubContext, "db" | "access" | "commit">, changed: () => void) {
  let isReady = false;

  /** Records all rows as they are, once in each chain of seals: what comes later can be replayed from there. */
  const recordRows = async (now: number) => {
    const chain = (await findHead(ctx.db))?.began_at ?? null;
    while (!(await isTeamRecorded(ctx.db, chain)))
      if (await recordTeam(ctx.db, { actor: decidedBy(SYSTEM), at: now }, chain)) changed();
    isReady = true;
  };

  return {
    /** Call before each event: the first one begins the record. */
    begin: async (now: number): Promise<void> => {
      if (isReady) return;
      if (!(await findConversation(ctx.db, TEAM_RECORD))) await create(ctx, now);
      await recordRows(now);
    },
    /** For a record that an earlier version began, or that is now in a new chain. */
    resume: async (now: number): Promise<void> => {
      if (await findConversation(ctx.db, TEAM_RECORD)) await recordRows(now);
    },
    changed,
  };
}

/** Of several nodes that create it at once, one does. */
async function create(ctx: Pick<HubContext, "access" | "commit">, now: number): Promise<void> {
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
