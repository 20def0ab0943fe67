import fc from "fast-check";
import type { Ask } from "../../../lib/domain/ask.ts";
import { answerTo, arbitraryBody, spoiledBody } from "../../../lib/domain/test-trees.ts";
import type { AnswerCommand } from "../../../lib/hub/asks/answer.ts";
import type { AnswerOutcome } from "../../../lib/hub/asks/answer-many.ts";
import type { AskRequest } from "../../../lib/hub/asks/ask.ts";
import type { Call } from "../../../lib/protocol/actor.ts";
import type { AnswerInput } from "../../../lib/protocol/answer.ts";
import type { Node } from "../kit/node.ts";
import {
  answersOf,
  isReached,
  type RefActor,
  type RefAsk,
  type RefConversation,
  type Reference,
  type RefPerson,
} from "./reference.ts";
import { type Json, type RefQuestion, Refusal } from "./reference-body.ts";
import { callOf, STRICT, step, type World } from "./world.ts";

type Command = fc.AsyncCommand<Reference, World>;
type Target = { conversation: RefConversation; ask: RefAsk };

const PEOPLE: RefActor[] = [
  { kind: "person", name: "ann" },
  { kind: "person", name: "bob" },
  { kind: "person", name: "cat", byKey: true },
];
export const PEOPLE_WITH_ACCOUNTS: readonly RefPerson[] = ["ann", "bob", "cat", "vic"].map((name) => ({
  name,
  isViewer: name === "vic",
}));
/** Whose keys the agents use. */
export const OWNERS: ReadonlyMap<string, string> = new Map([
  ["builder", "ann"],
  ["crawler", "bob"],
]);
const AGENTS: RefActor[] = [
  { kind: "agent", name: "builder" },
  { kind: "agent", name: "crawler" },
];
const MAX_CONVERSATIONS = 4;
const DAY_MS = 86_400_000;

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const node = fc.nat(1);
const rarely = fc.nat(9).map((n) => n === 9);
const mostly = fc.nat(4).map((n) => n > 0);

const create = command(
  "create",
  { node, interactive: mostly, strict: fc.boolean() },
  async ({ node: n, interactive, strict }, reference, world) => {
    const request = { agent: world.agent, interactive, ...(strict && { space_id: STRICT }) };
    await step(
      world,
      reference,
      () => hubOf(world, n).createConversation(callOf(pick(AGENTS, 0), reference.now), request),
      (id) => void reference.create(id ?? "", interactive, strict),
    );
  },
  (reference) => reference.conversations.length < MAX_CONVERSATIONS,
);

const ask = command(
  "ask",
  {
    node,
    conversation: optional(fc.nat()),
    body: fc.oneof({ weight: 9, arbitrary: arbitraryBody }, spoiledBody),
    wrapped: fc.nat(2),
    named: mostly,
    key: optional(fc.nat(3)),
    deadline: fc.oneof(
      fc.constant({}),
      fc.record({ timeout_s: fc.constantFrom(0.5, 1, 5, 60, 3_600) }),
      fc.record({ in_ms: fc.constantFrom(-1_000, 0, 1, 1_000, 400 * DAY_MS) }),
    ),
    on_timeout: optional(fc.constantFrom("default", "default", "terminate")),
    irreversible: optional(fc.nat(3).map((n) => n === 3)),
    total_rounds: optional(fc.integer({ min: 1, max: 6 })),
    asker: fc.nat(1),
    takenId: rarely,
  },
  async (args, reference, world) => {
    const asker = pick(AGENTS, args.asker);
    const key = args.key === undefined ? undefined : `key${args.key}`;
    const known = reference.conversations;
    const isNew = known.length === 0 || (args.conversation === undefined && known.length < MAX_CONVERSATIONS);
    const old = isNew ? undefined : pick(known, args.conversation ?? 0);
    const { dialect, ...body } = structuredClone(args.body) as Json;
    if (args.takenId) Object.assign(rootOf(body), { question_id: old?.asks[0]?.questions.at(-1)?.id });
    if ("timeout_s" in args.deadline) body.timeout_s ??= args.deadline.timeout_s;
    if ("in_ms" in args.deadline) body.deadline_at ??= new Date(reference.now + args.deadline.in_ms).toISOString();
    if (args.on_timeout !== undefined) body.on_timeout ??= args.on_timeout;
    if (args.irreversible !== undefined) body.irreversible = args.irreversible;
    if (args.total_rounds !== undefined) body.total_rounds = args.total_rounds;
    const tool = args.named ? `${world.agent}-${++world.asked}` : undefined;
    const request: AskRequest = JSON.parse(
      JSON.stringify({
        ...wrap(body, args.wrapped, tool),
        dialect,
        conversation_id: old?.id,
        idempotency_key: key,
        agent: world.agent,
      }),
    );
    await askStep(world, reference, args.node, old, request, asker);
  },
);

