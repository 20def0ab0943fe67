import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

describe.each(DATABASES)("an irreversible question on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  beforeEach(() => {
    hub = testHub(database.db);
  });
  afterEach(() => hub.stop());

  test("says so in the ask, in the inbox and in the audit, on every node", async () => {
    const asked = await hub.ask(byAgent(), { tool_use_id: "t", ...CHOICE, irreversible: true });
    const { conversation_id } = asked;
    expect(asked.irreversible).toBe(true);
    const other = testHub(database.db);
    expect((await other.readAsk(byPerson(), { conversation_id, tool_use_id: "t" })).irreversible).toBe(true);
    const { items } = await other.inbox(byPerson(), { limit: 200 });
    expect(items.find(({ session_id }) => session_id === conversation_id)?.irreversible).toBe(true);
    const { events, chain } = await other.audit(byPerson(), { conversation_id, whole: true });
    expect(events[0]?.after).toMatchObject({ irreversible: true });
    expect(chain.intact).toBe(true);
    await other.stop();
    const plain = await hub.ask(byAgent(), { conversation_id, tool_use_id: "u", ...CHOICE });
    expect([plain.irreversible, plain.content_hash === asked.content_hash]).toEqual([false, false]);
  });

  test("is never part of a bulk answer; the others are taken, and on its own it is taken too", async () => {
    const conversation_id = await hub.createConversation(byAgent(), {});
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "plain", ...CHOICE });
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "final", ...CHOICE, irreversible: true });
    const answers = ["plain", "final"].map((question_id) => ({ conversation_id, question_id, answer: "a" }));
    const [plain, final] = await hub.answerMany(byPerson(), answers);
    expect(plain?.ask?.status).toBe("answered");
    expect(final?.error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("final is irreversible"),
    });
    const alone = await hub.answer(byPerson(), { conversation_id, question_id: "final", answer: "a" });
    expect(alone.status).toBe("answered");
  });

  test("takes no default: asking for one is refused, and at the deadline nobody has answered", async () => {
    const asked = { ...CHOICE, irreversible: true, timeout_s: 1 };
    const refused = hub.ask(byAgent(), { ...asked, on_timeout: "default" });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_request",
      details: { problems: [{ path: "on_timeout", message: expect.stringContaining("a person must decide") }] },
    });
    const { conversation_id, tool_use_id } = await hub.ask(byAgent(), asked);
    await hub.expire(Date.now() + 60_000);
    const { result } = await hub.readAsk(byPerson(), { conversation_id, tool_use_id });
    expect(result).toMatchObject({ outcome: "timeout", decided_by: { kind: "system" }, answers: [] });
  });
});
