import type { Release } from "../../db/database.ts";
import { findAsk, findUndelivered } from "../../db/hot/asks.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { type AskRequest, askPrepared, conversationIdOf, keeperOf, type PreparedAsk, prepareAsk } from "./ask.ts";

/** A program that asks and may stop waiting before the answer arrives. */
export type Caller = {
  /** What the program calls itself. */
  agent: string;
  /** Identifies this call, also when it is sent again after a lost reply; undefined if nothing does. */
  call: string | undefined;
  /** One conversation of the program with its user; undefined if the program does not distinguish its own. */
  thread: string | undefined;
  /** Distinguishes programs without threads as well as possible. */
  client: string;
};
type Context = Parameters<typeof askPrepared>[0] & Pick<HubContext, "holds">;

/** Call `release` once the caller no longer waits. */
export type HeldAsk = { ask: Ask; release: Release };

/** Parley does not see the turns of such a program, so it cannot count the asks of one turn. */
const NO_LIMIT = 2_147_483_647;
/** Without a thread, the first ask may be from another window: its old answer must not decide for this one. */
const FRESH_MS = { pending: 24 * 3_600_000, settled: 15 * 60_000 };
/** After a person closed the conversation of a thread, the thread continues in the next one. */
const MAX_CLOSED = 20;

/**
 * Asks for a program that may have given up on the same question before. If it did, never received the outcome and no
 * longer waits for it, it gets that ask instead of a second one. An ask with its own id is never matched this way.
 */
export async function askAgain(ctx: Context, call: Call, request: AskRequest, caller: Caller): Promise<HeldAsk> {
  const isNamed = request.tool_use_id !== undefined || request.idempotency_key !== undefined;
  const ids = caller.call !== undefined && !isNamed && { tool_use_id: caller.call, idempotency_key: caller.call };
  const prepared = await prepareAsk(ctx, call, { agent: ctx.access.freeName(caller.agent), ...ids, ...request });
  const threaded = isNamed && caller.thread === undefined ? prepared : await inThread(ctx, call, prepared, caller);
  const before = isNamed ? undefined : await askedBefore(ctx, call, threaded, caller);
  if (before) return before;
  const { conversation_id, normalised } = threaded;
  const { tool_use_id } = normalised;
  const release = await ctx.holds.take({ conversation_id, tool_use_id }, caller.call ?? tool_use_id);
  try {
    return { ask: await askPrepared(ctx, call, threaded), release: release ?? (async () => {}) };
  } catch (error) {
    await release?.();
    throw error;
  }
}

async function inThread(
  ctx: Context,
  { actor }: Call,
  prepared: PreparedAsk,
  { thread, client }: Caller,
): Promise<PreparedAsk> {
  const { request, agent, content_hash } = prepared;
  if (request.conversation_id !== undefined || request.session_key !== undefined) return prepared;
  const names = thread === undefined ? ["client", client, content_hash] : ["thread", thread];
  for (let closed = 0; closed < MAX_CLOSED; closed++) {
    const conversation_id = conversationIdOf(keeperOf(actor), agent, ...names, String(closed));
    const found = await findConversation(ctx.db, conversation_id);
    if ((found?.closed_at ?? null) === null) return { ...prepared, conversation_id, shared: true, ask_limit: NO_LIMIT };
  }
  return prepared;
}

/** The ask of an earlier call that gave up, held for this one. */
async function askedBefore(
  ctx: Context,
  { now }: Call,
  { conversation_id, content_hash, normalised: { tool_use_id: own } }: PreparedAsk,
  { call = own, thread }: Caller,
): Promise<HeldAsk | undefined> {
  if (await findAsk(ctx.db, conversation_id, own)) return undefined;
  const found = ctx.holds.foundBy(call);
  for (const tool_use_id of found ? [found] : await findUndelivered(ctx.db, conversation_id, content_hash)) {
    const release = await ctx.holds.take({ conversation_id, tool_use_id }, call);
    if (!release) continue;
    // Read only once it is held: until a moment ago another call may have received the outcome.
    const ask = await findAsk(ctx.db, conversation_id, tool_use_id).catch(() => undefined);
    if (ask && (found || (isAbandoned(ask) && (thread !== undefined || isFresh(ask, now))))) {
      ctx.holds.remember(call, tool_use_id);
      return { ask, release };
    }
    await release();
  }
  return undefined;
}

/** Programs that ask over REST fetch their answers whenever they like: theirs are never abandoned. */
function isAbandoned(ask: Ask): boolean {
  const isDelivered = ask.delivered_at !== null && ask.delivered_at >= (ask.decided_at ?? 0);
  return ask.asked_by.surface === "mcp" && ask.status !== "timeout" && (isPending(ask) || !isDelivered);
}

function isFresh(ask: Ask, now: number): boolean {
  if (isPending(ask)) return now - ask.created_at < FRESH_MS.pending;
  return now - (ask.decided_at ?? 0) < FRESH_MS.settled;
}
