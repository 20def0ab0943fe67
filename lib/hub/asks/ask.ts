import { hash as digest } from "node:crypto";
import { takenQuestionIds } from "../../db/asks.ts";
import type { Change } from "../../db/change.ts";
import { findAsk, findAskOfKey } from "../../db/hot/asks.ts";
import { findConversation, type VisibleConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { canonicalJson } from "../../domain/json.ts";
import { pristine } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { decidedBy, inTheNameOf, type Place } from "../../domain/rights.ts";
import type { NormalisedAsk } from "../../domain/shapes/normalise.ts";
import { assigneeFor, canAnswerIn, findPerson, refOf, requiresSecondPerson, type Team } from "../../domain/team.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import { beginning } from "../../protocol/characters.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import type { Askable } from "../access.ts";
import { askChange, emptyChange, messageRow } from "../changes.ts";
import type { AskContext, HubContext } from "../context.ts";
import { conversationNotFound, labelOf } from "../conversations/label.ts";
import { runsTurn } from "../turns/open-turn.ts";
import { agentMetadata } from "../turns/say.ts";
import { withSkill } from "./skills.ts";

export type AskRequest = Record<string, unknown> & {
  conversation_id?: string | undefined;
  /** The doors turn it into `conversation_id`. */
  session_id?: never;
  session_key?: string | undefined;
  /** The space of a new conversation. */
  space_id?: string | undefined;
  /** Who the agent would like to answer: the login or id of a person. */
  requested_assignee?: string | undefined;
  title?: string | undefined;
  agent?: string | undefined;
};

const TRIES = 5;
const NO_DEFAULTS =
  "cannot be default here: this space requires a second person to answer, so nothing may answer in their place";

type Context = AskContext &
  Pick<HubContext, "limits" | "node" | "normalise" | "skillsFolder" | "notifyAt" | "allowance">;

/** A checked request, with the conversation it belongs to. */
export type PreparedAsk = {
  request: AskRequest;
  normalised: NormalisedAsk;
  content_hash: string;
  agent: string;
  conversation_id: string;
  /** Whether other asks find the conversation by the same id, so that it may exist already. */
  shared: boolean;
  /** How often the agent may ask in the conversation, if this ask creates it. */
  ask_limit: number;
};

/** Creates an ask. Repeating a tool_use_id or idempotency_key returns the existing ask, whatever its status. */
export async function ask(
  ctx: Context,
  call: Call,
  request: AskRequest,
  turn_id: string | null = null,
  raw_event?: unknown,
): Promise<Ask> {
  return askPrepared(ctx, call, await prepareAsk(ctx, call, request), turn_id, raw_event);
}

export async function prepareAsk(ctx: Context, call: Call, raw: AskRequest): Promise<PreparedAsk> {
  const request = raw.skill === undefined ? raw : await withSkill(ctx, raw);
  const normalised = ctx.normalise(request, () => newId("ask", call.now));
  // An agent that pushes its question again does so at another time; it is the same question.
  const { timestamp: _, ...content } = normalised.input;
  const content_hash = digest("sha256", canonicalJson(content), "hex");
  // An agent's key is bound to a name: no agent can ask under that of another.
  const agent = call.actor.key?.agent ?? request.agent ?? "external";
  const conversation_id = request.conversation_id ?? newConversationId(call, agent, request, normalised);
  const shared = request.session_key !== undefined;
  return { request, normalised, content_hash, agent, conversation_id, shared, ask_limit: ctx.limits.maxDepth };
}

export async function askPrepared(
  ctx: Context,
  call: Call,
  prepared: PreparedAsk,
  turn_id: string | null = null,
  raw_event?: unknown,
): Promise<Ask> {
  const { request, normalised, content_hash, agent, conversation_id } = prepared;
  for (let tries = 0; tries < TRIES; tries++) {
    const creates = request.conversation_id === undefined && !(await exists(ctx, prepared));
    const created = creates
      ? ctx.access.create(call, conversation_id, { agent, space_id: request.space_id })
      : undefined;
    const granted = created ?? ctx.access.to("ask", call, conversation_id);
    const given = granted instanceof Promise ? await granted : granted;
    const deadline_at = deadlineOf(ctx, call, normalised);
    const isPast = deadline_at !== null && deadline_at <= call.now;
    // The commit detects a repeated tool_use_id itself. It does not detect a repeated key, or that it comes too late.
    const hasKey = normalised.options.idempotency_key !== undefined && !creates;
    if (isPast || hasKey || ctx.asks.get(conversation_id, normalised.tool_use_id)) {
      const found = await findExisting(ctx, conversation_id, normalised);
      if (found) return repeated(found, content_hash);
      if (isPast) throw invalidRequest([{ path: "deadline_at", message: "has passed already" }]);
    }

    const label = created
      ? { agent, title: null, space_id: created.space_id, api_key_id: created.api_key_id }
      : await labelOf(ctx, conversation_id);
    const at = ctx.access.as(given, inTheNameOf(label.agent, call.actor));
    if (normalised.options.on_timeout === "default" && requiresSecondPerson(ctx.team(), label.space_id)) {
      const found = await findExisting(ctx, conversation_id, normalised);
      if (found) return repeated(found, content_hash);
      throw invalidRequest([{ path: "on_timeout", message: NO_DEFAULTS }]);
    }
    const asked = newAsk(at, normalised, content_hash, deadline_at, turn_id);
    const wanted = request.requested_assignee;
    if (wanted !== undefined) Object.assign(asked, requestAssignee(ctx.team(), wanted, label.space_id, call.now));
    const change = askChange(asked, at, label, {
      owner: ctx.node.id,
      metadata: agentMetadata({ raw_event }),
      notify_at: ctx.notifyAt(label.space_id, call.now),
      wanted,
    });
    if (creates) asNewConversation(change, prepared, asked, label);
    const taking = ctx.allowance.take(call.actor, call.now);
    const tooMany = taking instanceof Promise ? await taking : taking;
    if (tooMany) {
      // A retry is no new question: it finds its ask, however many there are.
      const found = await findExisting(ctx, conversation_id, normalised);
      if (found) return repeated(found, content_hash);
      throw tooMany;
    }
    const stored = await ctx.allowance.spend(call.actor, ctx.commit(change, { ask: asked }));
    if (stored?.ask) {
      if (creates) ctx.labels.set(conversation_id, { ...label, title: change.create?.title ?? null });
      return stored.ask;
    }
    const refusal = await refusalOf(ctx, conversation_id, normalised, turn_id);
    // Read last: the same ask, committed concurrently, can itself be why this one was refused.
    const found = await findExisting(ctx, conversation_id, normalised);
    if (found) return repeated(found, content_hash);
    if (refusal?.reachedIn) await announceLimit(ctx, at, refusal.reachedIn);
    if (refusal) throw refusal.error;
  }
  throw new ParleyError(
    "storage_unavailable",
    "The question could not be stored because of too many changes at once. Ask again.",
  );
}

/** `reachedIn` is the conversation, if it has reached its ask limit. */
type Refusal = { error: ParleyError; reachedIn?: VisibleConversation };

/** Why the commit of an ask was refused; undefined if it lost a race and can be tried again. */
async function refusalOf(
  ctx: Context,
  conversation_id: string,
  asked: NormalisedAsk,
  turn_id: string | null,
): Promise<Refusal | undefined> {
  const conversation = await findConversation(ctx.db, conversation_id);
  if (!conversation) return { error: conversationNotFound(conversation_id) };
  if (conversation.closed_at !== null)
    return interrupted("This conversation is closed, so nobody can ask in it any more.");
  if (turn_id !== null && !(await runsTurn(ctx, turn_id)))
    return interrupted("This turn has ended: nothing can be asked in it any more.");
  if (!conversation.interactive) {
    const message = "Nobody is there to answer in this conversation. Decide on your own, or finish with what you know.";
    return { error: new ParleyError("non_interactive", message) };
  }
  const taken = await takenQuestionIds(
    ctx.db,
    conversation_id,
    asked.questions.map((question) => question.question_id),
  );
  if (taken.length > 0) {
    const message = `The question_id ${taken[0]} was used before in this conversation.`;
    return { error: new ParleyError("duplicate_question_id", message, { question_ids: taken }) };
  }
  const { turn_asks, ask_limit } = conversation;
  if (turn_asks < ask_limit) return undefined;
  return { error: depthExceeded(conversation_id, ask_limit), reachedIn: conversation };
}

function interrupted(message: string): Refusal {
  return { error: new ParleyError("conversation_interrupted", message) };
}

async function findExisting({ db }: Context, conversation_id: string, asked: NormalisedAsk): Promise<Ask | undefined> {
  const key = asked.options.idempotency_key;
  const found = await findAsk(db, conversation_id, asked.tool_use_id);
  return found ?? (key === undefined ? undefined : findAskOfKey(db, conversation_id, key));
}

/** Tells the person, once per limit, why the agent was refused and what the two ways out are. */
async function announceLimit(ctx: Context, at: Askable, conversation: VisibleConversation): Promise<void> {
  const { ask_limit: limit, announced_limit } = conversation;
  if (announced_limit === limit) return;
  const change = emptyChange(at, "depth.limit", { limit });
  change.set = { announced_limit: limit };
  change.messages.push(
    messageRow(
      "info",
      "system",
      {
        event: "depth.limit",
        limit,
        more: ctx.limits.maxDepth,
        text: `The agent has asked ${limit} times in this turn. Stop here, or allow ${ctx.limits.maxDepth} more.`,
        ways_out: ["close", "allow-more"],
      },
      at.call.now,
    ),
  );
  await ctx.commit(change);
}

/** The existing ask, if it is the same question. */
function repeated(found: Ask, content_hash: string): Ask {
  if (found.content_hash === content_hash) return found;
  throw new ParleyError(
    "idempotency_conflict",
    `The id ${found.tool_use_id} is already in use for another question. Use a new one.`,
    { tool_use_id: found.tool_use_id },
  );
}

function newAsk(
  { conversation_id, call: { actor, now } }: Askable,
  normalised: NormalisedAsk,
  content_hash: string,
  deadline_at: number | null,
  turn_id: string | null,
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
    turn_id,
    status: "pending",
    version: 0,
    command_id: newId("command", now),
    sequence_num: 0,
    inbox_item_id: newId("inbox", now),
    deadline_at,
    on_timeout: options.on_timeout ?? "terminate",
    irreversible: options.irreversible ?? false,
    asked_by: decidedBy(actor),
    created_at: now,
    decided_at: null,
    result: null,
    reply_key: null,
    assignee: null,
    requested_assignee: null,
    claim: null,
    delivered_at: null,
    questions: questions.map((question) => ({ status: "inactive", answered: null, ...question })),
  };
  return pristine(asked, deadline_at);
}

