import type { ServerContext } from "@modelcontextprotocol/server";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import { TOOL_NAMES } from "../domain/normalise.ts";
import { OTHER_TOOL_NAMES } from "../domain/other-agents.ts";
import { cleanText, readInput } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { AskCall } from "../protocol/operations.ts";
import { AskOptions } from "../protocol/question.ts";
import type { Offer } from "./offer.ts";
import { OfAsk, ToCancel } from "./tools.ts";
import { type Patience, waitWithProgress } from "./wait-with-progress.ts";

/** An agent may ask, wait and cancel its own; it may never answer. */
export const ACTOR: Actor = { kind: "agent", name: "local", surface: "mcp", rights: ["ask", "read"] };

/** Where clients put what stays the same when they make a call again: Claude Code, and the bridge of `parley mcp`. */
const SAME_CALL = ["claudecode/toolUseId", "parley/callId"];
const CallId = AskOptions.shape.tool_use_id;
const OTHER_NAMES: string[] = Object.values(OTHER_TOOL_NAMES);

export type CallTools = (name: string, input: unknown, ctx: ServerContext, offer?: Offer) => Promise<Ask> | undefined;

/** What each tool does; undefined where there is no such tool. */
export function createCalls(hub: Hub, clock: () => number, patience: Patience): CallTools {
  const now = (): Call => ({ actor: ACTOR, now: clock() });

  const waitFor = async (ask: Ask, ctx: ServerContext, offer: Offer | undefined): Promise<Ask> => {
    const { conversation_id: session_id, tool_use_id } = ask;
    const signal = goneSignal(ctx);
    const wait = (seconds: number) => hub.wait(now(), { session_id, tool_use_id, seconds, signal });
    const ended = new AbortController();
    if (isPending(ask)) void offer?.(ask, ctx, AbortSignal.any([signal, ended.signal]));
    try {
      return await waitWithProgress({ wait, signal, onProgress: progressTo(ctx), patience });
    } finally {
      ended.abort("The question is not asked here any more.");
    }
  };
  const look = (input: unknown): Promise<Ask> => hub.wait(now(), { ...readInput(OfAsk, input), seconds: 0 });

  const ask = async (name: string, input: unknown, ctx: ServerContext, offer: Offer | undefined): Promise<Ask> => {
    const { wait: _, ...request } = readInput(AskCall, input);
    // Under the name of another agent's tool its shape is meant, which its fields alone may not tell.
    const called = OTHER_NAMES.includes(name) && { name, arguments: request };
    const asked = await hub.ask(now(), { agent: agentOf(ctx), ...sameCall(ctx), ...request, ...called });
    return waitFor(asked, ctx, offer);
  };

  return (name, input, ctx, offer) => {
    if (TOOL_NAMES.includes(name)) return ask(name, input, ctx, offer);
    if (name === "wait_for_answer") return look(input).then((found) => waitFor(found, ctx, offer));
    if (name === "get_answer") return look(input);
    if (name !== "cancel_question") return undefined;
    return (async () => {
      const { reason, ...target } = readInput(ToCancel, input);
      // It asked under the name of the conversation's agent.
      const actor = { ...ACTOR, name: (await hub.named(target.session_id)).agent };
      return hub.cancel({ actor, now: clock() }, target, reason);
    })();
  };
}

/** A call made again finds the question of the first, also where it names no conversation. */
function sameCall({ mcpReq }: ServerContext): { tool_use_id?: string; idempotency_key?: string } {
  const given = SAME_CALL.map((key) => mcpReq._meta?.[key]).find((value) => typeof value === "string" && value !== "");
  // The agent did not write it and could not mend it: what cannot be an id is as if it were not there.
  const id = CallId.safeParse(typeof given === "string" ? cleanText(given) : undefined).data;
  return id === undefined ? {} : { tool_use_id: id, idempotency_key: id };
}

/** The program that calls, by how it calls itself over HTTP: the same in both eras of the protocol. */
function agentOf({ http }: ServerContext): string {
  const product = /^([a-z][\w.-]{1,60})\//i.exec(http?.req?.headers.get("user-agent") ?? "")?.[1];
  return product === undefined || /^(node|undici|python|mozilla)/i.test(product) ? "mcp" : product.toLowerCase();
}

function goneSignal({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

function progressTo({ mcpReq }: ServerContext): ((waitedMs: number) => Promise<void>) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async (waitedMs) => {
    const message = `Waiting for an answer (${Math.round(waitedMs / 1_000)} s)`;
    // A caller who cannot be told has gone; its question stays.
    await mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress: waitedMs, message } })
      .catch(() => {});
  };
}
