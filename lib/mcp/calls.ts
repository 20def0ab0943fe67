import { randomUUID } from "node:crypto";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import { readInput } from "../domain/read-input.ts";
import { AGENT_TOOL_NAMES } from "../domain/shapes/shapes.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { AskCall } from "../protocol/operations.ts";
import { withConversationId } from "../protocol/session.ts";
import { callerOf } from "./caller.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { Offer } from "./offer.ts";
import { OfAsk, ToCancel } from "./tools.ts";
import { maxMsFor, type Patience, type Waiting, waitWithProgress } from "./wait-with-progress.ts";

/** Runs any tool that replies with an ask. */
export type CallTools = (name: string, input: unknown, ctx: ServerContext, offer?: Offer) => Promise<Ask>;

/** Asked at every step: a key may be revoked while its agent waits. */
export type IdentifyCaller = (ctx: ServerContext) => Actor | Promise<Actor>;

export type CallsOptions = {
  hub: Hub;
  clock: () => number;
  identify: IdentifyCaller;
  patience: Patience;
  live: LiveCalls;
};

export function createCalls({ hub, clock, identify, patience, live }: CallsOptions): CallTools {
  const now = async (ctx: ServerContext): Promise<Call> => ({
    actor: await identify(ctx),
    now: clock(),
    again: () => identify(ctx),
  });

  const waitFor = async (ask: Ask, ctx: ServerContext, offer: Offer | undefined): Promise<Ask> => {
    const { id: owner } = await identify(ctx);
    const session = ctx.http?.req?.headers.get("mcp-session-id");
    return live.during(owner, session, ctx.mcpReq.id, (cancelled) =>
      waitUntilGone(ask, ctx, offer, AbortSignal.any([cancelled, goneSignal(ctx)])),
    );
  };
  const waitUntilGone = async (ask: Ask, ctx: ServerContext, offer: Offer | undefined, signal: AbortSignal) => {
    const { conversation_id, tool_use_id } = ask;
    const wait = async (seconds: number) => hub.wait(await now(ctx), { conversation_id, tool_use_id, seconds, signal });
    const ended = new AbortController();
    if (isPending(ask)) void offer?.(ask, ctx, AbortSignal.any([signal, ended.signal]));
    const maxMs = maxMsFor(callerOf(ctx).agent, patience);
    try {
      const settled = await waitWithProgress({ wait, signal, onProgress: progressTo(ctx), patience, maxMs });
      return await deliver(settled, ctx, signal);
    } finally {
      ended.abort("The question is no longer asked here.");
    }
  };
  /** Records the delivery before the agent reads the result: from then on, the same question is a new one. */
  const deliver = async (ask: Ask, ctx: ServerContext, signal?: AbortSignal): Promise<Ask> => {
    if (isPending(ask) || signal?.aborted) return ask;
    hub.noteDelivery(await now(ctx), ask);
    await hub.recordDeliveries();
    return ask;
  };
  const look = async (input: unknown, ctx: ServerContext): Promise<Ask> =>
    hub.readAsk(await now(ctx), withConversationId(readInput(OfAsk, input)));

  const ask = async (name: string, input: unknown, ctx: ServerContext, offer: Offer | undefined): Promise<Ask> => {
    const { wait: _, session_id: conversation_id, ...request } = readInput(AskCall, input);
    // The name of an agent's own tool implies its shape, which the fields alone may not show.
    const agentCall = AGENT_TOOL_NAMES.includes(name) && { name, arguments: request };
    const held = await hub.askAgain(await now(ctx), { ...request, ...agentCall, conversation_id }, callerOf(ctx));
    return waitFor(held.ask, ctx, offer).finally(held.release);
  };
  const waitAgain = async (input: unknown, ctx: ServerContext, offer: Offer | undefined): Promise<Ask> => {
    const found = await look(input, ctx);
    const release = await hub.hold(found, callerOf(ctx).call ?? randomUUID());
    return waitFor(found, ctx, offer).finally(() => release?.());
  };
  const cancel = async (input: unknown, ctx: ServerContext): Promise<Ask> => {
    const { reason, ...target } = withConversationId(readInput(ToCancel, input));
    return hub.cancel(await now(ctx), target, reason);
  };

  return (name, input, ctx, offer) => {
    if (name === "wait_for_answer") return waitAgain(input, ctx, offer);
    if (name === "get_answer") return look(input, ctx).then((ask) => deliver(ask, ctx));
    if (name === "cancel_question") return cancel(input, ctx);
    return ask(name, input, ctx, offer);
  };
}

function goneSignal({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

/** Says how long the call has waited and until when it can: a person may have given the question more time. */
function progressTo({ mcpReq }: ServerContext): Waiting["onProgress"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async (waitedMs, { deadline_at }) => {
    const until = deadline_at === null ? "" : `, until ${new Date(deadline_at).toISOString()}`;
    const message = `Waiting for an answer (${Math.round(waitedMs / 1_000)} s${until})`;
    // If the caller has gone, its question stays open.
    await mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress: waitedMs, message } })
      .catch(() => {});
  };
}
