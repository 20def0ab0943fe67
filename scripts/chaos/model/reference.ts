import { defaultOf, judgeAnswer, type RefAnswer } from "./reference-answer.ts";
import { type Json, type RefBody, type RefQuestion, Refusal, readBody } from "./reference-body.ts";

// An independent, in-memory implementation of the lifecycle rules, one step at a time. The hub is compared with it.

/** `byKey`: a person who did not sign in, and uses a key. */
export type RefActor = { kind: "person" | "agent"; name: string; byKey?: boolean };
/** Someone with an account, and who covers for them while they are away. */
export type RefPerson = { name: string; isViewer: boolean; away?: { until: number; delegate: string | undefined } };
type RefClaim = { by: string; at: number; expires: number };
export type RecordedAnswer = { answer: RefAnswer; by: RefActor; key: string | undefined };
export type RefAsk = Omit<RefBody, "questions"> & {
  questions: RefQuestion[];
  answers: Map<string, RecordedAnswer>;
  input: Json;
  key: string | undefined;
  asker: RefActor;
  round: number;
  saidRounds: number | undefined;
  created: number;
  deadline: number | undefined;
  onTimeout: string;
  irreversible: boolean;
  status: "pending" | "answered" | "replied" | "cancelled" | "timeout";
  decidedBy: { kind: string; name: string } | undefined;
  reason: string | undefined;
  reply: { text: string; key: string | undefined } | undefined;
  assignee: string | undefined;
  claim: RefClaim | undefined;
  /** Set to the result at the deadline. */
  defaults: Map<string, RefAnswer> | undefined;
};
export type RefMessage = { type: string; tool?: string; outcome?: string; isPartialAnswer?: boolean };
export type RefConversation = {
  id: string;
  interactive: boolean;
  /** Whether the owner of a key may not answer what it asked. */
  strict: boolean;
  isClosed: boolean;
  asks: RefAsk[];
  messages: RefMessage[];
  saidRounds: number | undefined;
  turnAsks: number;
  limit: number;
  toldLimits: Set<number>;
  continuedFrom: { id: string; round: number } | undefined;
};

export type AskCall = {
  input: Json;
  isShell: boolean;
  tool: string | undefined;
  /** The id that the hub generated for a call without one. */
  made: string;
  key: string | undefined;
  asker: RefActor;
};
export type AnswerCall = {
  /** By question id. */
  values: Map<string, unknown>;
  indexed: boolean;
  key: string | undefined;
  by: RefActor;
  /** Sent as one of many. */
  inBulk: boolean;
  takeOver: boolean;
};

export class Reference {
  readonly maxDepth: number;
  readonly claimMs: number;
  readonly people: RefPerson[];
  /** The person who owns each agent's key. */
  readonly owners: ReadonlyMap<string, string>;
  readonly conversations: RefConversation[] = [];
  /** Conversations that an ask with a key created: the key finds them again. */
  readonly ofKey = new Map<string, RefConversation>();
  now: number;

  constructor(
    maxDepth: number,
    now: number,
    team: { people: RefPerson[]; owners: ReadonlyMap<string, string>; claimMs: number },
  ) {
    this.maxDepth = maxDepth;
    this.now = now;
    this.people = team.people;
    this.owners = team.owners;
    this.claimMs = team.claimMs;
  }

  create(id: string, interactive = true, strict = false): RefConversation {
    const conversation: RefConversation = {
      id,
      interactive,
      strict,
      isClosed: false,
      asks: [],
      messages: [],
      saidRounds: undefined,
      turnAsks: 0,
      limit: this.maxDepth,
      toldLimits: new Set(),
      continuedFrom: undefined,
    };
    this.conversations.push(conversation);
    return conversation;
  }

  /** An ask that creates its conversation: if the ask is refused, there is no conversation either. */
  inNew<Result>(id: string, ask: (conversation: RefConversation) => Result): Result {
    const conversation = this.create(id);
    try {
      return ask(conversation);
    } catch (error) {
      this.conversations.splice(this.conversations.indexOf(conversation), 1);
      throw error;
    }
  }