function asNewConversation(
  change: Change,
  { request, agent, ask_limit }: PreparedAsk,
  asked: Ask,
  { space_id, api_key_id }: Place,
): void {
  change.guard = { kind: "create" };
  change.create = {
    title: request.title ?? beginning(asked.questions[0]?.text ?? "", 80),
    agent,
    interactive: true,
    metadata: null,
    ask_limit,
    forked_from: null,
    forked_round: null,
    space_id,
    api_key_id,
  };
}

/**
 * Only a request: if the person is unknown or cannot answer in the space, the question is asked without an assignee and says
 * so. Without accounts the request is ignored.
 */
function requestAssignee(
  team: Team,
  wanted: string,
  space_id: string,
  now: number,
): Pick<Ask, "assignee" | "requested_assignee"> {
  if (team.people.size === 0) return { assignee: null, requested_assignee: null };
  const person = findPerson(team, wanted);
  if (!person || !canAnswerIn(team, person, space_id)) return { assignee: null, requested_assignee: wanted };
  return { assignee: refOf(assigneeFor(team, person, space_id, now)), requested_assignee: null };
}

/**
 * An agent that names no conversation gets a new one, whose id derives from the session_key or idempotency_key, if any:
 * asks under one session_key share a conversation, and a retry after a lost reply finds its first ask.
 */
