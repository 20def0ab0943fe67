import type { Release } from "../../db/database.ts";
import { findAsk, findUndelivered } from "../../db/hot/asks.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { type AskRequest, askPrepared, conversationOf, type PreparedAsk, prepareAsk } from "./ask.ts";

/** A program that asks and may stop waiting before there is an answer. */
export type Caller = {
  /** What the program calls itself. */
  agent: string;
  /** Names this call; the same when the call is sent again after a lost reply. Undefined where nothing does. */
  call: string | undefined;
  /** One conversation of the program with its user; undefined where the program does not tell its own apart. */
  thread: string | undefined;
  /** Tells programs without threads apart as well as possible. */
  client: string;
};
/** `release` must be called once the caller no longer waits. */
export type HeldAsk = { ask: Ask; release: Release };

/** Parley cannot see the turns of such a program, so nothing counts its asks in one turn. */
const NO_LIMIT = 2_147_483_647;
/** Without a thread, the first asker may have been another window: an old answer of its own must not decide for this one. */
const FRESH_MS = { pending: 24 * 3_600_000, settled: 15 * 60_000 };
/** A thread goes on in another conversation when a person has closed the one it was in. */
const MOST_CLOSED = 20;

/**
 * Asks for a program that may have given up on the same question before. If it did, never got the outcome and does not
 * wait for it any more, it gets that ask instead of a second one. An ask with an id of its own is only ever itself.
 */
export async function askAgain(ctx: HubContext, call: Call, given: AskRequest, caller: Caller): Promise<HeldAsk> {
  const isNamed = given.tool_use_id !== undefined || given.idempotency_key !== undefined;
  const ids = caller.call !== undefined && !isNamed && { tool_use_id: caller.call, idempotency_key: caller.call };
  const prepared = await prepareAsk(ctx, call, { agent: caller.agent, ...ids, ...given });
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
  ctx: HubContext,
  { actor }: Call,
  prepared: PreparedAsk,
  { thread, client }: Caller,
): Promise<PreparedAsk> {
  const { request, agent, content_hash } = prepared;
  if (request.conversation_id !== undefined || request.session_key !== undefined) return prepared;
  const names = thread === undefined ? ["client", client, content_hash] : ["thread", thread];
  for (let closed = 0; closed < MOST_CLOSED; closed++) {
    const conversation_id = conversationOf(actor.name, agent, ...names, String(closed));
    const found = await findConversation(ctx.db, conversation_id);
    if ((found?.closed_at ?? null) === null) return { ...prepared, conversation_id, shared: true, ask_limit: NO_LIMIT };
  }
  return prepared;
}

/** The ask of a caller that gave up, held for this one. */
async function askedBefore(
  ctx: HubContext,
  { now }: Call,
  { conversation_id, content_hash, normalised: { tool_use_id: own } }: PreparedAsk,
  { call = own, thread }: Caller,
): Promise<HeldAsk | undefined> {
  if (await findAsk(ctx.db, conversation_id, own)) return undefined;
  const found = ctx.holds.foundBy(call);
  for (const tool_use_id of found ? [found] : await findUndelivered(ctx.db, conversation_id, content_hash)) {
    const release = await ctx.holds.take({ conversation_id, tool_use_id }, call);
    if (!release) continue;
    // Read only now: whoever held it until a moment ago may have been given the outcome.
    const ask = await findAsk(ctx.db, conversation_id, tool_use_id).catch(() => undefined);
    if (ask && (found || (isLeft(ask) && (thread !== undefined || isFresh(ask, now))))) {
      ctx.holds.remember(call, tool_use_id);
      return { ask, release };
    }
    await release();
  }
  return undefined;
}

/** Programs that ask over REST look for their answers whenever they like: theirs is never left. */
function isLeft(ask: Ask): boolean {
  const isDelivered = ask.delivered_at !== null && ask.delivered_at >= (ask.decided_at ?? 0);
  return ask.asked_by.surface === "mcp" && ask.status !== "timeout" && (isPending(ask) || !isDelivered);
}

function isFresh(ask: Ask, now: number): boolean {
  if (isPending(ask)) return now - ask.created_at < FRESH_MS.pending;
  return now - (ask.decided_at ?? 0) < FRESH_MS.settled;
}