  ask(conversation: RefConversation, call: AskCall): RefAsk {
    const { input, key, asker } = call;
    const read = readBody(input, call.isShell, call.tool, call.made);
    const existing =
      conversation.asks.find((ask) => ask.tool === read.tool) ??
      conversation.asks.find((ask) => key !== undefined && ask.key === key);
    if (existing) {
      if (JSON.stringify(existing.input) !== JSON.stringify(input)) throw new Refusal("idempotency_conflict");
      return existing;
    }
    const deadline = this.#deadlineOf(input);
    if (deadline !== undefined && deadline <= this.now) throw new Refusal("invalid_request");
    // A second person must answer there, so no default may.
    if (conversation.strict && input.on_timeout === "default") throw new Refusal("invalid_request");
    if (conversation.isClosed) throw new Refusal("conversation_interrupted");
    if (!conversation.interactive) throw new Refusal("non_interactive");
    const taken = conversation.asks.flatMap((ask) => ask.questions.map((question) => question.id));
    if (read.questions.some((question) => taken.includes(question.id))) throw new Refusal("duplicate_question_id");
    if (conversation.turnAsks >= conversation.limit) {
      if (!conversation.toldLimits.has(conversation.limit)) conversation.messages.push({ type: "info" });
      conversation.toldLimits.add(conversation.limit);
      throw new Refusal("recursive_limit_exceeded");
    }
    const ask: RefAsk = {
      ...read,
      input,
      key,
      asker,
      answers: new Map(),
      round: conversation.asks.length + 1,
      saidRounds: input.total_rounds as number | undefined,
      created: this.now,
      deadline,
      onTimeout: (input.on_timeout as string | undefined) ?? "terminate",
      irreversible: input.irreversible === true,
      status: "pending",
      decidedBy: undefined,
      reason: undefined,
      reply: undefined,
      assignee: undefined,
      claim: undefined,
      defaults: undefined,
    };
    conversation.asks.push(ask);
    conversation.saidRounds = ask.saidRounds ?? conversation.saidRounds;
    conversation.turnAsks++;
    conversation.messages.push({ type: "ask_user_question", tool: ask.tool });
    return ask;
  }

  /** Accepts all of the answers or none. */
  answer(conversation: RefConversation, ask: RefAsk, { values, indexed, key, by, inBulk, takeOver }: AnswerCall): void {
    this.#requireSecond(conversation, ask, by);
    if (key !== undefined && [...values.keys()].some((id) => ask.answers.get(id)?.key === key)) return;
    this.#requireUnclaimed(ask, by, takeOver);
    for (const id of values.keys()) {
      if (!ask.questions.some((question) => question.id === id)) throw new Refusal("question_not_found");
      if (ask.status === "pending") continue;
      if (!isReached(ask, id, answersOf(ask))) throw new Refusal("question_not_found");
      const isTaken = ask.status === "replied" || (ask.status === "answered" && ask.answers.has(id));
      throw new Refusal(isTaken ? "duplicate_answer" : "question_closed");
    }
    if (inBulk && ask.irreversible) throw new Refusal("invalid_request");
    const before = new Map(ask.answers);
    try {
      // Parents come before their follow-ups, so that an answer can activate a question that is answered with it.
      for (const question of ask.questions.filter((one) => values.has(one.id))) {
        if (!isReached(ask, question.id, answersOf(ask))) throw new Refusal("question_not_found");
        if (ask.answers.has(question.id)) throw new Refusal("duplicate_answer");
        const answer = judgeAnswer(question, values.get(question.id), ask.shape, indexed);
        ask.answers.set(question.id, { answer, by, key });
      }
    } catch (error) {
      ask.answers = before;
      throw error;
    }
    if (isMissing(ask, answersOf(ask)))
      conversation.messages.push({ type: "info", tool: ask.tool, isPartialAnswer: true });
    else this.#settle(conversation, ask, "answered", by);
  }

  reply(
    conversation: RefConversation,
    ask: RefAsk,
    { text, key, by, takeOver }: { text: string; key: string | undefined; by: RefActor; takeOver: boolean },
  ): void {
    if (by.kind === "agent") throw new Refusal("forbidden");
    this.#requireSecond(conversation, ask, by);
    if (key !== undefined && ask.reply?.key === key) return;
    this.#requireUnclaimed(ask, by, takeOver);
    requirePending(ask);
    ask.reply = { text, key };
    this.#settle(conversation, ask, "replied", by);
  }

