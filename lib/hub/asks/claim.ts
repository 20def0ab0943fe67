import { findAskOfItem } from "../../db/asks.ts";
import type { Ask } from "../../domain/ask.ts";
import { assign as assignRule, claim as claimRule, release as releaseRule } from "../../domain/claims.ts";
import type { Move } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { assigneeFor, canAnswerIn, refOf } from "../../domain/team.ts";
import type { Call } from "../../protocol/actor.ts";
import { isParleyError, ParleyError } from "../../protocol/errors.ts";
import type { PersonRef } from "../../protocol/people.ts";
import { toStorageUnavailable } from "../commit.ts";
import type { AskContext, HubContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
import type { AnswerOutcome } from "./answer-many.ts";
import { decide } from "./decide.ts";

type Context = AskContext & Pick<HubContext, "claimMs">;

/** Claims each of these inbox items for the caller, or renews the claim. One that cannot be claimed does not stop the rest. */
export async function claim(ctx: Context, call: Call, ids: string[], takeOver = false): Promise<AnswerOutcome[]> {
  const person = requirePerson(call);
  return each(ctx, call, ids, (ask) => claimRule(ask, person, call.now + ctx.claimMs, call.now, takeOver));
}

/** Releases claims, no matter who has them. */
export async function release(ctx: Context, call: Call, ids: string[]): Promise<AnswerOutcome[]> {
  requirePerson(call);
  return each(ctx, call, ids, releaseRule);
}

/** Assigns items to a person, or their delegate while they are away; `null` assigns them to nobody. */
export async function assign(
  ctx: Context,
  call: Call,
  ids: string[],
  person_id: string | null,
): Promise<AnswerOutcome[]> {
  requirePerson(call);
  const team = ctx.team();
  const person = person_id === null ? null : team.people.get(person_id);
  if (person === undefined) throw invalidRequest([{ path: "person_id", message: "is not a person of this team" }]);
  return each(ctx, call, ids, async (ask) => {
    if (person === null) return assignRule(ask, null);
    const { space_id } = await labelOf(ctx, ask.conversation_id);
    if (!canAnswerIn(team, person, space_id))
      throw new ParleyError(
        "forbidden",
        `${person.name} cannot answer in this space, so you cannot assign the question to them.`,
      );
    return assignRule(ask, refOf(assigneeFor(team, person, space_id, call.now)), refOf(person));
  });
}

/** Claims and assignments belong to people with an account. */
function requirePerson({ actor }: Call): PersonRef {
  if (actor.kind === "person" && actor.id !== undefined) return { id: actor.id, name: actor.name };
  throw new ParleyError("forbidden", "Only people with an account can claim or assign questions.");
}

async function each(
  ctx: Context,
  call: Call,
  ids: string[],
  rule: (ask: Ask) => Move | undefined | Promise<Move | undefined>,
): Promise<AnswerOutcome[]> {
  const one = async (id: string): Promise<AnswerOutcome> => {
    try {
      const target = await findAskOfItem(ctx.db, id);
      if (!target) throw new ParleyError("question_not_found", `There is no question ${id} in the inbox.`);
      const at = await ctx.access.to("tend", call, target.conversation_id);
      const ask = await decide(ctx, at, target, rule).catch(toStorageUnavailable);
      return { ask };
    } catch (error) {
      // Who may not see a question must not learn that it exists.
      if (isParleyError(error) && error.code === "session_not_found")
        return { error: new ParleyError("question_not_found", `There is no question ${id} in the inbox.`) };
      if (isParleyError(error)) return { error };
      throw error;
    }
  };
  return Promise.all(ids.map(one));
}
