import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { findTurn } from "../../db/hot/turns.ts";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import { execute } from "../../db/test-sql.ts";
import { openChain } from "../audit/open-chain.ts";
import type { Hub } from "../hub.ts";
import { AUDIT_KEY, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

/** Nodes without a runner: the tests say what their agents do. A node that never began holds no lock, and so is dead. */
describe.each(DATABASES)("turns of other nodes on %s", (kind) => {
  const database = suiteDatabase(kind);
  const nodes: Hub[] = [];
  // Nodes that begin later find a record that was begun before its first event, as servers do.
  beforeAll(() => openChain(database.db, AUDIT_KEY, Date.now()));
  afterEach(async () => {
    for (const hub of nodes.splice(0)) await hub.stop();
  });

  async function node(graceMs = 0): Promise<Hub> {
    const hub = testHub(await database.open(), { agents: ["own"], graceMs });
    nodes.push(hub);
    return hub;
  }
  async function begun(hub: Hub): Promise<{ conversation_id: string; turn_id: string }> {
    const conversation_id = await hub.createConversation(byAgent(), { agent: "own" });
    const { turn_id } = await hub.sendMessage(byPerson(), conversation_id, "go");
    if (turn_id === null) throw new Error("it runs here");
    return { conversation_id, turn_id };
  }
  const say = (hub: Hub, { conversation_id, turn_id }: { conversation_id: string; turn_id: string }) =>
    hub.say(byAgent(), conversation_id, turn_id, { type: "text", role: "assistant", content: { text: "hello" } });
  const completed = { status: "completed", action: "turn.ended", message: { type: "complete", content: {} } } as const;

  test("a node cannot write for a turn that another has taken over", async () => {
    const [first, second] = [await node(), await node()];
    const { conversation_id, turn_id } = await begun(first);
    await first.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE }, turn_id);
    await second.begin(byPerson());
    expect(await findTurn(database.db, turn_id)).toMatchObject({ status: "running", owner: second.node });

    const before = (await first.readMessages(byPerson(), { conversation_id })).last_sequence;
    expect(await first.runsTurn(turn_id)).toBe(false);
    expect(await first.openTurn(conversation_id, turn_id)).toBeUndefined();
    expect(await say(first, { conversation_id, turn_id })).toBe(false);
    const asked = first.ask(byAgent(), { conversation_id, tool_use_id: "u", ...CHOICE }, turn_id);
    await expect(asked).rejects.toMatchObject({ code: "conversation_interrupted" });
    const ended = await first.endTurn(byAgent(), conversation_id, turn_id, {
      ...completed,
      reason: null,
      owner: first.node,
    });
    expect(ended).toBe(false);
    const events = (await first.audit(byPerson(), { conversation_id })).events.length;
    await first.park(byAgent(), conversation_id, turn_id, "t");
    expect((await first.audit(byPerson(), { conversation_id })).events).toHaveLength(events);
    expect((await first.readMessages(byPerson(), { conversation_id })).last_sequence).toBe(before);

    expect(await say(second, { conversation_id, turn_id })).toBe(true);
    await second.endTurn(byAgent(), conversation_id, turn_id, { ...completed, reason: null, owner: second.node });
    expect((await second.readConversation(byPerson(), conversation_id)).status).toBe("active");
  });

  test("the turns of a dead node are taken over by a running one, each on its own", async () => {
    const living = await node();
    await living.begin(byPerson());
    const dead = await node();
    const [working, waiting, next] = [await begun(dead), await begun(dead), await begun(dead)];
    await say(dead, working);
    await dead.ask(
      byAgent(),
      { conversation_id: waiting.conversation_id, tool_use_id: "w", ...CHOICE },
      waiting.turn_id,
    );
    await living.takeOver(byPerson());
    await living.takeOver(byPerson());
    expect(await findTurn(database.db, working.turn_id)).toMatchObject({ status: "interrupted", reason: "restarted" });
    expect(await findTurn(database.db, next.turn_id)).toMatchObject({ status: "interrupted" });
    expect(await findTurn(database.db, waiting.turn_id)).toMatchObject({ status: "running", owner: living.node });
    expect(await living.takeOver(byPerson())).toContainEqual({
      conversation_id: waiting.conversation_id,
      turn_id: waiting.turn_id,
    });
  });

  test("a node that is briefly unreachable keeps its turns", async () => {
    const living = await node(3_600_000);
    await living.begin(byPerson());
    const away = await node();
    const turn = await begun(away);
    for (let looks = 0; looks < 3; looks++) await living.takeOver(byPerson());
    expect(await findTurn(database.db, turn.turn_id)).toMatchObject({ status: "running", owner: away.node });
    expect(await say(away, turn)).toBe(true);
  });

  test("a message accepted while its node stops starts its turn at the next node", async () => {
    const stopping = await node();
    stopping.retire();
    const { turn_id } = await begun(stopping);
    const next = await node();
    const started: unknown[] = [];
    next.subscribe((event) => event.started && started.push(event.started.turn_id));
    await next.begin(byPerson());
    expect(started).toContain(turn_id);
    expect(await next.runsTurn(turn_id)).toBe(true);
  });

  test("a node that dies between the two steps of a stop leaves nothing open", async () => {
    const dying = await node();
    const { conversation_id, turn_id } = await begun(dying);
    await dying.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE }, turn_id);
    await dying.endTurn(byAgent(), conversation_id, turn_id, {
      ...completed,
      status: "interrupted",
      reason: "interrupted",
    });
    const other = await begun(dying);
    await dying.ask(byAgent(), { conversation_id: other.conversation_id, tool_use_id: "o", ...CHOICE }, other.turn_id);
    // As the first of the two commits leaves it.
    await execute(
      database.db,
      "update turn set status = 'stopping', owner = null, reason = 'interrupted' where id = ?",
      [other.turn_id],
    );
    await execute(database.db, "update conversation set turn_id = null where id = ?", [other.conversation_id]);
    const living = await node();
    await living.begin(byPerson());
    for (const { conversation_id: id, turn_id: turn } of [{ conversation_id, turn_id }, other]) {
      expect((await living.readConversation(byPerson(), id)).pending).toEqual([]);
      expect(await findTurn(database.db, turn)).toMatchObject({ status: "interrupted" });
    }
  });

  test("the reply to an answer says whether the agent still waits for it", async () => {
    const hub = await node();
    const { conversation_id, turn_id } = await begun(hub);
    const asked = { conversation_id, ...CHOICE, timeout_s: 60, on_timeout: "default" };
    for (const tool_use_id of ["late", "now"]) await hub.ask(byAgent(), { ...asked, tool_use_id }, turn_id);
    await hub.answer(byPerson(), { conversation_id, question_id: "now", answer: "a" });
    await hub.expire(Date.now() + 61_000);
    await hub.endTurn(byAgent(), conversation_id, turn_id, { ...completed, reason: null });
    await hub.reopen(byPerson(), { conversation_id, tool_use_id: "late" });
    const restarted = await node();
    await restarted.begin(byPerson());
    const late = await restarted.answer(byPerson(Date.now() + 1), {
      conversation_id,
      question_id: "late",
      answer: "b",
    });
    expect(late.status).toBe("answered");
    expect(await hub.isAwaited(late)).toBe(false);
    const { tool_use_id } = await hub.ask(byAgent(), { conversation_id, tool_use_id: "elsewhere", ...CHOICE });
    expect(
      await hub.isAwaited(await hub.answer(byPerson(), { conversation_id, question_id: tool_use_id, answer: "a" })),
    ).toBe(true);
    const now = await hub.readAsk(byAgent(), { conversation_id, tool_use_id: "now" });
    expect(await hub.isAwaited(now)).toBe(true);
  });

  test("a conversation that an earlier version closed while its agent was working is not retried forever", async () => {
    const old = await node();
    const { conversation_id, turn_id } = await begun(old);
    await execute(database.db, "update conversation set closed_at = 1 where id = ?", [conversation_id]);
    const living = await node();
    await living.begin(byPerson());
    expect(await findTurn(database.db, turn_id)).toMatchObject({ status: "interrupted", owner: null });
  });
});
