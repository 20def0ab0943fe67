import { isDeepStrictEqual } from "node:util";
import type { Ask } from "../../../lib/domain/ask.ts";
import type { Team, TeamPerson } from "../../../lib/domain/team.ts";
import { askView } from "../../../lib/domain/views/ask-view.ts";
import type { AskRequest } from "../../../lib/hub/asks/ask.ts";
import type { Call } from "../../../lib/protocol/actor.ts";
import { EVERYONE } from "../../../lib/protocol/space.ts";
import { attempt } from "../kit/attempt.ts";
import { agent, by, type Node, person } from "../kit/node.ts";
import type { RefActor, RefAsk, RefConversation, Reference, RefPerson } from "./reference.ts";
import { Refusal } from "./reference-body.ts";
import { hubAsk, shownAsk, shownSession } from "./reference-view.ts";

/** The hub's side of a run: several nodes on one database. */
export type World = {
  nodes: Node[];
  /** Reads the results. Reads through the nodes under test would refresh their caches and hide stale ones. */
  observer: Node;
  /** Unique to each run, so that a run finds only its own conversations in the inbox. */
  agent: string;
  asked: number;
  steps: number;
  /** Counts what the hub replied. */
  replies: Map<string, number>;
  /** Earlier asks, to be repeated. */
  requests: Map<RefAsk, AskRequest>;
};

/** A space in which the owner of a key may not answer what it asked. */
export const STRICT = "spc_strict";
export const CLAIM_MS = 1_800_000;

/** The accounts of the reference's people, as passed to the hub. */
export function teamOf({ people, owners }: Reference): Team {
  const account = ({ name, isViewer, away }: RefPerson): TeamPerson => ({
    id: `per_${name}`,
    login: `${name}@example.com`,
    name,
    role: isViewer ? "viewer" : "member",
    status: "active",
    out_of_office_until: away?.until ?? null,
    delegate_id: away?.delegate === undefined ? null : `per_${away.delegate}`,
    time_zone: null,
    quiet_hours: null,
  });
  const space = { open: true, members: new Set<string>(), archived: false, steps: null, detail: "full" as const };
  return {
    people: new Map(people.map((one) => [`per_${one.name}`, account(one)])),
    spaces: new Map([
      [EVERYONE, { ...space, id: EVERYONE, name: "Everyone", requires_second_person: false }],
      [STRICT, { ...space, id: STRICT, name: "Strict", requires_second_person: true }],
    ]),
    keys: new Map(
      [...owners].map(([agent, owner]) => {
        const responsible = [`per_${owner}`];
        return [`key_${agent}`, { responsible, behind: new Set(responsible) }];
      }),
    ),
  };
}

const FULL_EVERY = 15;
const READER = person("reader");

export function callOf(actor: RefActor, now: number): Call {
  if (actor.kind === "agent") return by({ ...agent(actor.name), id: `key_${actor.name}` }, now);
  return by({ ...person(actor.name), id: `per_${actor.name}`, provenance: actor.byKey ? "api_key" : "sign_in" }, now);
}

/** Runs a command on both sides: both must refuse alike or accept, and end with the same ask. */
export async function step<Value>(
  world: World,
  reference: Reference,
  call: () => Promise<Value>,
  expect: (value: Value | undefined) => [RefConversation, RefAsk] | undefined,
): Promise<void> {
  const outcome = await attempt(call);
  let touched: [RefConversation, RefAsk] | undefined;
  let code: string | undefined;
  try {
    touched = expect(outcome.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    code = error.code;
  }
  same("the reply", outcome.code ?? "done", code ?? "done");
  world.steps++;
  world.replies.set(code ?? "done", (world.replies.get(code ?? "done") ?? 0) + 1);
  if (touched) {
    const [conversation, ask] = touched;
    if (isAsk(outcome.value)) same("the ask that was returned", hubAsk(askView(outcome.value)), shownAsk(ask));
    await compareAsk(world, reference, conversation, ask);
  }
  if (world.steps % FULL_EVERY === 0) await compareAll(world, reference);
}

/** Compares every conversation with its asks and messages, and the inbox. */
export async function compareAll(world: World, reference: Reference): Promise<void> {
  const { hub } = world.observer;
  const call = by(READER, reference.now);
  for (const conversation of reference.conversations) {
    const conversation_id = conversation.id;
    const { dialog_history, pending, continued_from, continued_as, ...session } = await hub.readConversation(
      call,
      conversation_id,
    );
    const shown = {
      status: session.status,
      interactive: session.interactive,
      current_round: session.current_round,
      total_rounds: session.total_rounds,
      pending_asks: session.pending_asks,
      last_sequence: session.last_sequence,
      pending: pending.map((ask) => ask.tool_use_id),
      continued_from: continued_from?.session_id ?? null,
      continued_as: continued_as.length,
      history: dialog_history.map((round) => [round.tool_use_id, round.status, round.question, round.answer]),
    };
    same(`conversation ${conversation_id}`, shown, shownSession(conversation, reference.conversations));
    for (const ask of conversation.asks) await compareAsk(world, reference, conversation, ask);
    const { messages } = await hub.readMessages(call, { conversation_id, limit: 1_000 });
    const sequences = messages.map((message) => message.sequence_num);
    same(
      "sequence numbers",
      sequences,
      sequences.map((_, index) => index + 1),
    );
    // Asks settled by one command may be announced in any order.
    const kinds = messages.map(({ type, content }) => `${type} ${content.tool_use_id ?? ""} ${content.outcome ?? ""}`);
    const expected = conversation.messages.map(({ type, tool = "", outcome = "" }) => `${type} ${tool} ${outcome}`);
    same("messages", kinds.sort(), expected.sort());
  }
  const { items } = await hub.inbox(call, { agent: world.agent, limit: 200 });
  const open = reference.conversations.flatMap((conversation) =>
    conversation.asks
      .filter((ask) => ask.status === "pending")
      .map(
        (ask) =>
          `${conversation.id} ${ask.tool} ${ask.deadline === undefined ? "" : new Date(ask.deadline).toISOString()} ${ask.assignee} ${ask.claim?.by}`,
      ),
  );
  same(
    "the inbox",
    items
      .map(
        (item) =>
          `${item.session_id} ${item.tool_use_id} ${item.deadline_at ?? ""} ${item.assignee?.name} ${item.claim?.by.name}`,
      )
      .sort(),
    open.sort(),
  );
  const deadlines = items.map((item) => item.deadline_at ?? "9999");
  same("the order of the inbox", deadlines, deadlines.toSorted());
}

async function compareAsk(
  world: World,
  reference: Reference,
  conversation: RefConversation,
  ask: RefAsk,
): Promise<void> {
  const target = { conversation_id: conversation.id, tool_use_id: ask.tool };
  const found = await world.observer.hub.readAsk(by(READER, reference.now), target);
  same(`ask ${ask.tool}`, hubAsk(askView(found)), shownAsk(ask));
}

function isAsk(value: unknown): value is Ask {
  return typeof value === "object" && value !== null && "tool_use_id" in value;
}

function same(what: string, hub: unknown, reference: unknown): void {
  const [left, right] = [hub, reference].map((value) => JSON.parse(JSON.stringify(value)));
  if (isDeepStrictEqual(left, right)) return;
  throw new Error(`${what} differs.\nhub:       ${JSON.stringify(left)}\nreference: ${JSON.stringify(right)}`);
}
