import type { Release } from "../../db/database.ts";
import { findAsk, findUndelivered } from "../../db/hot/asks.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { productName } from "../../domain/product-names.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { type AskRequest, askPrepared, conversationIdOf, keeperOf, type PreparedAsk, prepareAsk } from "./ask.ts";

/** A program that asks and may stop waiting before the answer arrives. */
export type Caller = {
  /** What the program calls itself. */
  agent: string;
  /** Identifies this call, also when it is sent again after a lost reply; undefined if nothing does. */
  call: string | undefined;
  /** One conversation of the program with its user, which no other program can have; undefined if the program names none. */
  thread: string | undefined;
};
type Context = Parameters<typeof askPrepared>[0] & Pick<HubContext, "holds">;

/** Call `release` once the caller no longer waits. */
export type HeldAsk = { ask: Ask; release: Release };

/** Parley does not see the turns of such a program, so it cannot count the asks of one turn. */
const NO_LIMIT = 2_147_483_647;
/** After a person closed the conversation of a thread, the thread continues in the next one. */
const MAX_CLOSED = 20;

/**
 * Asks for a program that may have given up on the same question before. If it did, never received the outcome and no
 * longer waits for it, it gets that ask instead of a second one. An ask with its own id is never matched this way, and
 * neither is one without a thread: the same words from a program of the same name may be about another project.
 */
export async function askAgain(ctx: Context, call: Call, request: AskRequest, caller: Caller): Promise<HeldAsk> {
  const isNamed = request.tool_use_id !== undefined || request.idempotency_key !== undefined;
  const ids = caller.call !== undefined && !isNamed && { tool_use_id: caller.call, idempotency_key: caller.call };
  const program = ctx.access.freeName(caller.agent);
  const prepared = await prepareAsk(ctx, call, { agent: productName(program), ...ids, ...request });
  const threaded = caller.thread === undefined ? prepared : await inThread(ctx, call, prepared, program, caller.thread);
  // Anyone can choose the same key as someone else; only those who know a conversation can name it.
  const isProven = request.conversation_id !== undefined || (caller.thread && request.session_key === undefined);
  const before = isNamed || !isProven ? undefined : await askedBefore(ctx, threaded, caller);
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
  program: string,
  thread: string,
): Promise<PreparedAsk> {
  const { request } = prepared;
  // By the program's own name: its thread must outlive a change of the name that people see.
  const agent = prepared.agent === productName(program) ? program : prepared.agent;
  if (request.conversation_id !== undefined || request.session_key !== undefined) return prepared;
  for (let closed = 0; closed < MAX_CLOSED; closed++) {
    const conversation_id = conversationIdOf(keeperOf(actor), agent, "thread", thread, String(closed));
    const found = await findConversation(ctx.db, conversation_id);
    if ((found?.closed_at ?? null) === null) return { ...prepared, conversation_id, shared: true, ask_limit: NO_LIMIT };
  }
  return prepared;
}

/** The ask of an earlier call that gave up, held for this one. */
async function askedBefore(
  ctx: Context,
  { conversation_id, content_hash, normalised: { tool_use_id: own } }: PreparedAsk,
  { call = own }: Caller,
): Promise<HeldAsk | undefined> {
  if (await findAsk(ctx.db, conversation_id, own)) return undefined;
  const found = ctx.holds.foundBy(conversation_id, call);
  for (const tool_use_id of found ? [found] : await findUndelivered(ctx.db, conversation_id, content_hash)) {
    const release = await ctx.holds.take({ conversation_id, tool_use_id }, call);
    if (!release) continue;
    // Read only once it is held: until a moment ago another call may have received the outcome.
    const ask = await findAsk(ctx.db, conversation_id, tool_use_id).catch(() => undefined);
    if (ask && (found || isAbandoned(ask))) {
      ctx.holds.remember({ conversation_id, tool_use_id }, call);
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
