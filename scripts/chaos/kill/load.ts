import type { z } from "zod";
import type { AskView } from "../../../lib/protocol/ask.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { Random } from "../kit/random.ts";
import { errorCode, type Reply, type RestClient } from "../kit/rest-client.ts";
import { keyOf, type Ledger } from "./ledger.ts";

const SESSIONS = 6;
const MAX_OPEN = 24;

/** State that all workers share: they compete, as people and agents do. */
export type Shared = {
  client: RestClient;
  ledger: Ledger;
  sessions: string[];
  open: AskView[];
  /** Resolves while a server is up. */
  up: () => Promise<void>;
  /** Called when a worker starts waiting for a server, and when it continues. */
  parked: (delta: 1 | -1) => void;
  ending: () => boolean;
};

/** A client that asks, answers, replies, extends, cancels and waits at random until the end, and finishes what it began. */
export async function work(shared: Shared, random: Random, worker: number): Promise<void> {
  for (let step = 0; !shared.ending(); step++) {
    const by = `w${worker}-${step}`;
    const draw = random.next();
    if (shared.sessions.length < SESSIONS) await createSession(shared, by);
    else if (draw < 0.4 || shared.open.length === 0) await ask(shared, random, by);
    else if (draw < 0.75) await answer(shared, random, by);
    else if (draw < 0.8) await cancel(shared, random, by);
    else if (draw < 0.86) await reply(shared, random, by);
    else if (draw < 0.9) await extend(shared, random, by);
    else if (draw < 0.95) await wait(shared, random);
    else if (draw < 0.98) await look(shared, random);
    else await close(shared, random, by);
  }
}

async function createSession(shared: Shared, by: string): Promise<void> {
  const reply = await call(shared, "POST", "/api/sessions", { title: by });
  const { session_id } = accepted(reply, OPERATIONS.createSession.response);
  shared.ledger.sessions.add(session_id);
  shared.sessions.push(session_id);
}

async function ask(shared: Shared, random: Random, by: string): Promise<void> {
  const question = questionOf(random, by);
  // Some name no conversation: the key alone must find the first one.
  const body = random.chance(0.15)
    ? { ...question, idempotency_key: `key-${by}` }
    : { ...question, session_id: random.pick(shared.sessions), tool_use_id: `tu-${by}` };
  const reply = await call(shared, "POST", "/api/asks", body);
  if (reply.status !== 201) {
    expectCode(shared, reply, ["conversation_interrupted"], "an ask");
    if ("tool_use_id" in body) shared.ledger.refusedAsks.add(body.tool_use_id);
    return;
  }
  const { ask } = accepted(reply, OPERATIONS.ask.response);
  shared.ledger.acknowledgeAsk(ask, question);
  shared.ledger.observe(ask);
  if (ask.status === "pending") shared.open.push(ask);
  if (shared.open.length > MAX_OPEN) shared.open.shift();
}

async function answer(shared: Shared, random: Random, by: string): Promise<void> {
  const target = random.pick(shared.open);
  const { session_id, tool_use_id } = target;
  const asked = target.questions.filter((question) => question.status === "pending");
  const question = random.pick(asked.length > 0 ? asked : target.questions);
  const value = valueFor(random, question);
  const followUps = random.chance(0.5)
    ? target.questions.filter(
        (one) => one.parent?.question_id === question.question_id && one.parent.option_id === value,
      )
    : [];
  const along = followUps.map((one): [string, unknown] => [one.question_id, valueFor(random, one)]);
  const key = `answer-${by}`;
  const reply = await call(
    shared,
    "POST",
    "/api/task/answer",
    {
      session_id,
      question_id: question.question_id,
      answer: value,
      ...(along.length > 0 && { follow_up_answers: Object.fromEntries(along) }),
    },
    { "idempotency-key": key, "x-parley-name": by },
  );
  if (reply.status !== 200) {
    expectCode(shared, reply, ["duplicate_answer", "question_closed", "question_not_found"], "an answer");
    shared.ledger.refusedAnswers.add(key);
    if (errorCode(reply) !== "duplicate_answer") forget(shared, target);
    return;
  }
  const { status } = accepted(reply, OPERATIONS.answer.response);
  for (const [id, each] of [[question.question_id, value] as const, ...along])
    shared.ledger.acknowledgeAnswer(session_id, id, { value: each, by, key });
  if (status !== "pending") return forget(shared, target);
  const read = await call(shared, "GET", askPath(session_id, tool_use_id));
  const { ask: now } = accepted(read, OPERATIONS.readAsk.response);
  shared.ledger.observe(now);
  const place = shared.open.indexOf(target);
  if (place >= 0) shared.open[place] = now;
}

async function cancel(shared: Shared, random: Random, by: string): Promise<void> {
  const target = random.pick(shared.open);
  const { session_id, tool_use_id } = target;
  const reason = `because of ${by}`;
  const reply = await call(
    shared,
    "POST",
    "/api/task/cancel",
    { session_id, tool_use_id, reason },
    { "x-parley-name": by },
  );
  forget(shared, target);
  if (reply.status !== 200) return expectCode(shared, reply, ["duplicate_answer", "question_closed"], "a cancel");
  shared.ledger.cancels.set(keyOf(session_id, tool_use_id), { by, reason });
  shared.ledger.observe(accepted(reply, OPERATIONS.cancel.response).ask);
}

