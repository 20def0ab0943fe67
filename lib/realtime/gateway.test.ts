import { request } from "node:http";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createDemo } from "../agents/demo/demo.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { agentKey, join, newSpace, setUp } from "../http/test-team.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import { ERRORS, type ErrorCode, ParleyError } from "../protocol/errors.ts";
import { ClientCommands, ServerEventType } from "../protocol/events.ts";
import { exercised, TestClient } from "./test-client.ts";

/** As long as a slow machine needs. */
const PATIENCE = { timeout: 120_000, interval: 50 };

/** An agent whose ask is refused: its turn ends with an error that has a code. */
const wrong = (name: string, ask: Record<string, unknown>): Agent => ({
  name,
  about: "",
  run: async (run) => {
    for (let n = 0; n < 4; n++) await run.ask(ask);
  },
});
const LATE = { ...CHOICE, timeout_s: 0.01 };
const WRONG = [
  wrong("twice", { ...CHOICE, question_id: "q", follow_up_questions: { a: [{ ...CHOICE, question_id: "q" }] } }),
  wrong("late", { ...LATE, options: CHOICE.options.map(({ id, label }) => ({ id, label })) }),
  wrong("endless", { ...LATE, on_timeout: "default" }),
];

/** The code that a client is refused with, if it is. */
async function connectError(url: string, transport: string, protocol = "v2"): Promise<string | undefined> {
  const socket = io(url, { query: { protocol }, transports: [transport], reconnection: false, forceNew: true });
  const refused = await new Promise<{ data?: { code: string; message: string } } | undefined>((resolve) => {
    socket.once("connect", () => resolve(undefined));
    socket.once("connect_error", resolve);
  });
  const engine = socket.io.engine;
  if (refused && engine.readyState !== "closed") await new Promise((resolve) => engine.once("close", resolve));
  socket.disconnect();
  if (refused?.data) exercised.codes.add(refused.data.code);
  return refused?.data?.code;
}

/** The code that a handshake is refused with before anything is opened. */
async function refusal(url: string, query: Record<string, string>, headers: Record<string, string> = {}, place = "") {
  const search = new URLSearchParams({ EIO: "4", transport: "polling", ...query });
  return new Promise<string | undefined>((resolve, reject) => {
    const sent = request(`${url}/socket.io/${place}?${search}`, { headers }, async (response) => {
      const text = (await response.toArray()).join("");
      const code = response.statusCode === 200 ? undefined : (JSON.parse(text) as { message: string }).message;
      if (code !== undefined) exercised.codes.add(code);
      resolve(code);
    });
    sent.on("error", reject).end();
  });
}