const askAgain = command(
  "askAgain",
  { node, target: fc.nat(), changed: rarely, keyOnly: fc.boolean(), asker: fc.nat(1) },
  async (args, reference, world) => {
    const target = targetOf(reference, args.target, false);
    const request = target && world.requests.get(target.ask);
    if (!target || !request) return;
    const copy: AskRequest = { ...structuredClone(request), conversation_id: target.conversation.id };
    if (args.keyOnly && copy.idempotency_key !== undefined) delete copy.tool_use_id;
    if (args.changed) Object.assign(inputOf(copy), { metadata: { changed: true } });
    await askStep(world, reference, args.node, target.conversation, copy, pick(AGENTS, args.asker));
  },
);

const answer = command(
  "answer",
  {
    node,
    target: fc.nat(),
    open: mostly,
    question: fc.nat(),
    reachable: mostly,
    seed: fc.integer(),
    follow: fc.boolean(),
    flat: fc.boolean(),
    key: optional(fc.nat(2)),
    actor: fc.nat(15),
    elsewhere: rarely,
    inBulk: rarely,
    takeOver: fc.boolean(),
  },
  async (args, reference, world) => {
    const target = targetOf(reference, args.target, args.open);
    if (!target) return;
    const question = questionOf(target.ask, args.question, args.reachable);
    const conversation = args.elsewhere ? pick(reference.conversations, args.target + 1) : target.conversation;
    const value = sample(question, args.seed);
    const below = args.follow ? followUpsOf(target.ask, question) : [];
    const followUps = below.map((one, index): [string, AnswerInput] => [one.id, sample(one, args.seed + index + 1)]);
    const request: AnswerCommand = {
      conversation_id: conversation.id,
      question_id: question.id,
      ...(args.flat && isWrapped(value) ? value : { answer: value }),
      ...(args.follow && { follow_up_answers: Object.fromEntries(followUps) }),
      ...(args.takeOver && { take_over: true }),
    };
    const values = new Map<string, unknown>([[question.id, value], ...followUps]);
    await answerStep(world, reference, args, conversation, question.id, request, { values, indexed: false });
  },
);

const answerAll = command(
  "answerAll",
  {
    node,
    target: fc.nat(),
    open: mostly,
    seed: fc.integer(),
    indexed: fc.boolean(),
    key: optional(fc.nat(2)),
    actor: fc.nat(15),
    inBulk: fc.boolean(),
    takeOver: fc.boolean(),
  },
  async (args, reference, world) => {
    const target = targetOf(reference, args.target, args.open);
    if (!target) return;
    const { conversation, ask: asked } = target;
    const some = asked.questions.filter((question) => !question.parent || !args.indexed);
    const values = some.map((question, index): [string, AnswerInput] => [
      question.id,
      sample(question, args.seed + index),
    ]);
    const answers = values.map(([id, value], index): [string, AnswerInput] => [
      args.indexed ? String(index) : id,
      value,
    ]);
    const request = {
      conversation_id: conversation.id,
      tool_use_id: asked.tool,
      answers: Object.fromEntries(answers),
      take_over: args.takeOver,
    };
    await answerStep(world, reference, args, conversation, some[0]?.id ?? "", request, {
      values: new Map<string, unknown>(values),
      indexed: args.indexed,
    });
  },
);

