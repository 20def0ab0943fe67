import { listPendingAsks } from "../../db/hot/asks.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { TurnRow } from "../../db/tables.ts";
import { finishTurn, turnMessages, unfinishedTurns } from "../../db/turns.ts";
import type { Call } from "../../protocol/actor.ts";
import type { MessageContent } from "../../protocol/message.ts";
import { emptyChange } from "../changes.ts";
import type { TurnContext } from "../context.ts";
import { cancelOpenAsks } from "./cancel-open-asks.ts";
import { endTurn } from "./end-turn.ts";

const EXPLANATION = "Parley restarted while the agent was working. Send a message to continue.";

export type OwnedTurn = { conversation_id: string; turn_id: string };
/** Runs once at the start and then regularly. Returns the turns that this node owns. */
export type TakeOver = (call: Call) => Promise<OwnedTurn[]>;

/**
 * Takes over the turns of dead nodes. A turn that was waiting for an answer resumes here; one that was working is
 * interrupted with an explanation; one that nobody began begins here.
 *
 * A node whose connection broke for a moment looks dead while its agents still work. So a node must look dead for
 * `graceMs` without a break. Only at the start there is no grace: this process may be the dead node's successor.
 */
export function createTakeOver(ctx: TurnContext, onError: (error: unknown) => void, graceMs: number): TakeOver {
  const deadSince = new Map<string, number>();
  let starting = true;

  const isDead = (owner: string | null): boolean => {
    if (owner === null || starting) return true;
    const now = performance.now();
    const since = deadSince.get(owner) ?? now;
    deadSince.set(owner, since);
    return now - since >= graceMs;
  };

  /** Independently: a turn that fails, or that someone has settled in the meantime, does not block the others. */
  const each = async (turns: TurnRow[], work: (turn: TurnRow) => Promise<void>) => {
    for (const turn of turns) await work(turn).catch(onError);
  };

  return async (call) => {
    const turns = await unfinishedTurns(ctx.db);
    await each(
      turns.filter((turn) => turn.status === "stopping"),
      (turn) => cancelOpenAsks(ctx, ctx.access.own(call, turn.conversation_id), turn),
    );
    const running = turns.filter((turn) => turn.status === "running");
    const others = new Map<string | null, TurnRow[]>();
    for (const turn of running)
      if (turn.owner !== ctx.node.id) others.set(turn.owner, [...(others.get(turn.owner) ?? []), turn]);
    for (const owner of deadSince.keys()) if (!others.has(owner)) deadSince.delete(owner);
    for (const [owner, left] of others) {
      let looksDead = false;
      const take = async () => {
        looksDead = true;
        if (isDead(owner)) await each(left, (turn) => takeTurn(ctx, call, turn));
      };
      await ctx.db.whileGone(owner, take).catch(onError);
      if (!looksDead && owner !== null) deadSince.delete(owner);
    }
    starting = false;
    return running
      .filter((turn) => turn.owner === ctx.node.id)
      .map(({ id, conversation_id }) => ({ conversation_id, turn_id: id }));
  };
}

async function takeTurn(ctx: TurnContext, call: Call, turn: TurnRow): Promise<void> {
  const conversation = await findConversation(ctx.db, turn.conversation_id);
  // Rows of an earlier version: a conversation closed while its agent worked still has the turn.
  if (conversation?.turn_id !== turn.id || conversation.closed_at !== null)
    return finishTurn(ctx.db, turn.id, "running", "interrupted");
  if (turn.owner === null || (await isWaiting(ctx, turn))) await resumeTurn(ctx, call, turn);
  else await interruptTurn(ctx, call, turn);
}

async function resumeTurn(
  ctx: TurnContext,
  call: Call,
  { id: turn_id, conversation_id, owner }: TurnRow,
): Promise<void> {
  const change = emptyChange(ctx.access.own(call, conversation_id), "turn.taken_over", { turn_id, from: owner });
  change.guard = { kind: "conversation", idle: false, turn_id, ...(owner !== null && { owner }) };
  change.turn_patches = [{ id: turn_id, status: "running", owner: ctx.node.id, reason: null, ended_at: null }];
  await ctx.commit(change, { started: { turn_id } });
}

async function interruptTurn(ctx: TurnContext, call: Call, { id, conversation_id, owner }: TurnRow): Promise<void> {
  const content: MessageContent["info"] = { event: "conversation.interrupted", text: EXPLANATION, by: "parley" };
  await endTurn(ctx, ctx.access.own(call, conversation_id), id, {
    status: "interrupted",
    action: "conversation.interrupted",
    message: { type: "info", content },
    reason: "restarted",
    ...(owner !== null && { owner }),
  });
}

/** Whether the turn asked and has done nothing since: its next step depends on the answer alone. */
async function isWaiting(ctx: TurnContext, turn: TurnRow): Promise<boolean> {
  const open = await listPendingAsks(ctx.db, turn.conversation_id);
  if (open.some((ask) => ask.turn_id === turn.id)) return true;
  const messages = (await turnMessages(ctx.db, turn)).filter((message) => message.type !== "info");
  const last = messages.at(-1);
  return (
    last?.type === "tool_result" &&
    messages.some((one) => one.type === "ask_user_question" && one.content.tool_use_id === last.content.tool_use_id)
  );
}