describe.each(ABOVE_SQL)("sockets on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url, {
      agents: [createDemo({ wordsPerSecond: 5_000 }), ...WRONG],
      maxQueue: 1,
      limits: { maxDepth: 3 },
    });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    expect(server.errors).toEqual([]);
  });

  /** Waits for the replay: what happens before it arrives as part of it. */
  const client = async (query: Record<string, string> = {}) => {
    const one = await new TestClient(server.url, query).connected();
    if (query.conversation_id)
      await one.until(({ type, payload }) => type === "message.replay" && payload.done === true);
    return one;
  };
  const session = (agent = "demo") => server.hub.createConversation(byAgent(), { agent });
  const error = async (reply: Promise<unknown>) => ((await reply) as { error?: { code: string } }).error?.code;

  test("a person writes, the agent thinks, speaks, asks and continues with the answer; both watchers see the same", async () => {
    const conversation_id = await session();
    const [ann, bob] = await Promise.all([client({ conversation_id, name: "ann" }), client({ conversation_id })]);
    expect(await ann.send("user.message", { conversation_id, text: "poem please" })).toMatchObject({
      ok: true,
      status: "running",
      message_sequence: 1,
    });
    const asked = await bob.until((envelope) => envelope.type === "assistant.request_input");
    expect(asked.payload).toMatchObject({
      question: "Please choose a function",
      required: true,
      round: 1,
      inbox_item_id: expect.any(String),
    });
    const question_id = String(asked.payload.question_id);
    expect(
      await ann.send("user.input_response", { conversation_id, question_id, answer: ["Print a smiley"] }),
    ).toMatchObject({ ok: true, status: "answered" });
    const answered = await bob.until((envelope) => envelope.type === "question.answered");
    expect(answered.payload).toMatchObject({ decided_by: { name: "ann", surface: "socket" } });
    for (const watcher of [ann, bob]) {
      await watcher.until((envelope) => envelope.type === "assistant.complete");
      expect(watcher.complaints).toEqual([]);
      const types = new Set(watcher.envelopes.map((envelope) => envelope.type));
      for (const type of [
        "conversation.state",
        "message.replay",
        "user.message",
        "assistant.thinking",
        "assistant.chunk",
      ])
        expect(types).toContain(type);
    }
    const { messages } = await server.hub.readMessages(byPerson(), { conversation_id });
    expect(ann.messages()).toEqual(messages);
    expect(bob.messages()).toEqual(messages);
    const late = await client({ conversation_id, last_sequence: "2" });
    await late.until((envelope) => envelope.type === "message.replay" && envelope.payload.done === true);
    expect(late.messages()).toEqual(messages.slice(2));
    for (const one of [ann, bob, late]) one.close();
  });

  test("the state arrives on subscribing and on every change, with all open asks", async () => {
    const conversation_id = await session("external");
    const watcher = await client({ conversation_id });
    const first = await watcher.until((envelope) => envelope.type === "conversation.state");
    expect(first.payload).toMatchObject({ status: "active", pending: [], queued: 0, streaming: null });
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    const waiting = await watcher.until(
      (envelope) => envelope.type === "conversation.state" && envelope.payload.status === "waiting_input",
    );
    expect(waiting.payload).toMatchObject({ pending: [{ tool_use_id: "t", questions: [{ text: "Which way?" }] }] });
    await watcher.send("user.input_cancel", { conversation_id, question_id: "t", reason: "no" });
    await watcher.until((envelope) => envelope.type === "question.cancelled");
    await watcher.until(
      (envelope) =>
        envelope.type === "conversation.state" &&
        (envelope.payload.pending as unknown[]).length === 0 &&
        envelope !== first,
    );
    watcher.close();
  });

  test("new deadlines and replies are sent to everyone; a reply can be retried with its key", async () => {
    const conversation_id = await session("external");
    const watcher = await client({ conversation_id });
    await watcher.send("inbox.subscribe", {});
    const { tool_use_id } = await server.hub.ask(byAgent(), { conversation_id, ...CHOICE });
    const target = { conversation_id, question_id: tool_use_id };
    const { deadline_at } = await server.hub.extend(byPerson(), target, { timeout_s: 600 });
    const due = new Date(deadline_at ?? 0).toISOString();
    const extended = await watcher.until((envelope) => envelope.type === "question.extended");
    expect(extended.payload).toMatchObject({ ask: { deadline_at: due }, decided_by: { name: "ann" } });
    await watcher.until(
      ({ type, payload }) =>
        type === "conversation.state" && payload.pending?.some((ask) => ask.deadline_at === due) === true,
    );
    await watcher.until(({ type, payload }) => type === "inbox.changed" && payload.item?.deadline_at === due);
    const reply = { ...target, text: "Neither.", idempotency_key: "k" };
    const first = await watcher.send("user.input_reply", reply);
    expect(first).toEqual({ ok: true, tool_use_id, status: "replied" });
    expect(await watcher.send("user.input_reply", reply)).toEqual(first);
    const replied = await watcher.until((envelope) => envelope.type === "question.replied");
    expect(replied.payload).toMatchObject({ ask: { status: "replied", result: { reply: "Neither." } } });
    watcher.close();
  });

  test("timeouts and reopened questions are sent, and held answers wake the agent only on request", async () => {
    const conversation_id = await session("external");
    const watcher = await client({ conversation_id });
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", timeout_s: 0.01, ...CHOICE });
    await watcher.until((envelope) => envelope.type === "question.timeout");
    await server.hub.reopen(byPerson(), { conversation_id, tool_use_id: "t" });
    await watcher.until((envelope) => envelope.type === "question.reopened");
    const waiting = server.hub.wait(byAgent(), { conversation_id, tool_use_id: "t", seconds: 50 });
    expect(
      await watcher.send("user.input_response", { conversation_id, question_id: "t", answer: "a", resume_task: false }),
    ).toMatchObject({ status: "pending" });
    expect(await error(watcher.send("user.input_response", { conversation_id, question_id: "t", answer: "b" }))).toBe(
      "DUPLICATE_INPUT_RESPONSE",
    );
    expect(await watcher.send("user.input_response", { conversation_id, question_id: "t" })).toMatchObject({
      ok: true,
      status: "answered",
    });
    expect((await waiting).result?.output).toEqual({ question_id: "t", answer: "a" });
    watcher.close();
  });

  test("everyone who watches the inbox gets every item that opens or closes", async () => {
    const [ann, bob] = await Promise.all([client({ name: "ann" }), client()]);
    for (const one of [ann, bob])
      expect(await one.send("inbox.subscribe", {})).toMatchObject({ ok: true, counts: { open: expect.any(Number) } });
    const conversation_id = await session("external");
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    await ann.send("user.input_response", { conversation_id, question_id: "t", answer: "a" });
    for (const one of [ann, bob]) {
      const changes = () =>
        one.envelopes.filter(
          (envelope) => envelope.type === "inbox.changed" && envelope.conversation_id === conversation_id,
        );
      await expect.poll(() => changes().length).toBe(2);
      expect(changes().map((envelope) => envelope.payload.item)).toMatchObject([
        {
          status: "open",
          agent: "external",
          type: "await_user_input",
          source_id: `conversation:${conversation_id}:question:t`,
        },
        { status: "closed", settled: { decided_by: { name: "ann", surface: "socket" } } },
      ]);
    }
    await bob.send("inbox.unsubscribe", {});
    for (const one of [ann, bob]) one.close();
  });

  test("the older dialect: questions by index, options by number", async () => {
    const conversation_id = await session("external");
    const old = await client({ conversation_id, dialect: "user_question" });
    const asked = new Promise<{ tool_use_id: string; questions: unknown[] }>((resolve) =>
      old.socket.once("user_question", resolve),
    );
    await server.hub.ask(byAgent(), {
      conversation_id,
      tool_use_id: "t",
      questions: [{ question: "x?", options: [{ label: "A" }, { label: "B" }] }],
    });
    expect(await asked).toMatchObject({
      type: "user_question",
      tool_use_id: "t",
      questions: [{ question: "x?", multiSelect: false }],
      timestamp: expect.any(Number),
    });
    expect(
      await old.send("question_answer", { type: "question_answer", tool_use_id: "t", answers: { "0": "2" } }),
    ).toMatchObject({ ok: true, status: "answered" });
    const { result } = await server.hub.readAsk(byAgent(), {
      conversation_id,
      tool_use_id: "t",
    });
    expect(result?.answers[0]?.labels).toEqual(["B"]);
    old.close();
  });

  test("the older dialect: yes or no, texts and follow-ups are answered to the end", async () => {
    const conversation_id = await session("external");
    const old = await client({ conversation_id, dialect: "user_question" });
    type Asked = { tool_use_id: string; questions: Array<{ question: string; options: Array<{ label: string }> }> };
    const asked: Asked[] = [];
    (old.socket as unknown as { on: (name: string, listener: (question: Asked) => void) => void }).on(
      "user_question",
      (question) => asked.push(question),
    );
    const next = async (question: string) => {
      await expect.poll(() => asked.at(-1)?.questions.map((one) => one.question)).toEqual([question]);
      return asked.at(-1) as Asked;
    };
    const answer = (tool_use_id: string, chosen: string) =>
      old.send("question_answer", { type: "question_answer", tool_use_id, answers: { "0": chosen } });
    const name = { question_id: "name", question_text: "Its name?", type: "text" };
    const sure = { question_id: "sure", question_text: "Sure?", type: "boolean" };
    const ask = { ...CHOICE, follow_up_questions: { b: [{ ...sure, follow_up_questions: { true: [name] } }] } };
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...ask });
    expect(await answer((await next("Which way?")).tool_use_id, "2")).toMatchObject({ ok: true, status: "pending" });
    const second = await next("Sure?");
    expect(second.questions[0]?.options.map(({ label }) => label)).toEqual(["Yes", "No"]);
    expect(await answer(second.tool_use_id, "1")).toMatchObject({ ok: true, status: "pending" });
    const third = await next("Its name?");
    expect(await error(answer(third.tool_use_id, "other:"))).toBe("INVALID_ANSWER");
    expect(await answer(third.tool_use_id, "other:web")).toMatchObject({ ok: true, status: "answered" });
    const { result } = await server.hub.readAsk(byAgent(), { conversation_id, tool_use_id: "t" });
    expect(result?.answers.map(({ value }) => value)).toEqual(["b", true, "web"]);

    await server.hub.ask(byAgent(), {
      conversation_id,
      tool_use_id: "late",
      timeout_s: 0.01,
      ...sure,
      question_id: "again",
    });
    await old.until(({ type }) => type === "question.timeout");
    await server.hub.reopen(byPerson(), { conversation_id, tool_use_id: "late" });
    await expect.poll(() => asked.map(({ tool_use_id }) => tool_use_id)).toEqual(["t", "sure", "name", "late", "late"]);
    old.close();
  });

  test("everyone sees an interruption, and a system event says when no more can be asked", async () => {
    const conversation_id = await session();
    const watcher = await client({ conversation_id });
    await watcher.send("user.message", { conversation_id, text: "port" });
    await watcher.until((envelope) => envelope.type === "assistant.request_input");
    expect(await watcher.send("user.interrupt", { conversation_id })).toMatchObject({ ok: true, interrupted: true });
    await watcher.until((envelope) => envelope.type === "conversation.interrupted");
    await watcher.until((envelope) => envelope.type === "question.cancelled");
    await server.hub.close(byPerson(), conversation_id);
    await watcher.until((envelope) => envelope.type === "session.system_event");
    expect(await error(watcher.send("user.message", { conversation_id, text: "x" }))).toBe("CONVERSATION_INTERRUPTED");
    watcher.close();
  });

  test("a failing tool and an error are marked as such", async () => {
    const conversation_id = await session();
    const watcher = await client({ conversation_id });
    await watcher.send("user.message", { conversation_id, text: "fail" });
    for (const type of ["assistant.tool_call", "assistant.tool_result", "error", "assistant.complete"])
      await watcher.until((envelope) => envelope.type === type);
    watcher.close();
  });

  test("each refusal has its code", async () => {
    const one = await client();
    const conversation_id = await session("external");
    const ask = (tool_use_id: string, more = {}) =>
      server.hub.ask(byAgent(), { conversation_id, tool_use_id, ...CHOICE, ...more });
    await ask("t");
    const respond = (question_id: string, answer: unknown) =>
      error(one.send("user.input_response", { conversation_id, question_id, answer }));
    expect(await error(one.send("conversation.subscribe", { conversation_id: "ses_none" }))).toBe("SESSION_NOT_FOUND");
    expect(await error(one.send("conversation.subscribe", { conversation_id: 7 }))).toBe("INVALID_REQUEST");
    expect(await respond("none", "a")).toBe("INVALID_QUESTION_ID");
    expect(await respond("t", "z")).toBe("INVALID_ANSWER");
    expect(await respond("t", "a")).toBeUndefined();
    expect(await respond("t", "b")).toBe("DUPLICATE_INPUT_RESPONSE");
    await ask("u");
    await one.send("user.input_cancel", { conversation_id, question_id: "u", reason: "no" });
    expect(await respond("u", "a")).toBe("QUESTION_CLOSED");
    expect(await error(one.send("question_answer", { tool_use_id: "none", answers: { "0": "1" } }))).toBe(
      "INVALID_QUESTION_ID",
    );
    const demo = await session();
    for (const text of ["port", "port"]) await one.send("user.message", { conversation_id: demo, text });
    expect(await error(one.send("user.message", { conversation_id: demo, text: "one too many" }))).toBe(
      "TURN_QUEUE_FULL",
    );
    await one.send("user.interrupt", { conversation_id: demo });
    await one.send("user.interrupt", { conversation_id: demo });
    const flood = await Promise.all(Array.from({ length: 400 }, () => error(one.send("inbox.unsubscribe", {}))));
    expect(flood).toContain("RATE_LIMITED");
    one.close();
  });

  test.each([
    ["twice", "DUPLICATE_QUESTION_ID"],
    ["late", "INPUT_TIMEOUT"],
    ["endless", "RECURSIVE_LIMIT_EXCEEDED"],
  ])("a turn that ends by %s tells its code", async (agent, code) => {
    const conversation_id = await session(agent);
    const watcher = await client({ conversation_id });
    await watcher.send("user.message", { conversation_id, text: "go" });
    const envelope = await watcher.until(({ type }) => type === "error");
    expect(envelope.payload.code).toBe(code);
    watcher.close();
  });

  test("if nobody can answer, the agent's question ends its turn", async () => {
    const conversation_id = await server.hub.createConversation(byAgent(), { agent: "late", interactive: false });
    const watcher = await client({ conversation_id });
    await watcher.send("user.message", { conversation_id, text: "go" });
    expect((await watcher.until(({ type }) => type === "error")).payload.code).toBe("NON_INTERACTIVE");
    watcher.close();
  });

  test("a retry with the same key gets the first reply again", async () => {
    const conversation_id = await session("external");
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    const one = await client();
    const respond = () =>
      one.send("user.input_response", { conversation_id, question_id: "t", answer: "a", idempotency_key: "k" });
    const first = await respond();
    expect(first).toMatchObject({ ok: true, status: "answered" });
    expect(await respond()).toEqual(first);
    one.close();
  });

  test("an internal failure has its code, and its cause is only in the log", async () => {
    const one = await client();
    const send = () => one.send("user.message", { conversation_id: "ses_x", text: "x" });
    const spy = vi.spyOn(server.hub, "sendMessage");
    spy.mockRejectedValueOnce(new ParleyError("storage_unavailable", "The disk is full."));
    expect(await error(send())).toBe("STORAGE_UNAVAILABLE");
    spy.mockRejectedValueOnce(new Error("secret cause"));
    const reply = await send();
    spy.mockRestore();
    expect(reply).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
    expect(JSON.stringify(reply)).not.toContain("secret");
    expect(server.errors.splice(0)).toMatchObject([{ message: "secret cause" }]);
    one.close();
  });

  test("every command is acknowledged, even without input, and bytes are refused", async () => {
    const one = await client();
    for (const command of Object.keys(ClientCommands)) {
      const bare = one.socket.timeout(20_000) as unknown as { emitWithAck: (...given: unknown[]) => Promise<unknown> };
      expect(await bare.emitWithAck(command)).toHaveProperty("ok", command.startsWith("inbox."));
      expect(await bare.emitWithAck(command, Buffer.alloc(500_000))).toMatchObject({
        error: { code: "INVALID_REQUEST" },
      });
    }
    one.close();
  });

  test("a client that has unsubscribed receives nothing more", async () => {
    const conversation_id = await session("external");
    const [gone, there] = await Promise.all([client({ conversation_id }), client({ conversation_id })]);
    expect(await gone.send("conversation.unsubscribe", { conversation_id })).toEqual({ ok: true });
    await there.send("user.message", { conversation_id, text: "Hello" });
    await there.until(({ type }) => type === "user.message");
    // Envelopes arrive in order: nothing came before this one.
    await gone.send("conversation.subscribe", { conversation_id });
    await gone.until(({ type, payload }) => type === "message.replay" && (payload.messages as unknown[]).length === 1);
    expect(gone.envelopes.map(({ type }) => type)).not.toContain("user.message");
    for (const one of [gone, there]) one.close();
  });

  test("the last of several simultaneous subscriptions counts: each message comes once, and nothing is left when the client leaves", async () => {
    const conversation_id = await session("external");
    await expect.poll(() => server.connections().readers).toBe(0);
    const watcher = await client();
    const subscribe = () => watcher.send("conversation.subscribe", { conversation_id, last_sequence: 0 });
    for (const reply of await Promise.all([subscribe(), subscribe(), subscribe()])) expect(reply.ok).toBe(true);
    expect(server.connections().readers).toBe(1);
    await watcher.send("user.message", { conversation_id, text: "Once" });
    await watcher.until(({ type }) => type === "user.message");
    expect(watcher.complaints).toEqual([]);
    void subscribe();
    await watcher.send("conversation.unsubscribe", { conversation_id });
    expect(server.connections().readers).toBe(0);
    await Promise.all([subscribe(), subscribe()]);
    watcher.socket.emit("conversation.subscribe", { conversation_id, last_sequence: 0 }, () => {});
    watcher.close();
    await expect.poll(() => server.connections().readers).toBe(0);
  });

  test("a socket watches at most 200 conversations, even if it subscribes to all at once", async () => {
    const watcher = await client();
    await expect.poll(() => server.connections().readers).toBe(0);
    const subscribe = async () => {
      const conversation_id = await session("external");
      return watcher.send("conversation.subscribe", { conversation_id });
    };
    await Promise.all(Array.from({ length: 200 }, subscribe));
    expect(server.connections().readers).toBe(200);
    // Refused for its speed at first.
    await expect.poll(subscribe).toMatchObject({ error: { message: expect.stringContaining("200 conversations") } });
    expect(server.connections().readers).toBe(200);
    watcher.close();
    await expect.poll(() => server.connections().readers).toBe(0);
  });

  test("a page of a replay has a bounded size, and at least one message", async () => {
    const conversation_id = await session("external");
    for (const size of [60_000, 60_000, 10, 90_000])
      await server.hub.sendMessage(byPerson(), conversation_id, "x".repeat(size));
    const pages: number[] = [];
    for (let after = 0; after < 4; ) {
      const { messages } = await server.hub.readMessages(byPerson(), { conversation_id, after, bytes: 80_000 });
      expect(messages[0]?.parentUuid === null).toBe(after === 0);
      pages.push(messages.length);
      after = messages.at(-1)?.sequence_num ?? 4;
    }
    expect(pages).toEqual([1, 2, 1]);
    expect((await server.hub.readMessages(byPerson(), { conversation_id, after: 4, bytes: 80_000 })).messages).toEqual(
      [],
    );
  });

  test("an inbox that cannot be read is not watched", async () => {
    const [refused, other] = await Promise.all([client(), client()]);
    const spy = vi.spyOn(server.hub, "openItems");
    spy.mockRejectedValueOnce(new ParleyError("storage_unavailable", "The disk is full."));
    expect(await error(refused.send("inbox.subscribe", {}))).toBe("STORAGE_UNAVAILABLE");
    spy.mockRestore();
    await other.send("inbox.subscribe", {});
    await server.hub.ask(byAgent(), { tool_use_id: "t", ...CHOICE });
    await other.until(({ type }) => type === "inbox.changed");
    // Commands are answered in order: nothing came before this.
    await refused.send("inbox.unsubscribe", {});
    expect(refused.envelopes).toEqual([]);
    for (const one of [refused, other]) one.close();
  });

  test.each(["polling", "websocket"])("another protocol is refused with its code, by %s", async (transport) => {
    for (const protocol of ["v1", ""])
      expect(await connectError(server.url, transport, protocol)).toBe("PROTOCOL_VERSION_UNSUPPORTED");
    await expect.poll(() => server.connections().sockets).toBe(0);
  });

  test("pages of other sites get no socket, and no other path serves one", async () => {
    const foreign: Array<Record<string, string>> = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { host: "evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    ];
    for (const headers of foreign)
      for (const place of ["", "x"])
        expect(await refusal(server.url, { protocol: "v2" }, headers, place)).toBe("FORBIDDEN");
    expect(await refusal(server.url, { protocol: "v2" }, {}, "x")).toBe("NOT_FOUND");
    expect(await refusal(server.url, { protocol: "v2" })).toBeUndefined();
  });

  test("server-sent events carry the same envelopes, and continue where they broke off", async () => {
    const conversation_id = await session("external");
    /** Reads until an event of this type, and that one with it. */
    const read = async (last: string | undefined, until: string) => {
      const stop = new AbortController();
      const response = await fetch(`${server.url}/api/sessions/${conversation_id}/events`, {
        headers: last ? { "last-event-id": last } : {},
        signal: stop.signal,
      });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      let text = "";
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const events = () =>
        text
          .split("\n\n")
          .flatMap((event) =>
            (/^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(event)?.slice(1) ?? []).length
              ? [/^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(event)?.slice(1) as string[]]
              : [],
          );
      while (!events().some(([, type]) => type === until)) text += (await reader?.read())?.value ?? "";
      stop.abort();
      return events();
    };
    await expect.poll(() => server.connections().readers).toBe(0);
    const reading = read(undefined, "question.answered");
    await expect.poll(() => server.connections().readers).toBe(1);
    await server.hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    await server.hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" });
    const events = await reading;
    expect(events.map(([, type]) => type)).toEqual(
      expect.arrayContaining(["conversation.state", "message.replay", "assistant.request_input", "question.answered"]),
    );
    const [asked] = events.find(([, type]) => type === "assistant.request_input") ?? [];
    const rest = await read(asked, "message.replay");
    const replay = JSON.parse(rest.find(([, type]) => type === "message.replay")?.[2] ?? "{}");
    expect(replay.payload.messages.map(({ type }: { type: string }) => type)).toEqual(["tool_result"]);
    expect((await fetch(`${server.url}/api/sessions/ses_none/events`)).status).toBe(404);
  });
});