const reply = command(
  "reply",
  {
    node,
    target: fc.nat(),
    open: mostly,
    /** Sends an accepted reply again. */
    again: fc.nat(2).map((n) => n === 2),
    byQuestion: fc.boolean(),
    key: optional(fc.nat(2)),
    actor: fc.nat(9),
    takeOver: fc.boolean(),
  },
  async (args, reference, world) => {
    const replied = args.again ? targetsOf(reference).filter(({ ask: one }) => one.reply?.key !== undefined) : [];
    const target = replied.length > 0 ? pick(replied, args.target) : targetOf(reference, args.target, args.open);
    if (!target) return;
    const { conversation, ask: asked } = target;
    const actor = args.actor === 9 ? pick(AGENTS, 0) : pick(PEOPLE, args.actor);
    const key = args.key === undefined ? undefined : `reply${args.key}`;
    const sent = (args.again ? asked.reply?.key : undefined) ?? key;
    const name = args.byQuestion ? { question_id: asked.questions[0]?.id } : { tool_use_id: asked.tool };
    const text = `${actor.name}: neither, "first" explain`;
    const request = { conversation_id: conversation.id, ...name, text, take_over: args.takeOver };
    await step(
      world,
      reference,
      () => hubOf(world, args.node).reply(callOf(actor, reference.now), request, sent ?? null),
      () => {
        reference.reply(conversation, asked, { text, key: sent, by: actor, takeOver: args.takeOver });
        return [conversation, asked];
      },
    );
  },
);

const extend = command(
  "extend",
  {
    node,
    target: fc.nat(),
    open: mostly,
    deadline: fc.oneof(
      fc.record({ timeout_s: fc.constantFrom(0.5, 1, 60, 3_600) }),
      fc.record({ in_ms: fc.constantFrom(-1, 0, 1, 1_000, 60_000, 400 * DAY_MS) }),
      fc.constant({}),
    ),
    actor: fc.nat(9),
  },
  async (args, reference, world) => {
    const target = targetOf(reference, args.target, args.open);
    if (!target) return;
    const { conversation, ask: asked } = target;
    const actor = args.actor === 9 ? pick(AGENTS, 0) : pick(PEOPLE, args.actor);
    const { now } = reference;
    const ms =
      "timeout_s" in args.deadline
        ? Math.ceil(args.deadline.timeout_s * 1_000)
        : "in_ms" in args.deadline
          ? args.deadline.in_ms
          : undefined;
    const until = ms === undefined ? null : new Date(now + ms).toISOString();
    const given = "timeout_s" in args.deadline ? args.deadline : { deadline_at: until };
    const where = { conversation_id: conversation.id, tool_use_id: asked.tool };
    await step(
      world,
      reference,
      () => hubOf(world, args.node).extend(callOf(actor, now), where, given),
      () => {
        reference.extend(conversation, asked, ms === undefined ? undefined : now + ms, actor);
        return [conversation, asked];
      },
    );
  },
);

const cancel = command(
  "cancel",
  { node, target: fc.nat(), byQuestion: fc.boolean(), actor: fc.nat(4), takeOver: fc.boolean() },
  async (args, reference, world) => {
    const target = targetOf(reference, args.target, false);
    if (!target) return;
    const { conversation, ask: asked } = target;
    const actor = pick([...PEOPLE, ...AGENTS], args.actor);
    const name = args.byQuestion ? { question_id: asked.questions[0]?.id } : { tool_use_id: asked.tool };
    const where = { conversation_id: conversation.id, ...name };
    await step(
      world,
      reference,
      () => hubOf(world, args.node).cancel(callOf(actor, reference.now), where, "not needed", args.takeOver),
      () => {
        reference.cancel(conversation, asked, "not needed", actor, args.takeOver);
        return [conversation, asked];
      },
    );
  },
);

