import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import type { Call } from "../../protocol/actor.ts";
import { NO_NAME } from "../../protocol/no-name.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, byReporter, testHub } from "../test-hub.ts";

const REGIONS = {
  questions: [
    { question: "Where?", options: [{ label: "Asia, Pacific" }, { label: "Europe" }], multiSelect: true },
    { question: "When?", options: [{ label: "Now" }, { label: "Later" }] },
  ],
};

describe.each(DATABASES)("the answer that the agent continued with, on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  beforeEach(() => {
    hub = testHub(database.db);
  });
  afterEach(() => hub.stop());

  let sessions = 0;
  const asked = async (more: object = {}) => {
    const about = { session_key: `run ${++sessions}`, agent: "claude-code" };
    const ask = await hub.ask(byAgent(), { ...REGIONS, ...about, ...more, tool_use_id: "t" });
    const target = { conversation_id: ask.conversation_id, tool_use_id: "t" };
    return {
      target,
      answer: () => hub.answer(byPerson(), { ...target, answers: { "0": "1", "1": { other: "at noon" } } }),
      report: (...answers: Array<string | null>) => hub.report(byReporter(), { ...about, tool_use_id: "t", answers }),
      events: async () => {
        const { events } = await hub.audit(byPerson(), { conversation_id: ask.conversation_id });
        return events.filter(({ action }) => action === "question.answered_elsewhere");
      },
      delivered: async () => {
        await hub.recordDeliveries();
        const person = { ...byPerson(), actor: { ...byPerson().actor, surface: "browser" as const } };
        return (await hub.readAsk(person, target)).delivered_at !== null;
      },
    };
  };

  test("matches the record: it is marked as delivered, and nothing else changes", async () => {
    const { answer, report, events, delivered } = await asked();
    expect((await report('"Asia, Pacific"', "at noon")).status).toBe("pending");
    await answer();
    await report('"Asia, Pacific"', "at noon");
    expect([await events(), await delivered()]).toEqual([[], true]);
  });

  test("differs: what the agent did counts, and the record keeps what was answered here, once", async () => {
    const { target, answer, report, events } = await asked();
    await answer();
    await report("Europe", "Now");
    const ask = await report("Europe", "Now");
    expect(ask.result?.answers.map(({ labels }) => labels)).toEqual([["Asia, Pacific"], []]);
    const by = { kind: "agent", name: "builder", provenance: "reported" };
    expect(ask.result).toMatchObject({ decided_by: { name: "ann" }, went_on_with: { answers: ["Europe", "Now"], by } });
    const { dialog_history } = await hub.readConversation(byPerson(), target.conversation_id);
    const said = { answer: "Europe / Now", decided_by: by };
    expect(dialog_history).toMatchObject([said]);
    const { items } = await hub.inbox(byPerson(), { status: "closed" });
    const item = items.find(({ session_id }) => session_id === target.conversation_id);
    expect(item).toMatchObject({ answer: said.answer, settled: { outcome: "answered", decided_by: by } });
    expect(await events()).toMatchObject([
      {
        actor: { kind: "agent", name: "builder" },
        before: { status: "answered", recorded: '"Asia, Pacific"; "at noon"' },
        after: { status: "answered", went_on_with: ["Europe", "Now"] },
      },
    ]);
    const { messages } = await hub.readMessages(byPerson(), { conversation_id: target.conversation_id });
    expect(messages.at(-1)?.content).toMatchObject({
      event: "question.answered_elsewhere",
      went_on_with: "Europe; Now",
    });
    expect((await hub.audit(byPerson(), { conversation_id: target.conversation_id })).chain.intact).toBe(true);
  });

  test("is reported by a program without a name: the record names the agent of the conversation", async () => {
    const unnamed = (call: Call): Call => ({ ...call, actor: { ...call.actor, name: NO_NAME, unnamed: true } });
    const about = { session_key: `run ${++sessions}`, agent: "claude-code", tool_use_id: "t" };
    const { conversation_id } = await hub.ask(unnamed(byAgent()), { ...REGIONS, ...about });
    await hub.answer(byPerson(), { conversation_id, tool_use_id: "t", answers: { "0": "1", "1": "1" } });
    await hub.report(unnamed(byAgent()), { ...about, answers: ["Europe", "Now"] });
    const { events } = await hub.audit(byPerson(), { conversation_id });
    const last = events.find(({ action }) => action === "question.answered_elsewhere");
    expect(last?.actor).toMatchObject({ kind: "agent", name: "claude-code" });
  });

  test("never counts where only an answer in Parley may decide: the record keeps its answer", async () => {
    const about = (key: string) => ({ session_key: `${key} ${++sessions}`, agent: "claude-code", tool_use_id: "t" });
    const cases = [
      [{ irreversible: true }, byReporter()],
      [{}, byAgent()],
    ] as const;
    for (const [more, reporter] of cases) {
      const target = about("run");
      const { conversation_id } = await hub.ask(byAgent(), { ...REGIONS, ...more, ...target });
      await hub.answer(byPerson(), { conversation_id, tool_use_id: "t", answers: { "0": "1", "1": "1" } });
      const ask = await hub.report(reporter, { ...target, answers: ["Europe", "Now"] });
      expect(ask.result?.went_on_with).toBeUndefined();
      const { messages } = await hub.readMessages(byPerson(), { conversation_id });
      expect(messages.at(-1)?.content.text).toContain("The record says");
    }
  });

  test("exists although the deadline had passed, or is missing although someone answered", async () => {
    const late = await asked({ timeout_s: 0.001 });
    await hub.expire(Date.now() + 1_000);
    await late.report("Europe", "Now");
    expect(await late.events()).toMatchObject([{ before: { recorded: "timeout" } }]);
    const declined = await asked();
    await declined.answer();
    await declined.report(null, null);
    expect(await declined.events()).toMatchObject([{ after: { went_on_with: [null, null] } }]);
  });
});
