import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../db/test-databases.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Hub } from "./hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, PERSON, testHub } from "./test-hub.ts";

describe.each(DATABASES)("the hub on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  beforeEach(() => {
    hub = testHub(database.db);
  });
  afterEach(() => hub.stop());

  const session = () => hub.createConversation(byAgent(), {});
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => "taken",
      (error) => error.code,
    );

  test("an agent asks and waits, a person answers, the agent continues; the record says who, where and when", async () => {
    const conversation_id = await session();
    const ask = await hub.ask(byAgent(1_000), { conversation_id, tool_use_id: "t", total_rounds: 3, ...CHOICE });
    expect(ask).toMatchObject({ round: 1, status: "pending", sequence_num: 1 });
    const waiting = hub.wait(byAgent(), { conversation_id, tool_use_id: "t", seconds: 50 });
    await hub.answer(byPerson(2_000), { conversation_id, question_id: "t", answer: "b", notes: "sure" });
    const { result, decided_at } = await waiting;
    expect(result).toMatchObject({
      outcome: "answered",
      decided_by: { kind: "person", name: "ann", surface: "browser" },
    });
    expect(decided_at).toBe(2_000);

    const state = await hub.readConversation(byPerson(), conversation_id);
    expect(state).toMatchObject({ status: "active", current_round: 1, total_rounds: 3, pending: [], last_sequence: 2 });
    expect(state.dialog_history).toMatchObject([{ round: 1, question: "Which way?", answer: "B", status: "answered" }]);
    const { events } = await hub.audit(byPerson(), { conversation_id, question_id: "t" });
    expect(events.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["ask.created", "builder"],
      ["question.answered", "ann"],
    ]);
    expect(events[1]).toMatchObject({ before: { status: "pending" }, after: { status: "answered" } });
  });

  test("the time at which an agent pushed its question is kept, but is not part of the question", async () => {
    const conversation_id = await session();
    const { question_text, ...rest } = CHOICE;
    const question = { question_id: "q", question_text, ...rest };
    const push = (timestamp: string) =>
      hub.ask(byAgent(), { conversation_id, type: "ask_user_question", tool_use_id: "t", timestamp, question });
    const first = await push("2026-02-19T10:00:00.000Z");
    expect(first.input.timestamp).toBe("2026-02-19T10:00:00.000Z");
    expect(await push("2026-02-19T10:00:05.000Z")).toEqual(first);
  });

  test("a correct question id with the id of another conversation reveals nothing", async () => {
    const [mine, theirs] = [await session(), await session()];
    await hub.ask(byAgent(), {
      conversation_id: theirs,
      tool_use_id: "secret_1",
      ...CHOICE,
      question_text: "The secret question?",
    });
    const attempts = [
      () => hub.answer(byPerson(), { conversation_id: mine, question_id: "secret_1", answer: "a" }),
      () => hub.cancel(byPerson(), { conversation_id: mine, tool_use_id: "secret_1" }, "x"),
      () => hub.readAsk(byPerson(), { conversation_id: mine, tool_use_id: "secret_1" }),
      () => hub.audit(byPerson(), { conversation_id: mine, question_id: "secret_1" }),
    ];
    for (const attempt of attempts) {
      const error = await attempt().then(
        () => undefined,
        (reason) => reason,
      );
      expect(error?.code).toBe("question_not_found");
      expect(JSON.stringify([error?.message, error?.details])).not.toContain("secret question");
    }
    expect(
      await code(hub.answer(byPerson(), { conversation_id: "ses_none", question_id: "secret_1", answer: "a" })),
    ).toBe("session_not_found");
    expect((await hub.readConversation(byPerson(), theirs)).pending).toHaveLength(1);
  });

  test("asks with the same session key share a conversation, even if the first ones are concurrent", async () => {
    const keyed = (tool_use_id: string, session_key: string, agent = "builder") =>
      hub.ask(byAgent(), { tool_use_id, session_key, agent, title: "One session", ...CHOICE });
    const asks = await Promise.all(["k1", "k2", "k3", "k1"].map((id) => keyed(id, "run 7")));
    const [id] = asks.map(({ conversation_id }) => conversation_id);
    expect(new Set(asks.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    await hub.stop();
    hub = testHub(database.db);
    expect(await keyed("k4", "run 7")).toMatchObject({ conversation_id: id, round: 4 });
    expect((await keyed("k4", "run 7")).round).toBe(4);
    expect(await hub.readConversation(byPerson(), String(id))).toMatchObject({ title: "One session", pending_asks: 4 });
    for (const other of [await keyed("k5", "run 8"), await keyed("k6", "run 7", "other")]) {
      expect(other).toMatchObject({ round: 1 });
    }
  });

  test("repeating an ask finds the first one, pending or settled; another body is a conflict", async () => {
    const conversation_id = await session();
    const request = { conversation_id, tool_use_id: "t", idempotency_key: "k", ...CHOICE };
    const first = await hub.ask(byAgent(), request);
    expect((await hub.ask(byAgent(), { ...request })).inbox_item_id).toBe(first.inbox_item_id);
    await hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" });
    expect((await hub.ask(byAgent(), request)).result?.outcome).toBe("answered");
    expect(await code(hub.ask(byAgent(), { ...request, question_text: "Another?" }))).toBe("idempotency_conflict");
    const { tool_use_id: _, ...byKey } = request;
    expect((await hub.ask(byAgent(), byKey)).tool_use_id).toBe("t");
    const other = testHub(database.db);
    expect((await other.ask(byAgent(), request)).result?.outcome).toBe("answered");
    await other.stop();
  });

  test("an ask without a conversation creates one, and its key finds it again", async () => {
    const request = { idempotency_key: `k-${kind}`, ...CHOICE };
    const [first, again] = await Promise.all([hub.ask(byAgent(), request), hub.ask(byAgent(), request)]);
    expect(again.conversation_id).toBe(first.conversation_id);
    expect(again.inbox_item_id).toBe(first.inbox_item_id);
    const [one, two] = [await hub.ask(byAgent(), CHOICE), await hub.ask(byAgent(), CHOICE)];
    expect(one.conversation_id).not.toBe(two.conversation_id);
  });

  test("a question_id is unique in its conversation, at any depth", async () => {
    const conversation_id = await session();
    const nested = {
      ...CHOICE,
      follow_up_questions: { a: [{ question_id: "q", question_text: "More?", type: "text" }] },
    };
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t1", ...nested });
    expect(await code(hub.ask(byAgent(), { conversation_id, tool_use_id: "t2", question_id: "q", ...CHOICE }))).toBe(
      "duplicate_question_id",
    );
    const { last_sequence, current_round } = await hub.readConversation(byPerson(), conversation_id);
    expect([last_sequence, current_round]).toEqual([1, 1]);
  });

  test("repeating an answer with its key gets the first reply; without the key it is a second answer", async () => {
    const conversation_id = await session();
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    const answer = { conversation_id, question_id: "t", answer: "b" };
    const first = await hub.answer(byPerson(), answer, "key-1");
    expect((await hub.answer(byPerson(), answer, "key-1")).decided_at).toBe(first.decided_at);
    expect(await code(hub.answer(byPerson(), answer, "key-2"))).toBe("duplicate_answer");
    expect(await code(hub.answer(byPerson(), answer))).toBe("duplicate_answer");
  });

  test("with nobody there, an ask is refused at once and nothing is stored as pending", async () => {
    const conversation_id = await hub.createConversation(byAgent(), { interactive: false });
    expect(await code(hub.ask(byAgent(), { conversation_id, ...CHOICE }))).toBe("non_interactive");
    expect(await hub.readConversation(byPerson(), conversation_id)).toMatchObject({
      current_round: 0,
      pending: [],
      last_sequence: 0,
    });
  });

  test("the ask limit refuses in words, is announced once, and has two ways out", async () => {
    const shallow = testHub(database.db, { limits: { maxDepth: 2 } });
    const conversation_id = await shallow.createConversation(byAgent(), {});
    const ask = (n: number) => shallow.ask(byAgent(), { conversation_id, tool_use_id: `t${n}`, ...CHOICE });
    await Promise.all([ask(1), ask(2)]);
    expect(await code(ask(3))).toBe("recursive_limit_exceeded");
    expect(await code(ask(4))).toBe("recursive_limit_exceeded");
    const { messages } = await shallow.readMessages(byPerson(), { conversation_id });
    expect(messages.filter((message) => message.content.event === "depth.limit")).toHaveLength(1);
    await shallow.allowMore(byPerson(), conversation_id);
    await Promise.all([ask(3), ask(4)]);
    expect(await code(ask(5))).toBe("recursive_limit_exceeded");
    // The offer and the grant state the real number: two more each time, whatever the limit is by then.
    const told = (await shallow.readMessages(byPerson(), { conversation_id })).messages.map(({ content }) => content);
    expect(told.flatMap(({ event, limit, more }) => (more ? [[event, limit, more]] : []))).toEqual([
      ["depth.limit", 2, 2],
      ["depth.allowed", 4, 2],
      ["depth.limit", 4, 2],
    ]);
    await shallow.close(byPerson(), conversation_id);
    expect(await code(ask(6))).toBe("conversation_interrupted");
    expect(await code(shallow.allowMore(byPerson(), conversation_id))).toBe("conversation_interrupted");
    await shallow.stop();
  });

  test("a limit that someone raised is announced again when a later turn reaches it", async () => {
    const shallow = testHub(database.db, { limits: { maxDepth: 1 } });
    const conversation_id = await shallow.createConversation(byAgent(), {});
    const ask = (n: number) => shallow.ask(byAgent(), { conversation_id, tool_use_id: `t${n}`, ...CHOICE });
    await ask(1);
    expect(await code(ask(2))).toBe("recursive_limit_exceeded");
    await shallow.allowMore(byPerson(), conversation_id);
    await shallow.sendMessage(byPerson(), conversation_id, "Go on.");
    await ask(2);
    expect(await code(ask(3))).toBe("recursive_limit_exceeded");
    const { messages } = await shallow.readMessages(byPerson(), { conversation_id });
    const events = messages.map(({ content }) => content.event).filter((event) => String(event).startsWith("depth."));
    expect(events).toEqual(["depth.limit", "depth.allowed", "depth.limit"]);
    await shallow.stop();
  });

  test("a wait gives nothing to a caller who lost access before it found the answer", async () => {
    const conversation_id = await session();
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    await hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "b" });
    const again = () => {
      throw new ParleyError("unauthorized", "revoked", { reason: "api_key" });
    };
    // The answer is there when the wait first looks for it.
    const waiting = hub.wait({ ...byAgent(), again }, { conversation_id, tool_use_id: "t", seconds: 50 });
    expect(await code(waiting)).toBe("unauthorized");
  });

  test("closing cancels open asks and tells their agents", async () => {
    const conversation_id = await session();
    for (const tool_use_id of ["t1", "t2"]) await hub.ask(byAgent(), { conversation_id, tool_use_id, ...CHOICE });
    const waiting = hub.wait(byAgent(), { conversation_id, tool_use_id: "t2", seconds: 50 });
    await hub.close(byPerson(), conversation_id);
    expect((await waiting).result).toMatchObject({ outcome: "cancelled", reason: "the conversation was closed" });
    expect(await hub.readConversation(byPerson(), conversation_id)).toMatchObject({ status: "closed", pending: [] });
    await hub.close(byPerson(), conversation_id);
  });

  test("the record says when the agent received the result, not when a person looked, and again after a reopening", async () => {
    const conversation_id = await session();
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", timeout_s: 60, ...CHOICE });
    const read = async () => {
      const { asks } = await hub.readMessages(byPerson(), { conversation_id, asks: "true" });
      return asks?.[0]?.delivered_at ?? null;
    };
    const fetched = async (call: typeof byAgent) =>
      hub.noteDelivery(call(), await hub.readAsk(call(), { conversation_id, tool_use_id: "t" }));
    await hub.expire(Date.now() + 61_000);
    await fetched(byPerson);
    // Deliveries are recorded when the hub stops, at the latest.
    await hub.stop();
    // The clock of the node that notes it may be behind that of the node that settled it.
    hub = testHub(database.db);
    expect(await read()).toBeNull();
    await fetched(byAgent);
    await hub.stop();
    hub = testHub(database.db);
    expect(await read()).not.toBeNull();
    await hub.reopen(byPerson(), { conversation_id, question_id: "t" });
    expect(await read()).toBeNull();
    await hub.answer(byPerson(Date.now() + 63_000), { conversation_id, question_id: "t", answer: "a" });
    expect(await read()).toBeNull();
  });

  test("an ask reopened after a timeout is open again, also in the inbox, and can be answered", async () => {
    const conversation_id = await session();
    await hub.ask(byAgent(1_000), { conversation_id, tool_use_id: "t", timeout_s: 5, ...CHOICE });
    await hub.expire(6_000);
    expect((await hub.readAsk(byAgent(), { conversation_id, tool_use_id: "t" })).status).toBe("timeout");
    expect(await code(hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" }))).toBe(
      "question_closed",
    );
    await hub.reopen(byPerson(), { conversation_id, question_id: "t" });
    expect((await hub.readConversation(byPerson(), conversation_id)).pending).toMatchObject([
      { status: "pending", deadline_at: null },
    ]);
    await hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" });
    const { events } = await hub.audit(byPerson(), { conversation_id });
    expect(events.map((event) => event.action)).toEqual([
      "conversation.created",
      "ask.created",
      "question.timeout",
      "question.reopened",
      "question.answered",
    ]);
    await hub.close(byPerson(), conversation_id);
    expect(await code(hub.reopen(byPerson(), { conversation_id, question_id: "t" }))).toBe("conversation_interrupted");
  });

  test("continuing from a round copies the history up to its question, which is pending again, and leaves the original unchanged", async () => {
    const conversation_id = await session();
    for (const n of [1, 2, 3]) {
      await hub.ask(byAgent(), { conversation_id, tool_use_id: `t${n}`, ...CHOICE });
      await hub.answer(byPerson(), { conversation_id, question_id: `t${n}`, answer: "a" });
    }
    const before = await hub.readConversation(byPerson(), conversation_id);
    const forked = await hub.continueFrom(byPerson(), conversation_id, 2);
    const state = await hub.readConversation(byPerson(), forked);
    expect(state).toMatchObject({
      current_round: 2,
      last_sequence: 3,
      continued_from: { session_id: conversation_id, round: 2 },
    });
    expect(state.dialog_history.map(({ round, status }) => [round, status])).toEqual([
      [1, "answered"],
      [2, "pending"],
    ]);
    expect(await hub.readConversation(byPerson(), conversation_id)).toEqual({
      ...before,
      continued_as: [{ session_id: forked, round: 2 }],
    });
    const waiting = hub.wait(byAgent(), { conversation_id: forked, tool_use_id: "t2", seconds: 50 });
    await hub.answer(byPerson(), { conversation_id: forked, question_id: "t2", answer: "b" });
    expect((await waiting).result?.output).toEqual({ question_id: "t2", answer: "b" });
    expect(await code(hub.continueFrom(byPerson(), conversation_id, 4))).toBe("question_not_found");
  });

  test("an agent never answers, a person without the right cannot ask, and an agent cancels only its own asks", async () => {
    const conversation_id = await session();
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    expect(await code(hub.answer(byAgent(), { conversation_id, question_id: "t", answer: "a" }))).toBe("forbidden");
    expect(await code(hub.ask(byPerson(), { conversation_id, ...CHOICE }))).toBe("forbidden");
    const stranger = { actor: { ...AGENT, name: "stranger" }, now: 1 };
    expect(await code(hub.cancel(stranger, { conversation_id, tool_use_id: "t" }, "x"))).toBe("forbidden");
    const blind = { actor: { ...PERSON, rights: [] }, now: 1 };
    for (const read of [
      () => hub.inbox(blind, {}),
      () => hub.readConversation(blind, conversation_id),
      () => hub.listConversations(blind, {}),
      () => hub.audit(blind, { conversation_id }),
    ]) {
      expect(await code(read())).toBe("forbidden");
    }
    expect((await hub.cancel(byAgent(), { conversation_id, tool_use_id: "t" }, "solved it")).status).toBe("cancelled");
  });

  test("answers in a batch are checked independently", async () => {
    const conversation_id = await session();
    for (const tool_use_id of ["t1", "t2"]) await hub.ask(byAgent(), { conversation_id, tool_use_id, ...CHOICE });
    const outcomes = await hub.answerMany(byPerson(), [
      { conversation_id, question_id: "t1", answer: "a" },
      { conversation_id, question_id: "t1", answer: "b" },
      { conversation_id, question_id: "t2", answer: "nope" },
      { conversation_id: "ses_none", question_id: "t2", answer: "a" },
    ]);
    expect(outcomes.map(({ ask, error }) => ask?.status ?? error?.code)).toEqual([
      "answered",
      "duplicate_answer",
      "invalid_answer",
      "session_not_found",
    ]);
  });

  test("an unanswered optional question does not delay a batch, and all answers may arrive at once", async () => {
    const conversation_id = await session();
    const questions = [
      { question: "1?", options: [{ label: "A" }, { label: "B" }] },
      { question: "2?", options: [{ label: "C" }], required: false },
    ];
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", questions });
    const done = await hub.answer(byPerson(), { conversation_id, tool_use_id: "t", answers: { "0": "2", "1": "1" } });
    expect(done.result?.output).toMatchObject({ answers: { "1?": "B", "2?": "C" } });
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "u", questions });
    const one = await hub.answer(byPerson(), { conversation_id, tool_use_id: "u", answers: { "u#1": "A" } });
    expect(one.questions.map((question) => question.status)).toEqual(["answered", "cancelled"]);
  });
});