type HolderCall = {
  call: (hub: Node["hub"], by: Call, ids: string[]) => Promise<AnswerOutcome[]>;
  expected: (reference: Reference, asked: RefAsk, by: RefActor) => void;
};

/** A command that claims, releases or assigns an ask. */
async function holderStep(
  world: World,
  reference: Reference,
  args: { node: number; target: number; open: boolean; actor: number },
  { call, expected }: HolderCall,
): Promise<void> {
  const target = targetOf(reference, args.target, args.open);
  if (!target) return;
  const { conversation, ask: asked } = target;
  const actor = args.actor === 9 ? pick(AGENTS, 0) : pick(PEOPLE, args.actor);
  const where = { conversation_id: conversation.id, tool_use_id: asked.tool };
  const { inbox_item_id } = await world.observer.hub.readAsk(callOf(pick(PEOPLE, 0), reference.now), where);
  await step(
    world,
    reference,
    async () => {
      const [outcome] = await call(hubOf(world, args.node), callOf(actor, reference.now), [inbox_item_id]);
      if (outcome?.error) throw outcome.error;
      return outcome?.ask;
    },
    () => {
      expected(reference, asked, actor);
      return [conversation, asked];
    },
  );
}
const holder = { node, target: fc.nat(), open: mostly, actor: fc.nat(9) };

const claim = command("claim", { ...holder, takeOver: fc.boolean() }, (args, reference, world) =>
  holderStep(world, reference, args, {
    call: (hub, by, ids) => hub.claim(by, ids, args.takeOver),
    expected: (model, asked, by) => model.claim(asked, by, args.takeOver),
  }),
);

const release = command("release", holder, (args, reference, world) =>
  holderStep(world, reference, args, {
    call: (hub, by, ids) => hub.release(by, ids),
    expected: (model, asked, by) => model.release(asked, by),
  }),
);

const assign = command(
  "assign",
  { ...holder, to: optional(fc.constantFrom("ann", "ann", "bob", "bob", "cat", "cat", "vic", "nobody")) },
  (args, reference, world) =>
    holderStep(world, reference, args, {
      call: (hub, by, ids) => hub.assign(by, ids, args.to === undefined ? null : `per_${args.to}`),
      expected: (model, asked, by) => model.assign(asked, args.to, by),
    }),
);

/** Someone is away for a while, or is back. */
const leave = command(
  "leave",
  { who: fc.nat(2), ms: optional(fc.constantFrom(1_000, 60_000, 400 * DAY_MS)), delegate: optional(fc.nat(3)) },
  async ({ who, ms, delegate }, reference) => {
    const person = pick(reference.people, who);
    const standIn = delegate === undefined ? undefined : pick(reference.people, delegate).name;
    if (ms === undefined) delete person.away;
    else person.away = { until: reference.now + ms, delegate: standIn };
  },
);

const reopen = command(
  "reopen",
  { node, target: fc.nat(), seconds: optional(fc.constantFrom(1, 60, 3_600)) },
  async (args, reference, world) => {
    const timedOut = targetsOf(reference).filter(({ ask: one }) => one.status === "timeout");
    const target = timedOut.length > 0 ? pick(timedOut, args.target) : targetOf(reference, args.target, false);
    if (!target) return;
    const { conversation, ask: asked } = target;
    const where = { conversation_id: conversation.id, tool_use_id: asked.tool };
    await step(
      world,
      reference,
      () => hubOf(world, args.node).reopen(callOf(pick(PEOPLE, 0), reference.now), where, args.seconds),
      () => {
        reference.reopen(conversation, asked, args.seconds);
        return [conversation, asked];
      },
    );
  },
);

const pass = command(
  "pass",
  { node, ms: fc.constantFrom(0, 1, 500, 999, 1_000, 5_000, 60_000, 3_600_000, 400 * DAY_MS) },
  async ({ node: n, ms }, reference, world) => {
    reference.now += ms;
    await step(
      world,
      reference,
      () => hubOf(world, n).expire(reference.now),
      () => void reference.expire(),
    );
  },
);

