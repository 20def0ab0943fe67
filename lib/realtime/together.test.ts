import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createDemo } from "../agents/demo/demo.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson } from "../hub/test-hub.ts";
import type { AskView } from "../protocol/ask.ts";
import type { MessageView } from "../protocol/message.ts";
import { TestClient } from "./test-client.ts";

const QUEUE = 8;
const ROUNDS = 12;

/** Streams one word and says no more until it is stopped. */
const endless: Agent = {
  name: "endless",
  about: "",
  run: (run) => run.text(forever(run.signal)),
};

async function* forever(signal: AbortSignal): AsyncGenerator<string> {
  yield "working";
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

describe.each(ABOVE_SQL)("several people in one conversation, on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    const agents = [createDemo({ wordsPerSecond: 2_000 }), endless];
    server = await testServer(database.url, { agents, maxQueue: QUEUE, limits: { maxDepth: 1_000 } });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    expect(server.errors).toEqual([]);
  });

  async function meet(agent: string) {
    const conversation_id = await server.hub.createConversation(byAgent(), { agent });
    const [ann, bob] = await Promise.all([join(conversation_id, "ann"), join(conversation_id, "bob")]);
    const say = (who: TestClient, text: string) => who.send("user.message", { conversation_id, text });
    const stop = (who: TestClient) => who.send("user.interrupt", { conversation_id });
    const state = () => server.hub.readState(byPerson(), conversation_id);
    return { conversation_id, ann, bob, say, stop, state };
  }

  async function join(conversation_id: string, name: string): Promise<TestClient> {
    const client = await new TestClient(server.url, { conversation_id, name }).connected();
    await client.until(({ type, payload }) => type === "message.replay" && payload.done === true);
    return client;
  }

  /** Reads by cursor, as a program does, until it has what `until` wants. */
  async function readByRest(id: string, until: (thread: MessageView[]) => boolean): Promise<MessageView[]> {
    const thread: MessageView[] = [];
    while (!until(thread)) {
      const path = `${server.url}/api/sessions/${id}/messages?after=${thread.length}&limit=3`;
      thread.push(...((await (await fetch(path)).json()) as { messages: MessageView[] }).messages);
    }
    return thread;
  }

  /** Both sockets and the rows agree, message for message, and no socket saw a gap or a double. */
  async function sameThread(id: string, ...clients: TestClient[]): Promise<MessageView[]> {
    const { messages } = await server.hub.readMessages(byPerson(), { conversation_id: id, limit: 1_000 });
    for (const client of clients) {
      await expect.poll(() => client.last).toBe(messages.length);
      expect([...client.thread.values()]).toEqual(messages);
      expect(client.complaints).toEqual([]);
    }
    return messages;
  }

  test("while the agent runs, two people send and answer, and a program reads: all have the same thread in the same order", async () => {
    const { conversation_id, ann, bob, say } = await meet("demo");
    const completes = (thread: MessageView[]) => thread.filter(({ type }) => type === "complete").length;
    const reading = readByRest(conversation_id, (thread) => completes(thread) === 3);
    const wins = { ann: 0, bob: 0 };
    const open = new Map<string, AskView>();
    for (const client of [ann, bob])
      client.socket.on("assistant.request_input", ({ payload }) => {
        const ask = payload.ask;
        const isFirst = !open.has(ask.tool_use_id);
        open.set(ask.tool_use_id, ask);
        if (isFirst) void both(ask);
      });
    const losers: string[] = [];
    let rounds = 0;
    /** Both answer each question at once: one wins, and the other is refused. */
    const both = async (ask: AskView) => {
      const isPort = ask.questions[0]?.type === "text";
      // The order of the messages is a race, so only the rounds are counted.
      if (!isPort) rounds++;
      const answer = isPort ? "8080" : [rounds < ROUNDS ? "One more multi-select" : "Print a smiley"];
      const input = { conversation_id, question_id: ask.tool_use_id, answer };
      const order = open.size % 2 === 0 ? ([ann, bob] as const) : ([bob, ann] as const);
      const replies = await Promise.all(order.map((client) => client.send("user.input_response", input)));
      for (const [index, reply] of replies.entries()) {
        if (reply.ok) wins[order[index] === ann ? "ann" : "bob"]++;
        else losers.push(reply.error.code);
      }
    };
    // Only now: the first question may come before the replies to these.
    const sent = await Promise.all([say(ann, "rounds"), say(bob, "port"), say(ann, "port")]);
    expect(sent.map((reply) => reply.ok && reply.status).sort()).toEqual(["queued", "queued", "running"]);

    const read = await reading;
    const messages = await sameThread(conversation_id, ann, bob);
    expect(read).toEqual(messages.slice(0, read.length));
    expect(completes(messages)).toBe(3);
    expect(open.size).toBe(ROUNDS + 2);
    await expect.poll(() => losers.length).toBe(open.size);
    expect(new Set(losers)).toEqual(new Set(["DUPLICATE_INPUT_RESPONSE"]));
    expect(wins.ann + wins.bob).toBe(open.size);
    for (const client of [ann, bob]) client.close();
  });

  test("of two simultaneous messages one starts and one waits, in the same order for everyone", async () => {
    const { conversation_id, ann, bob, say, stop } = await meet("endless");
    for (let n = 0; n < 10; n++) {
      const sent = await Promise.all([say(ann, `ann ${n}`), say(bob, `bob ${n}`)]);
      expect(sent.map((reply) => reply.ok && reply.status).sort()).toEqual(["queued", "running"]);
      for (const _ of sent) expect(await stop(ann)).toMatchObject({ interrupted: true });
    }
    const messages = await sameThread(conversation_id, ann, bob);
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => String(content.text));
    for (let n = 0; n < 10; n++) expect(said.slice(2 * n, 2 * n + 2).sort()).toEqual([`ann ${n}`, `bob ${n}`]);
    for (const client of [ann, bob]) client.close();
  });

  test("an agent stopped while it streams leaves no unfinished block, and the others see that it stopped", async () => {
    const { conversation_id, ann, bob, say, stop, state } = await meet("endless");
    await say(ann, "go");
    await bob.until(({ type, payload }) => type === "assistant.chunk" && payload.delta === "working");
    expect((await state()).status).toBe("streaming");
    // A person sends a message and another client joins: the unfinished block is still there.
    await say(bob, "later");
    const late = await join(conversation_id, "late");
    await expect.poll(() => late.streaming).toBe("working");
    for (const { type, payload } of late.envelopes)
      if (type === "conversation.state") expect(payload.streaming).toMatchObject({ text: "working" });
    late.close();
    await stop(ann);
    expect(await stop(bob)).toMatchObject({ ok: true, interrupted: true });
    await ann.until(({ type }) => type === "conversation.interrupted");
    expect((await state()).status).toBe("interrupted");
    expect(await stop(bob)).toMatchObject({ ok: true, interrupted: false });
    const messages = await sameThread(conversation_id, ann, bob);
    expect(messages.map(({ type, role }) => `${role} ${type}`)).toEqual([
      "user text",
      "user text",
      "system info",
      "system info",
    ]);
    for (const client of [ann, bob]) client.close();
  });

  test("an agent stopped while it waits has its question cancelled, and the next queued message starts", async () => {
    const { conversation_id, ann, bob, say, stop, state } = await meet("demo");
    await say(ann, "port");
    await bob.until(({ type }) => type === "assistant.request_input");
    expect(await say(bob, "port")).toMatchObject({ status: "queued" });
    expect(await state()).toMatchObject({ status: "waiting_input", queued: 1 });
    await stop(ann);
    const cancelled = await bob.until(({ type }) => type === "question.cancelled");
    expect(cancelled.payload).toMatchObject({ decided_by: { name: "ann" } });
    await bob.until(({ type, payload }) => type === "assistant.request_input" && payload.round === 2);
    expect(await state()).toMatchObject({ status: "waiting_input", queued: 0 });
    const question_id = (await state()).pending[0]?.tool_use_id;
    await ann.send("user.input_response", { conversation_id, question_id, answer: "8080" });
    await bob.until(({ type }) => type === "assistant.complete");
    await sameThread(conversation_id, ann, bob);
    for (const client of [ann, bob]) client.close();
  });

  test("a full queue refuses the next message, keeps the others in order, and accepts one more when one starts", async () => {
    const { conversation_id, ann, bob, say, stop, state } = await meet("endless");
    await say(ann, "0");
    for (let n = 1; n <= QUEUE; n++)
      expect(await say(n % 2 ? bob : ann, String(n))).toMatchObject({ status: "queued" });
    for (const who of [ann, bob])
      expect(await say(who, "one too many")).toMatchObject({ ok: false, error: { code: "TURN_QUEUE_FULL" } });
    await stop(ann);
    expect(await say(bob, String(QUEUE + 1))).toMatchObject({ status: "queued" });
    for (let left = QUEUE; left >= 0; left--) {
      expect((await state()).queued).toBe(left);
      expect(await stop(bob)).toMatchObject({ interrupted: true });
    }
    expect(await state()).toMatchObject({ status: "interrupted", queued: 0 });
    const messages = await sameThread(conversation_id, ann, bob);
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => content.text);
    expect(said).toEqual(Array.from({ length: QUEUE + 2 }, (_, n) => String(n)));
    for (const client of [ann, bob]) client.close();
  });
});
