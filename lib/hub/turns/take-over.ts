import { listPendingAsks } from "../../db/hot/asks.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { TurnRow } from "../../db/tables.ts";
import { finishTurn, turnMessages, unfinishedTurns } from "../../db/turns.ts";
import type { Call } from "../../protocol/actor.ts";
import { plainChange } from "../changes.ts";
import type { HubContext } from "../context.ts";
import { cancelOpenAsks } from "./cancel-open-asks.ts";
import { endTurn } from "./end-turn.ts";

const EXPLANATION = "Parley was restarted while the agent was at work. Send a message to go on.";

export type TakeOver = {
  /** Looks once; called at the start, and then again and again. Gives the turns that this node owns. */
  look: (call: Call) => Promise<Owned[]>;
};
export type Owned = { conversation_id: string; turn_id: string };

/**
 * Finishes what nodes that are gone have left behind. A turn that waited for an answer still waits, and is run on here;
 * one that was at work is interrupted with an explanation; one that nobody began begins here.
 *
 * A node whose connection broke for a moment looks gone, and has its agents at work. While Parley runs, a node must be
 * found gone for `graceMs` without a break; at the start the node before this one is not waited for.
 */
export function createTakeOver(ctx: HubContext, onError: (error: unknown) => void, graceMs: number): TakeOver {
  const goneSince = new Map<string, number>();
  let starting = true;

  const isGoneForGood = (owner: string | null): boolean => {
    if (owner === null || starting) return true;
    const now = performance.now();
    const since = goneSince.get(owner) ?? now;
    goneSince.set(owner, since);
    return now - since >= graceMs;
  };

  /** Each on its own: one that fails, or that somebody settled meanwhile, holds up no other. */
  const each = async (turns: TurnRow[], work: (turn: TurnRow) => Promise<void>) => {
    for (const turn of turns) await work(turn).catch(onError);
  };

  const look = async (call: Call): Promise<Owned[]> => {
    const turns = await unfinishedTurns(ctx.db);
    await each(
      turns.filter((turn) => turn.status === "stopping"),
      (turn) => cancelOpenAsks(ctx, call, turn),
    );
    const running = turns.filter((turn) => turn.status === "running");
    const others = new Map<string | null, TurnRow[]>();
    for (const turn of running)
      if (turn.owner !== ctx.node) others.set(turn.owner, [...(others.get(turn.owner) ?? []), turn]);
    for (const owner of goneSince.keys()) if (!others.has(owner)) goneSince.delete(owner);
    for (const [owner, left] of others) {
      let gone = false;
      const take = async () => {
        gone = true;
        if (isGoneForGood(owner)) await each(left, (turn) => takeTurn(ctx, call, turn));
      };
      await ctx.db.whileGone(owner, take).catch(onError);
      if (!gone && owner !== null) goneSince.delete(owner);
    }
    starting = false;
    return running
      .filter((turn) => turn.owner === ctx.node)
      .map(({ id, conversation_id }) => ({ conversation_id, turn_id: id }));
  };
  return { look };
}

async function takeTurn(ctx: HubContext, call: Call, turn: TurnRow): Promise<void> {
  const conversation = await findConversation(ctx.db, turn.conversation_id);
  // Rows of an earlier version: a conversation that was closed while its agent was at work still has the turn.
  if (conversation?.turn_id !== turn.id || conversation.closed_at !== null)
    return finishTurn(ctx.db, turn.id, "running", "interrupted");
  if (turn.owner === null || (await isWaiting(ctx, turn))) await goOn(ctx, call, turn);
  else await interruptTurn(ctx, call, turn);
}

async function goOn(ctx: HubContext, call: Call, { id: turn_id, conversation_id, owner }: TurnRow): Promise<void> {
  const change = plainChange(conversation_id, call, "turn.taken_over", { turn_id, from: owner });
  change.guard = { kind: "conversation", idle: false, turn_id, ...(owner !== null && { owner }) };
  change.turn_patches = [{ id: turn_id, status: "running", owner: ctx.node, reason: null, ended_at: null }];
  await ctx.commit(change, { started: { turn_id } });
}

async function interruptTurn(ctx: HubContext, call: Call, { id, conversation_id, owner }: TurnRow): Promise<void> {
  const content = { event: "conversation.interrupted", text: EXPLANATION, by: "parley" };
  await endTurn(ctx, call, conversation_id, id, {
    status: "interrupted",
    action: "conversation.interrupted",
    message: { type: "info", content },
    reason: "restarted",
    ...(owner !== null && { owner }),
  });
}

/** It asked and has said nothing since: what it would do next depends on the answer alone. */
async function isWaiting(ctx: HubContext, turn: TurnRow): Promise<boolean> {
  const open = await listPendingAsks(ctx.db, turn.conversation_id);
  if (open.some((ask) => ask.turn_id === turn.id)) return true;
  const messages = (await turnMessages(ctx.db, turn)).filter((message) => message.type !== "info");
  const last = messages.at(-1);
  return (
    last?.type === "tool_result" &&
    messages.some((one) => one.type === "ask_user_question" && one.content.tool_use_id === last.content.tool_use_id)
  );
}