type ConversationCall = {
  call: (hub: Node["hub"], by: Call, conversation_id: string) => Promise<unknown>;
  expected: (reference: Reference, conversation: RefConversation) => void;
};

/** A command of a person that is about a whole conversation. */
const onConversation = (name: string, { call, expected }: ConversationCall) =>
  command(
    name,
    { node, conversation: fc.nat() },
    async (args, reference, world) => {
      const conversation = pick(reference.conversations, args.conversation);
      const by = callOf(pick(PEOPLE, 0), reference.now);
      await step(
        world,
        reference,
        () => call(hubOf(world, args.node), by, conversation.id),
        () => void expected(reference, conversation),
      );
    },
    hasConversation,
  );

const close = onConversation("close", {
  call: (hub, by, id) => hub.close(by, id),
  expected: (reference, conversation) => reference.close(conversation, pick(PEOPLE, 0)),
});

const allowMore = onConversation("allowMore", {
  call: (hub, by, id) => hub.allowMore(by, id),
  expected: (reference, conversation) => reference.allowMore(conversation),
});

const continueFrom = command(
  "continueFrom",
  { node, conversation: fc.nat(), round: fc.nat() },
  async (args, reference, world) => {
    const old = pick(reference.conversations, args.conversation);
    const round = 1 + (args.round % (old.asks.length + 1));
    await step(
      world,
      reference,
      () => hubOf(world, args.node).continueFrom(callOf(pick(PEOPLE, 0), reference.now), old.id, round),
      (id) => void reference.continueFrom(old, round, id ?? ""),
    );
  },
  (reference) => hasConversation(reference) && reference.conversations.length < MAX_CONVERSATIONS + 2,
);

/** Weighted by how often each appears. */
export const COMMANDS: Array<fc.Arbitrary<Command>> = [
  ...[
    create,
    ask,
    ask,
    ask,
    ask,
    ask,
    askAgain,
    askAgain,
    answer,
    answer,
    answer,
    answer,
    answer,
    answerAll,
    answerAll,
  ],
  ...[
    ...[claim, claim, claim, release, assign, assign, leave],
    reply,
    extend,
    extend,
    cancel,
    reopen,
    reopen,
    pass,
    pass,
    pass,
    continueFrom,
    fc.oneof(close, allowMore, allowMore, allowMore),
  ],
];

async function askStep(
  world: World,
  reference: Reference,
  n: number,
  old: RefConversation | undefined,
  request: AskRequest,
  asker: RefActor,
): Promise<void> {
  const key = request.idempotency_key as string | undefined;
  const named = (request.id ?? (request.content as Json[] | undefined)?.[0]?.id ?? request.tool_use_id) as
    | string
    | undefined;
  const { tool_use_id: _tool, idempotency_key: _key, ...rest } = inputOf(request);
  const { conversation_id: _id, dialect: _dialect, agent: _agent, ...input } = rest;
  await step(
    world,
    reference,
    () => hubOf(world, n).ask(callOf(asker, reference.now), request),
    (value: Ask | undefined) => {
      const isNew = !targetsOf(reference).some(({ ask: one }) => one.tool === value?.tool_use_id);
      const made = (isNew && value?.tool_use_id) || "none";
      const call = { input, isShell: request.dialect === "shell", tool: named, made, key, asker };
      const ofKey = key === undefined ? undefined : `${asker.name} ${key}`;
      const conversation = old ?? (ofKey === undefined ? undefined : reference.ofKey.get(ofKey));
      const askIn = (where: RefConversation): [RefConversation, RefAsk] => {
        const found = reference.ask(where, call);
        if (!old && ofKey !== undefined) reference.ofKey.set(ofKey, where);
        if (!world.requests.has(found)) world.requests.set(found, request);
        return [where, found];
      };
      return conversation ? askIn(conversation) : reference.inNew(value?.conversation_id ?? "", askIn);
    },
  );
}

