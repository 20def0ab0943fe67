import { describe, expect, onTestFinished, test } from "vitest";
import { DATABASES, testDatabase } from "../../db/test-databases.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const REPORTER: Actor = { ...AGENT, surface: "cli", rights: ["ask", "read", "report"] };
const by = (actor: Actor = REPORTER): Call => ({ actor, now: Date.now() });
const forbidden = expect.objectContaining({ code: "forbidden" });

describe.each(DATABASES)("what an agent reports (%s)", (kind) => {
  const started = async (options: Record<string, unknown> = {}) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const hub = testHub(await database.open());
    onTestFinished(hub.stop);
    const { conversation_id } = await hub.ask(byAgent(), { tool_use_id: "t", ...CHOICE, ...options });
    return { hub, target: { conversation_id, tool_use_id: "t" } };
  };
  const person = { kind: "person", name: "ann", surface: "cli", provenance: "reported" };

  test.each([
    ["answers", { answers: { "0": "2" } }, { outcome: "answered", answers: [{ value: "b" }] }],
    ["words", { text: "Neither." }, { outcome: "replied", reply: "Neither." }],
    ["a refusal", { reason: "declined at the terminal" }, { outcome: "cancelled", reason: "declined at the terminal" }],
  ])("%s: settles the ask, and everything says that it was reported", async (_, decision, result) => {
    const { hub, target } = await started();
    const ask = await hub.reportDecision(by(), { ...target, by: "ann", ...decision });
    expect(ask.result).toMatchObject({ ...result, decided_by: person });
    const { events } = await hub.audit(byPerson(), { conversation_id: target.conversation_id });
    expect(events.at(-1)).toMatchObject({
      actor: { kind: "agent", name: "builder", surface: "cli", provenance: "reported" },
      after: { decided_by: person },
    });
    const { items } = await hub.inbox(byPerson(), { status: "closed" });
    expect(items).toMatchObject([{ settled: { decided_by: person } }]);
  });

  test.each([
    ["answers", { answers: { "0": "1" } }, "answered"],
    ["words", { text: "Neither." }, "replied"],
    ["a refusal", { reason: "declined at the terminal" }, "cancelled"],
  ])(
    "%s: settles it also while somebody has claimed it, because the agent has gone on",
    async (_, decision, status) => {
      const { hub, target } = await started();
      const { inbox_item_id } = await hub.readAsk(byPerson(), target);
      const mei: Call = { actor: { ...byPerson().actor, id: "per_mei", name: "Mei" }, now: Date.now() };
      expect(await hub.claim(mei, [inbox_item_id])).toMatchObject([{ ask: { claim: { by: { name: "Mei" } } } }]);
      expect(await hub.reportDecision(by(), { ...target, ...decision })).toMatchObject({ status, claim: null });
    },
  );

  test("a person whose name is unknown stays unknown", async () => {
    const { hub, target } = await started();
    const ask = await hub.reportDecision(by(), { ...target, answers: { "0": "1" } });
    expect(ask.result?.decided_by).toMatchObject({ kind: "person", name: "local", provenance: "reported" });
  });

  test("only the agent that asked may report, and only with the right to", async () => {
    const { hub, target } = await started();
    const report = { ...target, answers: { "0": "1" } };
    for (const actor of [
      AGENT,
      { ...REPORTER, name: "crawler" },
      { ...REPORTER, kind: "person" as const },
      { ...REPORTER, id: "key_1" },
      { ...byPerson().actor, rights: ["answer", "read"] as const },
    ])
      await expect(hub.reportDecision(by(actor), report)).rejects.toThrow(forbidden);
    expect(await hub.readAsk(byPerson(), target)).toMatchObject({ status: "pending", version: 0 });
    const unnamed: Actor = { ...REPORTER, name: "local", unnamed: true };
    // Without a name it is the agent of the conversation, which did not ask here.
    await expect(hub.reportDecision(by(unnamed), report)).rejects.toThrow(forbidden);
  });

  test("an agent without a name reports on what it asked without one", async () => {
    const { hub } = await started();
    const unnamed: Actor = { ...REPORTER, name: "local", unnamed: true };
    const { conversation_id } = await hub.ask(by(unnamed), { tool_use_id: "u", agent: "claude-code", ...CHOICE });
    const ask = await hub.reportDecision(by(unnamed), { conversation_id, tool_use_id: "u", answers: { "0": "1" } });
    expect(ask).toMatchObject({ status: "answered", asked_by: { name: "claude-code" } });
  });

  test("what cannot be undone is never answered by a report, only declined", async () => {
    const { hub, target } = await started({ irreversible: true });
    for (const decision of [{ answers: { "0": "1" } }, { text: "Yes, do it." }])
      await expect(hub.reportDecision(by(), { ...target, ...decision })).rejects.toThrow(forbidden);
    expect((await hub.readAsk(byPerson(), target)).status).toBe("pending");
    const declined = await hub.reportDecision(by(), { ...target, reason: "declined at the terminal" });
    expect(declined.status).toBe("cancelled");
  });

  test("the first decision counts, and a repeated report changes nothing", async () => {
    const { hub, target } = await started();
    const report = { ...target, answers: { "0": "1" } };
    const first = await hub.reportDecision(by(), report, "terminal-t");
    expect(await hub.reportDecision(by(), report, "terminal-t")).toMatchObject({ version: first.version });
    await expect(hub.reportDecision(by(), report, "another")).rejects.toThrow(
      expect.objectContaining({ code: "duplicate_answer" }),
    );
    await expect(
      hub.answer(byPerson(), { conversation_id: target.conversation_id, question_id: "t", answer: "b" }),
    ).rejects.toThrow(expect.objectContaining({ code: "duplicate_answer" }));
  });

  test("repeated words change nothing either", async () => {
    const { hub, target } = await started();
    const report = { ...target, text: "Neither." };
    const first = await hub.reportDecision(by(), report, "terminal-t");
    expect(await hub.reportDecision(by(), report, "terminal-t")).toMatchObject({ version: first.version });
    await expect(hub.reportDecision(by(), report, "another")).rejects.toThrow(
      expect.objectContaining({ code: "duplicate_answer" }),
    );
  });

  test("of a report and a person's answer at once, one wins, and the record has its provenance", async () => {
    const { hub, target } = await started();
    const answer = { conversation_id: target.conversation_id, question_id: "t", answer: "b" };
    const outcomes = await Promise.allSettled([
      hub.reportDecision(by(), { ...target, answers: { "0": "1" } }),
      hub.answer({ actor: { ...byPerson().actor, provenance: "browser" }, now: Date.now() }, answer),
    ]);
    const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    const { result } = await hub.readAsk(byPerson(), target);
    expect(result).toMatchObject({
      decided_by: { provenance: outcomes[0].status === "fulfilled" ? "reported" : "browser" },
    });
  });
});
