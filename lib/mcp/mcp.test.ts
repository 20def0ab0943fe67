import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { ERAS, movedClient, type TestClient, testClient } from "./test-clients.ts";
import { countHeldCalls } from "./test-held-calls.ts";

const CHOICE = {
  question_text: "Which way?",
  type: "multiple_choice",
  options: [
    { id: "a", label: "A" },
    { id: "b", label: "B" },
  ],
};
const QUESTIONS = {
  questions: [
    { question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
  ],
};
/** Waits so short that no test has to. */
const PATIENCE = { progressMs: 60, silentMs: 250 };
const until = async <Value>(look: () => Promise<Value | undefined>): Promise<Value> => {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(10);
  }
};

describe.each(ABOVE_SQL.flatMap((kind) => ERAS.map((era) => [kind, era] as const)))(
  "MCP on %s, protocol %s",
  (kind, era) => {
    let database: TestDatabase;
    let server: TestServer;
    let agent: TestClient;
    beforeEach(async () => {
      database = await testDatabase(kind);
      server = await testServer(database.url, { patience: PATIENCE });
      agent = await testClient(era, server.url);
    });
    afterEach(async () => {
      await agent.close();
      await server.stop();
      await database.drop();
      expect(server.errors).toEqual([]);
    });

    const rest = () => createClient({ url: server.url });
    const open = async () => (await rest().call("inbox", {})).items;
    const firstOpen = () => until(async () => (await open())[0]);
    const answer = async (value: string) => {
      const { session_id, tool_use_id } = await firstOpen();
      await rest().call("answer", { body: { session_id, tool_use_id, answers: { "0": value } } });
    };

    test("is spoken in this protocol, and lists its tools with complete schemas", async () => {
      expect(agent.protocol()).toBe(era);
      const tools = await agent.tools();
      expect(tools.map((tool) => tool.name)).toEqual([
        "ask_user_question",
        "wait_for_answer",
        "get_answer",
        "cancel_question",
        "list_skills",
      ]);
      for (const tool of tools) {
        expect(tool).toMatchObject({
          title: expect.any(String),
          inputSchema: { type: "object" },
          outputSchema: { type: "object" },
          annotations: { openWorldHint: true },
        });
      }
      const asking = tools[0]?.inputSchema as { properties: Record<string, unknown> };
      expect(Object.keys(asking.properties)).toEqual(
        expect.arrayContaining(["questions", "question_text", "session_id", "requested_assignee"]),
      );
      // A list of types is what strict validators complain about.
      expect(JSON.stringify(tools)).not.toContain('"type":[');
      expect(agent.instructions()).toContain("call ask_user_question");
      expect(tools[0]?.description).toMatch(/When not to ask: .*recommend first/s);
      expect(tools[0]?._meta).toEqual({ "anthropic/alwaysLoad": true });
    });

    test("a call blocks until someone answers, in both shapes and under every name", async () => {
      for (const [name, input, text] of [
        ["ask_user_question", QUESTIONS, 'User has answered your questions: "Which database?"="PostgreSQL". You can'],
        ["AskUserQuestion", CHOICE, '"answer":"b"'],
      ] as const) {
        const [result] = await Promise.all([agent.call(name, input, { onprogress: () => {} }), answer("2")]);
        expect(result.text).toContain(text);
        expect(result.reply).toMatchObject({
          status: "answered",
          result: { outcome: "answered", decided_by: { kind: "person", surface: "rest" } },
        });
        const { session_id = "", tool_use_id = "" } = result.reply ?? {};
        const { ask } = await rest().call("readAsk", { params: { tool_use_id }, query: { session_id } });
        expect(ask.asked_by).toEqual({ kind: "agent", name: "test", surface: "mcp" });
      }
    });

    test("a caller with a token gets progress for as long as it waits", async () => {
      let progress = 0;
      const asking = agent.call("ask_user_question", CHOICE, { onprogress: () => progress++ });
      await until(async () => (progress >= 6 ? true : undefined));
      await answer("1");
      expect((await asking).reply?.status).toBe("answered");
    });

    test("progress and a pending reply tell of a new deadline; a reply in words is no error", async () => {
      const told: string[] = [];
      const onprogress = ({ message = "" }: { message?: string | undefined }) => told.push(message);
      const asking = agent.call(
        "ask_user_question",
        { ...CHOICE, irreversible: true, timeout_s: 3_600 },
        { onprogress },
      );
      const { session_id, tool_use_id, irreversible, deadline_at: before } = await firstOpen();
      expect(irreversible).toBe(true);
      await until(async () => (told.some((message) => message.endsWith(`until ${before})`)) ? true : undefined));
      const { ask } = await rest().call("extend", { body: { session_id, tool_use_id, timeout_s: 7_200 } });
      await until(async () => (told.some((one) => one.endsWith(`until ${ask.deadline_at})`)) ? true : undefined));
      const pending = await agent.call("get_answer", { session_id, tool_use_id });
      expect(pending.reply).toMatchObject({ status: "pending", deadline_at: ask.deadline_at });
      await rest().call("reply", { body: { session_id, tool_use_id, text: "Neither: explain." } });
      const { reply, isError } = await asking;
      expect(isError ?? false).toBe(false);
      expect(reply).toMatchObject({ status: "replied", result: { reply: "Neither: explain.", answers: [] } });
    });

    test("a caller without one is sent to wait_for_answer, which gets the answer", async () => {
      const pending = await agent.call("ask_user_question", CHOICE);
      expect(pending.reply?.status).toBe("pending");
      const { session_id, tool_use_id } = pending.reply ?? {};
      expect(pending.text).toContain(`Call wait_for_answer with ${JSON.stringify({ session_id, tool_use_id })}`);
      const of = { session_id, tool_use_id };
      expect((await agent.call("get_answer", of)).reply?.status).toBe("pending");
      const wait = async () => {
        const waited = await agent.call("wait_for_answer", of);
        return waited.reply?.status === "pending" ? undefined : waited;
      };
      const [waited] = await Promise.all([until(wait), answer("2")]);
      expect(waited.reply).toMatchObject({ status: "answered", result: { answers: [{ option_ids: ["b"] }] } });
      expect((await agent.call("get_answer", of)).reply).toEqual(waited.reply);
      expect(await open()).toEqual([]);
    });

    test("an aborted call cancels nothing, and finds its question and the answer when sent again", async () => {
      const meta = { "claudecode/toolUseId": "toolu_1" };
      const gone = new AbortController();
      const held = countHeldCalls(server.hub);
      const asking = agent.call("ask_user_question", QUESTIONS, { meta, signal: gone.signal, onprogress: () => {} });
      const { tool_use_id } = await firstOpen();
      expect(tool_use_id).toBe("toolu_1");
      gone.abort();
      await expect(asking).rejects.toThrow();
      await until(async () => (held() === 0 ? true : undefined));
      expect(await open()).toHaveLength(1);
      await answer("1");
      const again = await agent.call("ask_user_question", QUESTIONS, { meta });
      expect(again.reply).toMatchObject({ status: "answered", tool_use_id: "toolu_1" });
      expect(await open()).toEqual([]);
    });

    test("an id that the client adds is cleaned like any text, and ignored if it cannot be one", async () => {
      const ids = ["a\u0000b", "a\ud83d", "__proto__", "..", "x".repeat(201)];
      const asked = ids.map((id, nth) => {
        const input = { ...CHOICE, question_text: `Which way at ${nth}?` };
        return agent.call("ask_user_question", input, { meta: { "claudecode/toolUseId": id } });
      });
      const names = (await Promise.all(asked)).map(({ reply }) => reply?.tool_use_id);
      const made = expect.stringMatching(/^(toolu|ask)_/);
      expect(names).toEqual(["ab", "a\ufffd", made, made, made]);
    });

    test("a client that gives up and asks again in its thread finds its first card, and any answer since", async () => {
      const held = countHeldCalls(server.hub);
      // A session of the older protocols is a thread; in the newer one, a client names its own.
      const thread = era === "2025-11-25" ? {} : { threadId: randomUUID() };
      const giveUp = async () => {
        const gone = new AbortController();
        const meta = { "claudecode/toolUseId": randomUUID(), ...thread };
        const asking = agent.call("ask_user_question", QUESTIONS, { meta, signal: gone.signal, onprogress: () => {} });
        await until(async () => (server.hub.waiting() === 1 ? true : undefined));
        gone.abort();
        await expect(asking).rejects.toThrow();
        await until(async () => (held() === 0 ? true : undefined));
      };
      await giveUp();
      await giveUp();
      expect(await open()).toHaveLength(1);
      await answer("2");
      const late = await agent.call("ask_user_question", QUESTIONS, { meta: thread });
      expect(late.text).toContain('"Which database?"="PostgreSQL"');
      // It has its answer, so its next ask is a new question.
      const next = await agent.call("ask_user_question", QUESTIONS, { meta: thread });
      expect(next.reply).toMatchObject({ status: "pending", session_id: late.reply?.session_id, round: 2 });
    });

    test("two projects ask the same words with the same program, and the first is killed: two cards", async () => {
      const held = countHeldCalls(server.hub);
      const gone = new AbortController();
      const asking = agent.call("ask_user_question", CHOICE, { signal: gone.signal, onprogress: () => {} });
      const { session_id, tool_use_id } = await firstOpen();
      gone.abort();
      await expect(asking).rejects.toThrow();
      await until(async () => (held() === 0 ? true : undefined));
      const other = await testClient(era, server.url);
      const theirs = other.call("ask_user_question", CHOICE, { onprogress: () => {} });
      const cards = await until(async () => ((await open()).length === 2 ? open() : undefined));
      expect(new Set(cards.map((card) => card.session_id)).size).toBe(2);
      await rest().call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
      const card = await firstOpen();
      const { session_id: own, tool_use_id: id } = card;
      await rest().call("answer", { body: { session_id: own, tool_use_id: id, answers: { "0": "2" } } });
      expect((await theirs).reply).toMatchObject({ tool_use_id: id, result: { answers: [{ option_ids: ["b"] }] } });
      await other.close();
    });

    test("a thread that the client names stays the same over every connection", async () => {
      const other = await testClient(era, server.url);
      const ask = (client: TestClient, threadId: string) =>
        client.call("ask_user_question", CHOICE, { meta: { threadId } });
      const first = await ask(agent, "one");
      expect((await ask(other, "one")).reply).toEqual(first.reply);
      expect((await ask(agent, "two")).reply?.session_id).not.toBe(first.reply?.session_id);
      expect(await open()).toHaveLength(2);
      await other.close();
    });

    test("a question asked twice on purpose at the same time is two questions", async () => {
      const calls = [1, 2].map(() => agent.call("ask_user_question", CHOICE, { onprogress: () => {} }));
      await until(async () => ((await open()).length === 2 ? true : undefined));
      await answer("1");
      await until(async () => ((await open()).length === 1 ? true : undefined));
      await answer("2");
      const answers = (await Promise.all(calls)).map(({ reply }) => reply?.result?.answers[0]?.option_ids[0]);
      expect(answers.toSorted()).toEqual(["a", "b"]);
    });

    test("the same call many times at once is asked once, and all get its answer", async () => {
      for (const [input, meta] of [
        [{ ...CHOICE, idempotency_key: "k" }, {}],
        [CHOICE, { "claudecode/toolUseId": "t" }],
      ]) {
        const calls = Array.from({ length: 12 }, () =>
          agent.call("ask_user_question", { ...input }, { meta: { ...meta }, onprogress: () => {} }),
        );
        await until(async () => (server.hub.waiting() > 0 ? true : undefined));
        await sleep(100);
        expect(await open()).toHaveLength(1);
        await answer("1");
        const asks = new Set((await Promise.all(calls)).map(({ reply }) => JSON.stringify(reply)));
        expect(asks.size).toBe(1);
      }
    });

    test("a question outlives the server that was asked", async () => {
      const meta = { "claudecode/toolUseId": "toolu_2" };
      const asking = agent.call("ask_user_question", QUESTIONS, { meta, onprogress: () => {} });
      await firstOpen();
      await server.stop();
      expect((await asking).text).toContain("Call wait_for_answer");
      server = await testServer(database.url, { patience: PATIENCE });
      agent = await movedClient(agent, era, server.url);
      const [again] = await Promise.all([
        agent.call("ask_user_question", QUESTIONS, { meta, onprogress: () => {} }),
        answer("2"),
      ]);
      expect(again.reply).toMatchObject({ status: "answered", tool_use_id: "toolu_2" });
      expect((await rest().call("inbox", { query: { status: "all" } })).items).toHaveLength(1);
    });

    test("a question can be cancelled with a reason, and its result says so", async () => {
      const { reply } = await agent.call("ask_user_question", CHOICE);
      const of = { session_id: reply?.session_id, tool_use_id: reply?.tool_use_id };
      const cancelled = await agent.call("cancel_question", { ...of, reason: "found it" });
      expect(cancelled.reply?.result).toMatchObject({ outcome: "cancelled", reason: "found it" });
      expect((await agent.call("wait_for_answer", of)).text).toBe(
        "The question was cancelled by test: found it. No answer was given.",
      );
    });

    test("a page of another site gets nothing, and no HTML form can ask", async () => {
      const params = { name: "ask_user_question", arguments: CHOICE };
      const post = (headers: Record<string, string>) =>
        fetch(`${server.url}/mcp`, {
          method: "POST",
          headers: { accept: "application/json, text/event-stream", ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        }).then(({ status }) => status);
      const json = { "content-type": "application/json" };
      expect(await post({ ...json, origin: "http://evil.example" })).toBe(403);
      expect(await post({ ...json, "sec-fetch-site": "cross-site" })).toBe(403);
      expect(await post({ "content-type": "text/plain" })).toBe(415);
      expect(await open()).toEqual([]);
    });

    test("refusals are results that say what is wrong, with every problem by path", async () => {
      const bad = { questions: [{ question: "", header: "h", options: [] }] };
      const refused = await agent.call("ask_user_question", bad);
      expect(refused).toMatchObject({ isError: true, reply: undefined });
      expect(refused.text).toBe(
        "invalid_request:\n- questions[0].question: must not be empty\n- questions[0].options: needs at least 1 option",
      );
      expect((await agent.call("get_answer", { session_id: "ses_none", tool_use_id: "x" })).text).toMatch(
        /^session_not_found: /,
      );
      await expect(agent.call("drop_table", {})).rejects.toThrow("There is no tool drop_table");
      expect(await open()).toEqual([]);
    });
  },
);