async function reply(shared: Shared, random: Random, by: string): Promise<void> {
  const target = random.pick(shared.open);
  const { session_id, tool_use_id } = target;
  const text = `Neither, says ${by}`;
  const headers = { "idempotency-key": `reply-${by}`, "x-parley-name": by };
  const replied = await call(shared, "POST", "/api/task/reply", { session_id, tool_use_id, text }, headers);
  forget(shared, target);
  if (replied.status !== 200) return expectCode(shared, replied, ["duplicate_answer", "question_closed"], "a reply");
  shared.ledger.replies.set(keyOf(session_id, tool_use_id), { by, text });
  shared.ledger.observe(accepted(replied, OPERATIONS.reply.response).ask);
}

/** A deadline is short, so that all have passed soon after the end. */
async function extend(shared: Shared, random: Random, by: string): Promise<void> {
  const { session_id, tool_use_id } = random.pick(shared.open);
  const body = { session_id, tool_use_id, timeout_s: random.pick([0.2, 0.5, 1]) };
  const extended = await call(shared, "POST", "/api/task/extend", body, { "x-parley-name": by });
  if (extended.status !== 200)
    return expectCode(shared, extended, ["duplicate_answer", "question_closed"], "extending");
  shared.ledger.extended.add(by);
}

async function wait(shared: Shared, random: Random): Promise<void> {
  const target = random.pick(shared.open);
  const path = `${askPath(target.session_id, target.tool_use_id)}&wait=${random.pick(["0.05", "0.3"])}`;
  const { ask: now } = accepted(await call(shared, "GET", path), OPERATIONS.readAsk.response);
  shared.ledger.observe(now);
  if (now.status !== "pending") forget(shared, target);
}

async function look(shared: Shared, random: Random): Promise<void> {
  const path = random.pick(["/api/inbox", "/api/sessions", `/api/sessions/${random.pick(shared.sessions)}`]);
  const reply = await call(shared, "GET", path);
  if (reply.status !== 200) shared.ledger.violations.push(`GET ${path} was answered with ${reply.status}`);
}

async function close(shared: Shared, random: Random, by: string): Promise<void> {
  const session_id = random.pick(shared.sessions);
  shared.sessions.splice(shared.sessions.indexOf(session_id), 1);
  const reply = await call(shared, "POST", `/api/sessions/${session_id}/close`, undefined, { "x-parley-name": by });
  accepted(reply, OPERATIONS.closeSession.response);
  shared.ledger.closed.add(session_id);
}

/** Behaves as a good client: repeats a call without a reply verbatim as soon as a server is up. */
async function call(shared: Shared, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    shared.parked(1);
    await shared.up();
    shared.parked(-1);
    try {
      return await shared.client.call(method, path, body, headers);
    } catch (error) {
      // The kills have stopped by then, so a lost connection is a fault.
      if (shared.ending()) throw error;
      if (tries === 0) shared.ledger.retried++;
    }
  }
}

function accepted<Schema extends z.ZodObject>(reply: Reply, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(reply.body);
  if (reply.status < 300 && parsed.success) return parsed.data;
  throw new Error(`An unexpected reply: ${reply.status} ${reply.text.slice(0, 500)}`);
}

function expectCode({ ledger }: Shared, reply: Reply, codes: string[], what: string): void {
  const code = errorCode(reply);
  if (code === undefined || !codes.includes(code))
    ledger.violations.push(`${what} was answered with ${reply.status} ${reply.text.slice(0, 300)}`);
}

function forget(shared: Shared, target: AskView): void {
  const place = shared.open.findIndex((one) => one.tool_use_id === target.tool_use_id);
  if (place >= 0) shared.open.splice(place, 1);
}

function askPath(session_id: string, tool_use_id: string): string {
  return `/api/asks/${encodeURIComponent(tool_use_id)}?session_id=${session_id}`;
}

function questionOf(random: Random, by: string): Record<string, unknown> {
  const deadline = random.chance(0.25)
    ? { timeout_s: random.pick([0.05, 0.3, 0.8]), on_timeout: random.pick(["default", "terminate"]) }
    : {};
  const options = ["red", "green", "blue"].map((id) => ({ id, label: `${id} 🎨 ${by}`, default: id === "red" }));
  return {
    ...random.pick([
      () => ({ question: `What is it called, ${by}? <b>名前</b>` }),
      () => ({ question: `Which one, ${by}?`, options }),
      () => ({ question_text: `Go on, ${by}?`, type: "boolean", default: true }),
      () => ({
        questions: ["First", "Second"].map((which) => ({ question: `${which}, ${by}?`, options: labels(by) })),
      }),
      () => ({
        question_id: `root-${by}`,
        question_text: `How, ${by}?`,
        type: "multiple_choice",
        options,
        follow_up_questions: {
          red: [{ question_id: `why-${by}`, question_text: "Why red?", type: "text" }],
          green: [{ question_id: `sure-${by}`, question_text: "Sure?", type: "boolean" }],
        },
      }),
    ])(),
    ...deadline,
  };
}

function labels(by: string): Array<{ label: string; description: string }> {
  return ["yes", "no"].map((label) => ({ label, description: `${label}, says ${by}` }));
}

function valueFor(random: Random, { type, options }: AskView["questions"][number]): unknown {
  if (type === "text") return `Map<string> & 答え ${random.id()}`;
  if (type === "boolean") return random.chance(0.5);
  const { id } = random.pick(options);
  return type === "checkbox" ? [id] : id;
}
