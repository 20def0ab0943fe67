import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import { askView } from "../../domain/views/ask-view.ts";
import { AskView } from "../../protocol/ask.ts";
import type { Hub } from "../hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const WORDS = "Neither: first explain what B costs.";

describe.each(DATABASES)("a reply in words on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  let other: Hub;
  beforeEach(() => {
    hub = testHub(database.db);
    other = testHub(database.db);
  });
  afterEach(async () => {
    await hub.stop();
    await other.stop();
  });

  const asked = async (more: object = {}) => {
    const { conversation_id } = await hub.ask(byAgent(1_000), { tool_use_id: "t", ...CHOICE, ...more });
    return { conversation_id, question_id: "t" };
  };
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "taken",
      (error) => error.code,
    );

  test("settles the ask: the agent wakes with the words, and the record says who replied", async () => {
    const target = await asked();
    const { conversation_id } = target;
    const waiting = hub.wait(byAgent(), { conversation_id, tool_use_id: "t", seconds: 50 });
    await hub.reply(byPerson(2_000), { ...target, text: WORDS });
    const ask = await waiting;
    expect(ask).toMatchObject({ status: "replied", decided_at: 2_000, questions: [{ status: "cancelled" }] });
    expect(ask.result).toMatchObject({
      outcome: "replied",
      reply: WORDS,
      answers: [],
      decided_by: { kind: "person", name: "ann", surface: "browser" },
      output: { question_id: "t", answer: null, message: WORDS, replied: true },
    });
    expect(AskView.parse(askView(ask))).toEqual(askView(ask));

    const state = await hub.readConversation(byPerson(), conversation_id);
    expect(state).toMatchObject({ pending: [], dialog_history: [{ status: "replied", answer: WORDS }] });
    const { messages } = await hub.readMessages(byPerson(), { conversation_id });
    expect(messages.at(-1)).toMatchObject({ type: "tool_result", content: { outcome: "replied", is_error: false } });
    const closed = await hub.inbox(byPerson(), { status: "closed", limit: 200 });
    expect(closed.items.find((item) => item.session_id === conversation_id)).toMatchObject({
      settled: { outcome: "replied", decided_by: { name: "ann" } },
    });
    const { events, chain } = await hub.audit(byPerson(), { conversation_id, whole: true });
    expect(events.at(-1)).toMatchObject({
      action: "question.replied",
      before: { status: "pending" },
      after: { status: "replied", reply: WORDS },
    });
    expect(chain.intact).toBe(true);
  });

  test("keeps the answers that were given before, and leaves follow-ups without one", async () => {
    const follow_up_questions = { a: [{ question_id: "why", question_text: "Why?", type: "text" }] };
    const target = await asked({ follow_up_questions });
    await hub.answer(byPerson(), { ...target, answer: "a" });
    const { result, questions } = await hub.reply(byPerson(), { ...target, text: WORDS });
    expect(questions.map(({ status }) => status)).toEqual(["answered", "cancelled"]);
    expect(result).toMatchObject({ answers: [{ option_ids: ["a"] }], output: { answer: "a", message: WORDS } });
  });

  test("counts once, whoever else replies, answers or cancels at the same moment, on any node", async () => {
    for (let round = 0; round < 10; round++) {
      const target = await asked();
      const codes = await Promise.all([
        code(hub.reply(byPerson(undefined, "ann"), { ...target, text: "ann's" })),
        code(other.reply(byPerson(undefined, "bob"), { ...target, text: "bob's" })),
        code(other.answer(byPerson(undefined, "cy"), { ...target, answer: "b" })),
        code(hub.cancel(byPerson(undefined, "di"), target, "not now")),
        code(other.extend(byPerson(undefined, "ed"), target, { timeout_s: 60 + round })),
      ]);
      const [extended, ...settling] = codes.toReversed();
      expect(settling.filter((one) => one === "taken")).toHaveLength(1);
      for (const one of [extended, ...settling])
        expect(["taken", "duplicate_answer", "question_closed"]).toContain(one);
      const { conversation_id } = target;
      const stored = await hub.readAsk(byPerson(), { conversation_id, tool_use_id: "t" });
      const { events } = await hub.audit(byPerson(), { conversation_id });
      expect(events.at(-1)).toMatchObject({ action: `question.${stored.status}` });
      const results = (await hub.readMessages(byPerson(), { conversation_id })).messages;
      expect(results.filter(({ type }) => type === "tool_result")).toHaveLength(1);
    }
  });

  test("can be sent again with its key, also on another node, and with other words; without the key it is too late", async () => {
    const target = await asked();
    const first = await hub.reply(byPerson(2_000), { ...target, text: WORDS }, "key-1");
    expect(await hub.reply(byPerson(3_000), { ...target, text: WORDS }, "key-1")).toEqual(first);
    expect((await other.reply(byPerson(3_000), { ...target, text: "Other." }, "key-1")).result).toEqual(first.result);
    for (const key of ["key-2", null])
      expect(await code(other.reply(byPerson(), { ...target, text: WORDS }, key))).toBe("duplicate_answer");
    expect(await code(hub.answer(byPerson(), { ...target, answer: "a" }, "key-1"))).toBe("duplicate_answer");
    const { events } = await hub.audit(byPerson(), { conversation_id: target.conversation_id });
    expect(events.filter(({ action }) => action === "question.replied")).toHaveLength(1);
  });

  test("is refused to agents, for another question than was shown, when it is too long, and once the ask is settled", async () => {
    const target = await asked();
    const reply = { ...target, text: WORDS };
    expect(await code(hub.reply({ actor: AGENT, now: 1 }, reply))).toBe("forbidden");
    expect(await code(hub.reply(byPerson(), { ...reply, content_hash: "0" }))).toBe("idempotency_conflict");
    expect(await code(hub.reply(byPerson(), { ...reply, text: "x".repeat(10_001) }))).toBe("invalid_answer");
    expect(await code(hub.reply(byPerson(), { ...reply, question_id: "none" }))).toBe("question_not_found");
    expect(await code(hub.reply(byPerson(), { ...reply, conversation_id: "none" }))).toBe("session_not_found");
    await hub.cancel(byPerson(), target, "not now");
    expect(await code(hub.reply(byPerson(), reply))).toBe("question_closed");
  });

  test("survives export and import in every shape, with the answers that were given before", async () => {
    const options = [{ label: "A" }, { label: "B" }];
    const items = ["One?", "Two?"].map((question) => ({ question, header: question, options }));
    const described = items.map((item) => ({ ...item, options: options.map((one) => ({ ...one, description: "-" })) }));
    const shapes = {
      questions: { questions: items.map((item) => ({ ...item, multiSelect: false })) },
      shell: { dialect: "shell", questions: described.map((item) => ({ ...item, multiSelect: false })) },
      codex: { questions: items.map((item) => ({ ...item, id: item.header })) },
      opencode: { questions: items.map((item) => ({ ...item, multiple: false })) },
    };
    for (const [shape, body] of Object.entries(shapes)) {
      const { conversation_id } = await hub.ask(byAgent(), { tool_use_id: "t", ...body });
      await hub.answer(byPerson(), { conversation_id, question_id: "t#1", answer: "B" });
      const { result } = await hub.reply(byPerson(), { conversation_id, tool_use_id: "t", text: WORDS });
      let text = "";
      for await (const line of (await hub.exportConversation(byPerson(), conversation_id)).lines) text += line;
      const imported = await hub.importConversation(byAgent(), text);
      const read = await hub.readAsk(byPerson(), { conversation_id: imported.conversation_id, tool_use_id: "t" });
      expect([shape, read.status, read.result?.reply]).toEqual([shape, "replied", WORDS]);
      expect(read.result?.answers.map(({ labels }) => labels)).toEqual([["B"]]);
      expect(read.result?.output).toEqual(result?.output);
    }
  });

  test("survives export and import, and continuing from its round asks again", async () => {
    const target = await asked({ irreversible: true });
    const { result } = await hub.reply(byPerson(2_000), { ...target, text: WORDS }, "key");
    const { lines } = await hub.exportConversation(byPerson(), target.conversation_id);
    let text = "";
    for await (const line of lines) text += line;
    const imported = await hub.importConversation(byAgent(), text);
    const read = (conversation_id: string) => hub.readAsk(byPerson(), { conversation_id, tool_use_id: "t" });
    const { reply, output, content } = (await read(imported.conversation_id)).result ?? {};
    expect({ reply, output, content }).toEqual({ reply: WORDS, output: result?.output, content: result?.content });
    expect(await read(imported.conversation_id)).toMatchObject({ status: "replied", irreversible: true });
    const continued = await hub.continueFrom(byPerson(), target.conversation_id, 1);
    expect(await read(continued)).toMatchObject({
      status: "pending",
      irreversible: true,
      result: null,
      reply_key: null,
    });
    for (const conversation_id of [imported.conversation_id, continued])
      expect((await hub.audit(byPerson(), { conversation_id, whole: true })).chain.intact).toBe(true);
  });
});