  /** Undefined is no deadline. */
  extend(conversation: RefConversation, ask: RefAsk, deadline: number | undefined, by: RefActor): void {
    if (by.kind === "agent") throw new Refusal("forbidden");
    if (deadline !== undefined && deadline <= this.now) throw new Refusal("invalid_request");
    requirePending(ask);
    if (ask.deadline === deadline) return;
    ask.deadline = deadline;
    conversation.messages.push({ type: "info", tool: ask.tool });
  }

  cancel(conversation: RefConversation, ask: RefAsk, reason: string, by: RefActor, takeOver = false): void {
    if (by.kind === "agent" && by.name !== ask.asker.name) throw new Refusal("forbidden");
    if (by.kind === "person") this.#requireUnclaimed(ask, by, takeOver);
    requirePending(ask);
    ask.reason = reason;
    this.#settle(conversation, ask, "cancelled", by);
  }

  /** Says "I am on it", for a while. */
  claim(ask: RefAsk, by: RefActor, takeOver: boolean): void {
    if (by.kind === "agent") throw new Refusal("forbidden");
    requirePending(ask);
    this.#requireUnclaimed(ask, by, takeOver);
    const held = this.#held(ask);
    const at = held?.by === by.name ? held.at : this.now;
    ask.claim = { by: by.name, at, expires: this.now + this.claimMs };
  }

  release(ask: RefAsk, by: RefActor): void {
    if (by.kind === "agent") throw new Refusal("forbidden");
    requirePending(ask);
    ask.claim = undefined;
  }

  /** Undefined means nobody. Someone who is away passes it on; assigning it ends anyone else's claim. */
  assign(ask: RefAsk, name: string | undefined, by: RefActor): void {
    if (by.kind === "agent") throw new Refusal("forbidden");
    const person = this.people.find((one) => one.name === name);
    if (name !== undefined && !person) throw new Refusal("invalid_request");
    if (person?.isViewer) throw new Refusal("forbidden");
    const assignee = person && this.#standIn(person);
    requirePending(ask);
    if (assignee === ask.assignee) return;
    if (assignee !== undefined && ask.claim?.by !== assignee) ask.claim = undefined;
    ask.assignee = assignee;
  }