function newConversationId(
  { actor, now }: Call,
  agent: string,
  { session_key }: AskRequest,
  { options: { idempotency_key } }: NormalisedAsk,
): string {
  const keys = session_key === undefined ? idempotency_key && [idempotency_key] : ["session", session_key];
  if (!keys) return newId("conversation", now);
  return conversationIdOf(keeperOf(actor), agent, ...keys);
}

/** Whose conversations these are: two keys or people never share one, whatever name they go by. */
export function keeperOf({ key, id, name }: Actor): string {
  return key?.id ?? id ?? name;
}

/** The same names give the same conversation, on every node and at any time. */
export function conversationIdOf(...names: string[]): string {
  return `ses_${digest("sha256", JSON.stringify(names), "hex").slice(0, 26)}`;
}

/** Whether a conversation that asks share by its id was created before. */
async function exists(ctx: Context, { conversation_id, shared }: PreparedAsk): Promise<boolean> {
  if (!shared) return false;
  return ctx.labels.has(conversation_id) || (await findConversation(ctx.db, conversation_id)) !== undefined;
}

function deadlineOf(ctx: Context, { now }: Call, { options }: NormalisedAsk): number | null {
  if (options.deadline_at !== undefined) return Date.parse(options.deadline_at);
  const seconds = options.timeout_s ?? ctx.limits.defaultTimeoutS;
  return seconds > 0 ? now + Math.ceil(seconds * 1_000) : null;
}

function depthExceeded(session_id: string, limit: number): ParleyError {
  return new ParleyError(
    "recursive_limit_exceeded",
    `This turn has reached its limit of ${limit} asks. Finish with what you know, or hand back to the person, who can allow more.`,
    { session_id, limit },
  );
}
