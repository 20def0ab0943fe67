import type { ElicitResult, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Ask } from "../domain/ask.ts";
import { readInput } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor } from "../protocol/actor.ts";
import { AnswerRequest } from "../protocol/answer.ts";
import { isParleyError } from "../protocol/errors.ts";
import { withConversationId } from "../protocol/session.ts";
import { answersIn, type Form, formOf } from "./elicitation-form.ts";

/** Also shows an open question in the caller's own client, until it is answered or `signal` withdraws it. */
export type Offer = (ask: Ask, ctx: ServerContext, signal: AbortSignal) => Promise<void>;

export type OfferOptions = {
  hub: Hub;
  clock: () => number;
  textMax: number;
  server: Server;
  reporterOf: ReporterOf;
};

/** The agent at that client, and the name of the person there, if it is known. */
export type ReporterOf = (headers: Headers) => Promise<Reporter>;
type Reporter = { actor: Actor; by: string | undefined };

/** The longest timeout that a timer can have: the question itself has no limit. */
const FOREVER_MS = 2 ** 31 - 1;
/** A client that keeps filling in the form wrongly must not be asked forever. */
const MAX_TRIES = 3;
const CORRECTABLE = ["invalid_answer", "invalid_request"];

/**
 * One for each client. The first answer wins, here or elsewhere. Closing the form neither answers nor cancels the question:
 * it stays open for everyone, and is not shown here again.
 */
export function createOffer({ hub, clock, textMax, server, reporterOf }: OfferOptions): Offer {
  const closed = new Set<string>();
  let greeted: Promise<unknown> | undefined;

  // Requests are numbered from 0, and some clients cannot cancel request 0: it must not be a form.
  const greet = (ctx: ServerContext) => {
    greeted ??= ctx.mcpReq.send({ method: "ping" }).catch(() => {});
    return greeted;
  };
  const show = (form: Form, ctx: ServerContext, signal: AbortSignal): Promise<ElicitResult | undefined> =>
    ctx.mcpReq
      .send({ method: "elicitation/create", params: form }, { signal, timeout: FOREVER_MS })
      // Withdrawn, or the client cannot show it: other people can still answer.
      .catch(() => undefined);

  return async (ask, ctx, signal) => {
    const form = formOf(ask, server.getNegotiatedProtocolVersion() ?? "", textMax);
    if (!form || closed.has(nameOf(ask))) return;
    await greet(ctx);
    const reporter = await reporterOf(ctx.http?.req?.headers ?? new Headers());
    let { message } = form;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (signal.aborted) return;
      const shown = await show({ ...form, message }, ctx, signal);
      if (!shown) return;
      if (shown.action !== "accept") return void closed.add(nameOf(ask));
      const problem = await report({ hub, ...reporter, now: clock() }, ask, shown.content ?? {});
      if (problem === undefined) return;
      message = `${problem}\n\n${form.message}`;
    }
  };
}

/** Returns why the answer was refused, if the person can correct it. */
async function report(
  { hub, actor, by, now }: Reporter & { hub: Hub; now: number },
  ask: Ask,
  content: Record<string, unknown>,
): Promise<string | undefined> {
  const { conversation_id: session_id, tool_use_id, content_hash } = ask;
  try {
    const request = { session_id, tool_use_id, content_hash, answers: answersIn(ask, content) };
    const { conversation_id, answers } = withConversationId(readInput(AnswerRequest, request));
    await hub.reportDecision({ actor, now }, { conversation_id, tool_use_id, by, content_hash, answers });
    return undefined;
  } catch (error) {
    // If someone else was faster or storage failed, the call itself returns the question's state.
    return isParleyError(error) && CORRECTABLE.includes(error.code) ? error.message : undefined;
  }
}

function nameOf({ conversation_id, tool_use_id }: Ask): string {
  return JSON.stringify([conversation_id, tool_use_id]);
}