  /** At most three steps from delegate to delegate; if all are away, it stays with the person. */
  #standIn(person: RefPerson): string {
    let current = person;
    for (let step = 0; step < 3 && this.#isAway(current); step++) {
      const next = this.people.find((one) => one.name === current.away?.delegate);
      if (!next || next === person || next.isViewer) return person.name;
      current = next;
    }
    return this.#isAway(current) ? person.name : current.name;
  }

  #isAway({ away }: RefPerson): boolean {
    return away !== undefined && away.until > this.now;
  }

  #held({ claim }: RefAsk): RefClaim | undefined {
    return claim && claim.expires > this.now ? claim : undefined;
  }

  #requireUnclaimed(ask: RefAsk, by: RefActor, takeOver: boolean): void {
    const held = this.#held(ask);
    if (ask.status === "pending" && held && held.by !== by.name && !takeOver) throw new Refusal("claimed");
  }

  #requireSecond({ strict }: RefConversation, { asker }: RefAsk, by: RefActor): void {
    if (!strict) return;
    if (by.byKey || this.owners.get(asker.name) === by.name) throw new Refusal("second_person_required");
  }

  reopen(conversation: RefConversation, ask: RefAsk, seconds: number | undefined): void {
    if (conversation.isClosed) throw new Refusal("conversation_interrupted");
    if (ask.status !== "timeout") throw new Refusal("invalid_request");
    Object.assign(ask, { status: "pending", decidedBy: undefined, defaults: undefined });
    ask.deadline = seconds === undefined ? undefined : this.now + Math.ceil(seconds * 1_000);
    conversation.messages.push({ type: "info", tool: ask.tool });
  }

  expire(): void {
    for (const conversation of this.conversations) {
      for (const ask of conversation.asks) {
        if (ask.status !== "pending" || ask.deadline === undefined || ask.deadline > this.now) continue;
        ask.defaults = ask.onTimeout === "default" && !ask.irreversible ? defaultsOf(ask) : undefined;
        const by = ask.defaults ? { kind: "default", name: "default" } : { kind: "system", name: "parley" };
        this.#settle(conversation, ask, "timeout", by);
      }
    }
  }

  close(conversation: RefConversation, by: RefActor): void {
    if (conversation.isClosed) return;
    for (const ask of conversation.asks.filter((one) => one.status === "pending"))
      this.cancel(conversation, ask, "the conversation was closed", by, true);
    conversation.isClosed = true;
    conversation.messages.push({ type: "info" });
  }

  allowMore(conversation: RefConversation): void {
    if (conversation.isClosed) throw new Refusal("conversation_interrupted");
    conversation.limit = conversation.turnAsks + this.maxDepth;
    conversation.messages.push({ type: "info" });
  }

  /**
   * The history up to the question of the round. Asks that already had their present outcome keep it. All others are
   * open as when first asked, with their original timeout, and without partial answers.
   */
  continueFrom(old: RefConversation, round: number, id: string): RefConversation {
    const from = old.asks.find((ask) => ask.round === round);
    if (!from) throw new Refusal("question_not_found");
    const last = old.messages.findIndex(({ type, tool }) => type === "ask_user_question" && tool === from.tool);
    const history = old.messages.slice(0, last + 1);
    const asks = old.asks.slice(0, round).map((ask): RefAsk => {
      const reply = ask.reply && { ...ask.reply, key: undefined };
      const copy = { ...ask, key: undefined, reply, answers: new Map(ask.answers) };
      for (const [question, answer] of copy.answers) copy.answers.set(question, { ...answer, key: undefined });
      if (history.findLast(({ tool }) => tool === ask.tool)?.outcome === ask.status) return copy;
      const deadline = ask.deadline === undefined ? undefined : this.now + (ask.deadline - ask.created);
      return Object.assign(copy, {
        answers: new Map(),
        status: "pending",
        decidedBy: undefined,
        reason: undefined,
        reply: undefined,
        assignee: undefined,
        claim: undefined,
        defaults: undefined,
        created: this.now,
        deadline,
      });
    });
    const open = new Set(asks.filter((ask) => ask.status === "pending").map((ask) => ask.tool));
    const conversation = this.create(id, true, old.strict);
    return Object.assign(conversation, {
      asks,
      messages: history.filter(({ tool = "", isPartialAnswer }) => !isPartialAnswer || !open.has(tool)),
      saidRounds: old.saidRounds,
      turnAsks: asks.length,
      limit: asks.length + this.maxDepth,
      continuedFrom: { id: old.id, round },
    });
  }

  #settle(
    conversation: RefConversation,
    ask: RefAsk,
    status: "answered" | "replied" | "cancelled" | "timeout",
    by: { kind: string; name: string },
  ): void {
    ask.status = status;
    ask.decidedBy = by;
    ask.claim = undefined;
    conversation.messages.push({ type: "tool_result", tool: ask.tool, outcome: status });
  }

  #deadlineOf(input: Json): number | undefined {
    if (input.deadline_at !== undefined) return Date.parse(String(input.deadline_at));
    return input.timeout_s === undefined ? undefined : this.now + Math.ceil(Number(input.timeout_s) * 1_000);
  }
}

function requirePending({ status }: RefAsk): void {
  if (status === "answered" || status === "replied") throw new Refusal("duplicate_answer");
  if (status !== "pending") throw new Refusal("question_closed");
}

type Answers = ReadonlyMap<string, RefAnswer>;

export function answersOf(ask: RefAsk): Answers {
  return new Map([...ask.answers].map(([id, { answer }]) => [id, answer]));
}

/** Whether the question is on the first level, or its option was chosen. */
export function isReached(ask: RefAsk, id: string, answers: Answers): boolean {
  const parent = ask.questions.find((question) => question.id === id)?.parent;
  return !parent || (answers.get(parent.id)?.options.some((option) => option.id === parent.option) ?? false);
}

function isMissing(ask: RefAsk, answers: Answers): boolean {
  return ask.questions.some(({ id, required }) => required && isReached(ask, id, answers) && !answers.has(id));
}

/** The answers completed with defaults, those of follow-ups included; undefined if that is not enough. */
function defaultsOf(ask: RefAsk): Map<string, RefAnswer> | undefined {
  const answers = new Map(answersOf(ask));
  for (const question of ask.questions) {
    const standIn = defaultOf(question);
    if (standIn && !answers.has(question.id) && isReached(ask, question.id, answers)) answers.set(question.id, standIn);
  }
  return answers.size > ask.answers.size && !isMissing(ask, answers) ? answers : undefined;
}
