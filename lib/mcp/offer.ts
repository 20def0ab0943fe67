import type { ElicitResult, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Ask } from "../domain/ask.ts";
import { readInput } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor } from "../protocol/actor.ts";
import { AnswerRequest } from "../protocol/answer.ts";
import { isParleyError } from "../protocol/errors.ts";
import { withConversationId } from "../protocol/session.ts";
import { answersIn, type Form, formOf } from "./elicitation-form.ts";

/** Shows an open question in the caller's own program as well, until it is answered or `signal` takes it back. */
export type Offer = (ask: Ask, ctx: ServerContext, signal: AbortSignal) => Promise<void>;

export type OfferOptions = {
  hub: Hub;
  clock: () => number;
  textMax: number;
  server: Server;
  /** The person at that program. */
  personOf: (headers: Headers) => Actor;
};

/** The longest that a timer can be set to: a question is open as long as it is open. */
const FOREVER_MS = 2 ** 31 - 1;
/** A program that fills the form in by itself, and wrongly, is not asked forever. */
const TRIES = 3;
const NOT_TAKEN = ["invalid_answer", "invalid_request"];

/**
 * One for each client. Whoever answers first wins, here or elsewhere. To close the form is no answer and no refusal:
 * the question stays open for everybody, and is not shown here again.
 */
export function createOffer({ hub, clock, textMax, server, personOf }: OfferOptions): Offer {
  const closed = new Set<string>();
  let greeted: Promise<unknown> | undefined;

  // Requests are numbered from 0, and some clients cannot have request 0 taken back: it must not be a form.
  const greet = (ctx: ServerContext) => {
    greeted ??= ctx.mcpReq.send({ method: "ping" }).catch(() => {});
    return greeted;
  };
  const show = (form: Form, ctx: ServerContext, signal: AbortSignal): Promise<ElicitResult | undefined> =>
    ctx.mcpReq
      .send({ method: "elicitation/create", params: form }, { signal, timeout: FOREVER_MS })
      // Taken back, or the program cannot show it: others can answer.
      .catch(() => undefined);

  return async (ask, ctx, signal) => {
    const form = formOf(ask, server.getNegotiatedProtocolVersion() ?? "", textMax);
    if (!form || closed.has(nameOf(ask))) return;
    await greet(ctx);
    const actor = personOf(ctx.http?.req?.headers ?? new Headers());
    let { message } = form;
    for (let tries = 0; tries < TRIES; tries++) {
      if (signal.aborted) return;
      const shown = await show({ ...form, message }, ctx, signal);
      if (!shown) return;
      if (shown.action !== "accept") return void closed.add(nameOf(ask));
      const problem = await answer({ hub, actor, now: clock() }, ask, shown.content ?? {});
      if (problem === undefined) return;
      message = `${problem}\n\n${form.message}`;
    }
  };
}

/** Why it was not taken, where the one who filled it in can do better. */
async function answer(
  { hub, actor, now }: { hub: Hub; actor: Actor; now: number },
  ask: Ask,
  content: Record<string, unknown>,
): Promise<string | undefined> {
  const { conversation_id: session_id, tool_use_id, content_hash } = ask;
  try {
    const request = { session_id, tool_use_id, content_hash, answers: answersIn(ask, content) };
    await hub.answer({ actor, now }, withConversationId(readInput(AnswerRequest, request)));
    return undefined;
  } catch (error) {
    // Somebody else was faster, or storage fails: the call itself tells what has become of the question.
    return isParleyError(error) && NOT_TAKEN.includes(error.code) ? error.message : undefined;
  }
}

function nameOf({ conversation_id, tool_use_id }: Ask): string {
  return JSON.stringify([conversation_id, tool_use_id]);
}
