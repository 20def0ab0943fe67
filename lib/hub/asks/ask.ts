import { hash as digest } from "node:crypto";
import { takenQuestionIds } from "../../db/asks.ts";
import type { Change } from "../../db/change.ts";
import { findAsk, findAskOfKey } from "../../db/hot/asks.ts";
import { findConversation, type VisibleConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { canonicalJson } from "../../domain/json.ts";
import { isPending, pristine } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { decidedBy, requireRight } from "../../domain/rights.ts";
import type { NormalisedAsk } from "../../domain/shapes/normalise.ts";
import type { Call } from "../../protocol/actor.ts";
import { beginning } from "../../protocol/characters.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import { askChange, message, plainChange } from "../changes.ts";
import { numbered } from "../commit.ts";
import { conversationNotFound, type HubContext, named } from "../context.ts";
import { runsTurn } from "../turns/open-turn.ts";
import { agentMetadata } from "../turns/say.ts";
import { withSkill } from "./skills.ts";

export type AskRequest = Record<string, unknown> & {
  conversation_id?: string | undefined;
  /** The doors turn it into `conversation_id`. */
  session_id?: never;
  session_key?: string | undefined;
  title?: string | undefined;
  agent?: string | undefined;
};

const TRIES = 5;

/** A request as it is about to be asked: checked, with the conversation that it belongs to. */
export type PreparedAsk = {
  request: AskRequest;
  normalised: NormalisedAsk;
  content_hash: string;
  agent: string;
  conversation_id: string;
  /** Whether other asks find the conversation by its id too, so that it may be there already. */
  shared: boolean;
  /** How often the agent may ask in the conversation, if this ask creates it. */
  ask_limit: number;
};

/** Asks. The same tool_use_id or idempotency_key again finds the first ask, whatever has become of it. */
export async function ask(
  ctx: HubContext,
  call: Call,
  given: AskRequest,
  turn_id: string | null = null,
  raw_event?: unknown,
): Promise<Ask> {
  return askPrepared(ctx, call, await prepareAsk(ctx, call, given), turn_id, raw_event);
}

export async function prepareAsk(ctx: HubContext, call: Call, given: AskRequest): Promise<PreparedAsk> {
  requireRight(call.actor, "ask");
  const request = given.skill === undefined ? given : await withSkill(ctx, given);
  const normalised = ctx.normalise(request, () => newId("ask", call.now));
  // An agent that pushes its question again does so at another time; it is the same question.
  const { timestamp: _, ...content } = normalised.input;
  const content_hash = digest("sha256", canonicalJson(content), "hex");
  const agent = request.agent ?? "external";
  const conversation_id = request.conversation_id ?? newConversationId(call, agent, request, normalised);
  const shared = request.session_key !== undefined;
  return { request, normalised, content_hash, agent, conversation_id, shared, ask_limit: ctx.limits.maxDepth };
}

export async function askPrepared(
  ctx: HubContext,
  call: Call,
  prepared: PreparedAsk,
  turn_id: string | null = null,
  raw_event?: unknown,
): Promise<Ask> {
  const { request, normalised, content_hash, agent, conversation_id } = prepared;
  for (let tries = 0; tries < TRIES; tries++) {
    const creates = request.conversation_id === undefined && !(await isKnown(ctx, prepared));
    const key = normalised.options.idempotency_key;
    if (ctx.asks.get(conversation_id, normalised.tool_use_id) || (key !== undefined && !creates)) {
      const known = await findExisting(ctx, conversation_id, normalised);
      if (known) return existing(ctx, call, known, content_hash);
    }

    const deadline_at = deadlineOf(ctx, call, normalised);
    if (deadline_at !== null && deadline_at <= call.now) {
      const found = await findExisting(ctx, conversation_id, normalised);
      if (found) return existing(ctx, call, found, content_hash);
      throw invalidRequest([{ path: "deadline_at", message: "has passed already" }]);
    }
    const asker = creates ? agent : (await named(ctx, conversation_id)).agent;
    const by = under(call, asker);
    const asked = { ...newAsk(conversation_id, normalised, content_hash, deadline_at, by), turn_id };
    const change = askChange(asked, by, asker, agentMetadata({ raw_event }));
    if (turn_id !== null) change.guard = { kind: "ask", tool_use_id: asked.tool_use_id, turn_id, owner: ctx.node };
    if (creates) asNewConversation(change, prepared, asked);
    const committed = await ctx.commit(change, { ask: asked });
    if (committed) {
      if (creates) ctx.conversations.set(conversation_id, { agent, title: change.create?.title ?? null });
      return numbered(asked, change, committed);
    }
    const found = await refusal(ctx, call, conversation_id, normalised, turn_id);
    if (found) return existing(ctx, call, found, content_hash);
  }
  throw new ParleyError(
    "storage_unavailable",
    "The question could not be stored because of too many changes at once. Ask again.",
  );
}

/** Why an ask did not go through: the ask that was there before it, an error, or nothing (then it is tried again). */
async function refusal(
  ctx: HubContext,
  call: Call,
  conversation_id: string,
  asked: NormalisedAsk,
  turn_id: string | null,
): Promise<Ask | undefined> {
  const found = await findExisting(ctx, conversation_id, asked);
  if (found) return found;
  const conversation = await findConversation(ctx.db, conversation_id);
  if (!conversation) throw conversationNotFound(conversation_id);
  if (conversation.closed_at !== null) {
    throw new ParleyError(
      "conversation_interrupted",
      "This conversation was closed: nothing can be asked in it any more.",
    );
  }
  if (turn_id !== null && !(await runsTurn(ctx, turn_id))) {
    throw new ParleyError("conversation_interrupted", "This turn has ended: nothing can be asked in it any more.");
  }
  if (!conversation.interactive) {
    throw new ParleyError(
      "non_interactive",
      "Nobody is there to answer in this conversation. Decide by yourself, or end with what you know.",
    );
  }
  const taken = await takenQuestionIds(
    ctx.db,
    conversation_id,
    asked.questions.map((question) => question.question_id),
  );
  if (taken.length > 0) {
    // By this very ask, it may be, made at the same time and committed after the first look.
    const late = await findExisting(ctx, conversation_id, asked);
    if (late) return late;
    throw new ParleyError(
      "duplicate_question_id",
      `The question_id ${taken[0]} was used before in this conversation.`,
      { question_ids: taken },
    );
  }
  if (conversation.turn_asks >= conversation.ask_limit) {
    await announceLimit(ctx, call, conversation);
    throw depthExceeded(conversation_id, conversation.ask_limit);
  }
  return undefined;
}

async function findExisting(ctx: HubContext, conversation_id: string, asked: NormalisedAsk): Promise<Ask | undefined> {
  const key = asked.options.idempotency_key;
  const found = await findAsk(ctx.db, conversation_id, asked.tool_use_id);
  return found ?? (key === undefined ? undefined : findAskOfKey(ctx.db, conversation_id, key));
}

/** Tells the person, once per limit, why the agent was refused and what the two ways out are. */
async function announceLimit(ctx: HubContext, call: Call, conversation: VisibleConversation): Promise<void> {
  const { ask_limit: limit, announced_limit } = conversation;
  if (announced_limit === limit) return;
  const change = plainChange(conversation.id, call, "depth.limit", { limit });
  change.set = { announced_limit: limit };
  change.messages.push(
    message(
      "info",
      "system",
      {
        event: "depth.limit",
        limit,
        more: ctx.limits.maxDepth,
        text: `The agent has asked ${limit} times in this turn. Stop here, or allow ${ctx.limits.maxDepth} more.`,
        ways_out: ["close", "allow-more"],
      },
      call.now,
    ),
  );
  await ctx.commit(change);
}

function existing(ctx: HubContext, call: Call, found: Ask, content_hash: string): Ask {
  if (found.content_hash === content_hash) {
    if (!isPending(found)) ctx.deliveries.add(found, call);
    return found;
  }
  throw new ParleyError(
    "idempotency_conflict",
    `The id ${found.tool_use_id} was used before for another question. Use a new one.`,
    { tool_use_id: found.tool_use_id },
  );
}

/** Who gave no name of its own goes by that of the conversation's agent. */
function under(call: Call, agent: string): Call {
  return call.actor.name === "local" ? { ...call, actor: { ...call.actor, name: agent } } : call;
}

function newAsk(
  conversation_id: string,
  normalised: NormalisedAsk,
  content_hash: string,
  deadline_at: number | null,
  { actor, now }: Call,
): Ask {
  const { options, questions } = normalised;
  const asked: Ask = {
    conversation_id,
    tool_use_id: normalised.tool_use_id,
    tool_name: normalised.tool_name,
    input: normalised.input,
    round: 0,
    total_rounds: options.total_rounds ?? null,
    shape: normalised.shape,
    content_hash,
    idempotency_key: options.idempotency_key ?? null,
    turn_id: null,
    status: "pending",
    version: 0,
    command_id: newId("command", now),
    sequence_num: 0,
    inbox_item_id: newId("inbox", now),
    deadline_at,
    on_timeout: options.on_timeout ?? "terminate",
    asked_by: decidedBy(actor),
    created_at: now,
    decided_at: null,
    result: null,
    delivered_at: null,
    questions: questions.map((question) => ({ ...question, status: "inactive", answered: null })),
  };
  return pristine(asked, deadline_at);
}

function asNewConversation(change: Change, { request, agent, ask_limit }: PreparedAsk, asked: Ask): void {
  change.guard = { kind: "create" };
  change.create = {
    title: request.title ?? beginning(asked.questions[0]?.text ?? "", 80),
    agent,
    interactive: true,
    metadata: null,
    ask_limit,
    forked_from: null,
    forked_round: null,
  };
}

/**
 * An agent that names no conversation gets a new one. With a key its id follows from it: asks under one session_key share
 * a conversation, whichever comes first; a retry after a lost reply finds the one of its idempotency key.
 */
function newConversationId(
  { actor, now }: Call,
  agent: string,
  { session_key }: AskRequest,
  { options: { idempotency_key } }: NormalisedAsk,
): string {
  const keys = session_key === undefined ? idempotency_key && [idempotency_key] : ["session", session_key];
  if (!keys) return newId("conversation", now);
  return conversationOf(actor.name, agent, ...keys);
}

/** The same names make the same conversation, whichever node is asked and whenever. */
export function conversationOf(...names: string[]): string {
  return `ses_${digest("sha256", JSON.stringify(names), "hex").slice(0, 26)}`;
}

async function isKnown(ctx: HubContext, { conversation_id, shared }: PreparedAsk): Promise<boolean> {
  if (!shared) return false;
  return ctx.conversations.has(conversation_id) || (await findConversation(ctx.db, conversation_id)) !== undefined;
}

function deadlineOf(ctx: HubContext, { now }: Call, { options }: NormalisedAsk): number | null {
  if (options.deadline_at !== undefined) return Date.parse(options.deadline_at);
  const seconds = options.timeout_s ?? ctx.limits.defaultTimeoutS;
  return seconds > 0 ? now + Math.ceil(seconds * 1_000) : null;
}

function depthExceeded(session_id: string, limit: number): ParleyError {
  return new ParleyError(
    "recursive_limit_exceeded",
    `This turn has asked ${limit} times, which is its limit. Finish with what you know, or hand back to the person; they can allow more.`,
    { session_id, limit },
  );
}