test("sockets can be turned off", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { sockets: false });
  for (const transport of ["polling", "websocket"])
    expect(await connectError(server.url, transport)).toBe("CHAT_PROTOCOL_DISABLED");
  await server.stop();
  await database.drop();
});

test("each client has its own limit of sockets, and one more is refused with its code", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { socketsPerClient: 2 });
  const clients = await Promise.all([1, 2].map(() => new TestClient(server.url).connected()));
  for (const transport of ["polling", "websocket"])
    expect(await connectError(server.url, transport)).toBe("RATE_LIMITED");
  for (const client of clients) client.close();
  await expect.poll(() => server.connections().sockets).toBe(0);
  expect(await connectError(server.url, "websocket")).toBeUndefined();
  await server.stop();
  await database.drop();
});

test("if so configured, the agent stops when the last browser leaves", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, {
    stopOnDisconnect: true,
    agents: [createDemo({ wordsPerSecond: 5_000 })],
  });
  const conversation_id = await server.hub.createConversation(byAgent(), { agent: "demo" });
  const watcher = await new TestClient(server.url, { conversation_id }).connected();
  await watcher.send("user.message", { conversation_id, text: "port" });
  await watcher.until((envelope) => envelope.type === "assistant.request_input");
  watcher.close();
  await expect.poll(async () => (await server.hub.readState(byPerson(), conversation_id)).status).toBe("interrupted");
  await server.stop();
  await database.drop();
});