async function answerStep(
  world: World,
  reference: Reference,
  args: { node: number; key: number | undefined; actor: number; inBulk: boolean; takeOver: boolean },
  conversation: RefConversation,
  question_id: string,
  request: AnswerCommand,
  answers: { values: Map<string, unknown>; indexed: boolean },
): Promise<void> {
  const actor = args.actor === 15 ? pick(AGENTS, 0) : pick(PEOPLE, args.actor);
  const key = args.key === undefined ? undefined : `answer${args.key}`;
  await step(
    world,
    reference,
    async () => {
      const [hub, call] = [hubOf(world, args.node), callOf(actor, reference.now)];
      if (!args.inBulk) return hub.answer(call, request, key ?? null);
      const [outcome] = await hub.answerMany(call, [request], key ?? null);
      if (outcome?.error) throw outcome.error;
      return outcome?.ask;
    },
    () => {
      if (actor.kind === "agent") throw new Refusal("forbidden");
      const asked = conversation.asks.find((one) => one.questions.some(({ id }) => id === question_id));
      if (!asked) throw new Refusal("question_not_found");
      reference.answer(conversation, asked, {
        ...answers,
        key,
        by: actor,
        inBulk: args.inBulk,
        takeOver: args.takeOver,
      });
      return [conversation, asked];
    },
  );
}

function command<Args extends Record<string, unknown>>(
  name: string,
  args: { [Key in keyof Args]: fc.Arbitrary<Args[Key]> },
  run: (args: Args, reference: Reference, world: World) => Promise<void>,
  check: (reference: Reference) => boolean = () => true,
): fc.Arbitrary<Command> {
  return fc.record(args).map((values) => ({
    check,
    run: (reference, world) => run(values as Args, reference, world),
    toString: () => `${name}(${fc.stringify(values)})`,
  }));
}

function hubOf(world: World, n: number): Node["hub"] {
  return pick(world.nodes, n).hub;
}

function hasConversation(reference: Readonly<Reference>): boolean {
  return reference.conversations.length > 0;
}

function targetsOf(reference: Reference): Target[] {
  return reference.conversations.flatMap((conversation) =>
    conversation.asks.map((one) => ({ conversation, ask: one })),
  );
}

function targetOf(reference: Reference, n: number, open: boolean): Target | undefined {
  const all = targetsOf(reference);
  const pending = all.filter((target) => target.ask.status === "pending");
  const from = open && pending.length > 0 ? pending : all;
  return from.length > 0 ? pick(from, n) : undefined;
}

function questionOf(asked: RefAsk, n: number, reachable: boolean): RefQuestion {
  const answers = answersOf(asked);
  const open = asked.questions.filter(({ id }) => isReached(asked, id, answers) && !answers.has(id));
  return pick(reachable && open.length > 0 ? open : asked.questions, n);
}

function followUpsOf(asked: RefAsk, parent: RefQuestion): RefQuestion[] {
  const children = asked.questions.filter((question) => question.parent?.id === parent.id);
  return children.flatMap((child) => [child, ...followUpsOf(asked, child)]);
}

function sample(question: RefQuestion, seed: number): AnswerInput {
  return fc.sample(answerTo(question), { seed, numRuns: 1 })[0] as AnswerInput;
}

function isWrapped(value: AnswerInput): value is Extract<AnswerInput, { notes?: unknown }> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sends a body bare, as a tool call, or as a tool call in a message. */
function wrap(body: Json, how: number, tool: string | undefined): Json {
  if (how === 0) return { ...body, tool_use_id: tool };
  const call = { type: "tool_use", name: "AskUserQuestion", id: tool, input: body };
  return how === 1 ? call : { type: "message", content: [call] };
}

function inputOf(request: Json): Json {
  const call = (request.content as Json[] | undefined)?.[0] ?? request;
  return (call.input as Json | undefined) ?? request;
}

function rootOf(body: Json): Json {
  return (
    body.type === "ask_user_question" ? body.question : ((body.questions as Json[] | undefined)?.[0] ?? body)
  ) as Json;
}

function pick<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length];
  if (found === undefined) throw new Error("Nothing to pick from.");
  return found;
}