test.each(ABOVE_SQL)("in a team on %s: who is there, who has it, and who must sign in", async (kind) => {
  const database = await testDatabase(kind);
  onTestFinished(database.drop);
  const server = await testServer(database.url);
  onTestFinished(server.stop);
  const admin = await setUp(server);
  const mei = await join(server, admin, "Mei");
  const space_id = await newSpace(admin, "Production", { open: true, requires_second_person: true });
  expect(await connectError(server.url, "websocket")).toBe("UNAUTHORIZED");
  const connect = async ({ headers }: typeof mei) => {
    const one = await new TestClient(server.url, {}, { extraHeaders: headers }).connected();
    onTestFinished(() => void one.socket.disconnect());
    return one;
  };
  const [adas, meis] = [await connect(admin), await connect(mei)];
  const asked = await (await agentKey(server, mei, "deployer", space_id)).post("/api/asks", {
    tool_use_id: "t",
    question_id: "q",
    ...CHOICE,
  });
  const { session_id: conversation_id, inbox_item_id } = (
    asked.body as unknown as { ask: { session_id: string; inbox_item_id: string } }
  ).ask;
  const at = { conversation_id, tool_use_id: "t" };
  const people = () =>
    adas.envelopes.flatMap(({ type, payload }) => (type === "presence.changed" ? [payload.people] : [])).at(-1);

  expect(await meis.send("presence.set", { ...at, state: "looking" })).toEqual({ ok: true });
  await vi.waitFor(() => expect(people()).toMatchObject([{ name: "Mei", state: "looking" }]), PATIENCE);
  await meis.send("presence.set", { ...at, state: "typing" });
  await vi.waitFor(() => expect(people()).toMatchObject([{ name: "Mei", state: "typing" }]), PATIENCE);
  // A socket that is opened later learns it too.
  const later = await connect(admin);
  await vi.waitFor(
    () =>
      expect(later.envelopes.filter(({ type }) => type === "presence.changed")).toMatchObject([
        { conversation_id, payload: { tool_use_id: "t", people: [{ name: "Mei", state: "typing" }] } },
      ]),
    PATIENCE,
  );
  later.socket.disconnect();
  const answer = { conversation_id, question_id: "q", answer: "a" };
  expect(await meis.send("user.input_response", answer)).toMatchObject({ error: { code: "SECOND_PERSON_REQUIRED" } });
  await mei.post("/api/inbox/claim", { inbox_item_ids: [inbox_item_id] });
  expect(await adas.send("user.input_response", answer)).toMatchObject({ error: { code: "CLAIMED" } });
  meis.socket.disconnect();
  await vi.waitFor(() => expect(people()).toEqual([]), PATIENCE);
  expect(await adas.send("user.input_response", { ...answer, take_over: true })).toMatchObject({ ok: true });

  // A draft follows its person, and nobody else.
  const draft = { session_id: conversation_id, tool_use_id: "t" };
  const value = { draft: { q: { text: "half an answer" } } };
  expect((await mei.post("/api/me/drafts", { ...draft, value })).status).toBe(200);
  const query = new URLSearchParams(draft);
  expect((await mei.get(`/api/me/drafts?${query}`)).body).toMatchObject({ value });
  expect((await admin.get(`/api/me/drafts?${query}`)).body).toMatchObject({ value: null });
  expect((await mei.post("/api/me/drafts", { ...draft, value: "x".repeat(70_000) })).status).toBe(400);
  await mei.post("/api/me/drafts", { ...draft, value: null });
  expect((await mei.get(`/api/me/drafts?${query}`)).body).toMatchObject({ value: null });
});

/** Codes that no socket ever gets, and why. */
const NEVER: Partial<Record<ErrorCode, string>> = {
  method_not_allowed: "a socket has no methods",
  confirm_required: "what needs a recent proof of who someone is goes over REST",
  token_invalid: "links and codes are used over REST",
  idempotency_conflict: "no ask is made and no content hash given over a socket; a key sent again gets the first reply",
  payload_too_large: "a packet over the limit ends the connection; a text over its own is invalid_request",
};

test("the clients above sent every command, and received every type of event and every code", () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !(code in NEVER));
  expect([...exercised.commands].sort()).toEqual(Object.keys(ClientCommands).sort());
  expect([...exercised.types].sort()).toEqual([...ServerEventType.options].sort());
  expect([...exercised.codes].sort()).toEqual(codes.map((code) => ERRORS[code].socket as string).sort());
});
