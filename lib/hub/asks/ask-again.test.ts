import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import type { Ask } from "../../domain/ask.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import { openChain } from "../audit/open-chain.ts";
import type { Hub } from "../hub.ts";
import { AUDIT_KEY, byPerson, CHOICE, testHub } from "../test-hub.ts";
import type { Caller } from "./ask-again.ts";

const PROGRAM: Actor = { kind: "agent", name: "local", surface: "mcp", rights: ["ask", "read"] };
const by = (now = Date.now()): Call => ({ actor: PROGRAM, now });
let threads = 0;
const inThread = (): Caller => ({ agent: "codex", call: undefined, thread: `thread ${++threads}` });
const WITHOUT_THREAD: Caller = { agent: "claude-code", call: undefined, thread: undefined };

describe.each(DATABASES)("a program that gives up and asks again, on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  // Nodes that begin later find a record that was begun before its first event, as servers do.
  beforeAll(() => openChain(database.db, AUDIT_KEY, Date.now()));
  beforeEach(() => {
    hub = testHub(database.db, { limits: { maxDepth: 2 } });
  });
  afterEach(() => hub.stop());

  const answer = ({ conversation_id, tool_use_id }: Ask, now?: number) =>
    hub.answer(byPerson(now), { conversation_id, tool_use_id, answers: { "0": "2" } });
  const fetched = async ({ conversation_id, tool_use_id }: Ask) => {
    hub.noteDelivery(by(), await hub.readAsk(by(), { conversation_id, tool_use_id }));
    await hub.recordDeliveries();
  };

  test("is not taken for a built-in agent that has its name, and goes by the name of its product", async () => {
    const node = testHub(database.db, { agents: ["demo"], guardedAgents: ["claude"] });
    const names: string[] = [];
    for (const agent of ["demo", "claude", "codex-mcp-client", "deploy-bot"]) {
      const { ask, release } = await node.askAgain(by(), CHOICE, { ...inThread(), agent });
      await release();
      names.push((await node.labelOf(ask.conversation_id)).agent);
    }
    await node.stop();
    expect(names).toEqual(["demo-mcp", "claude-mcp", "Codex", "deploy-bot"]);
  });

  test("finds its ask while it is open and once it is answered, but not after it received the answer", async () => {
    const caller = inThread();
    const first = await hub.askAgain(by(), CHOICE, caller);
    await first.release();
    const second = await hub.askAgain(by(), CHOICE, caller);
    expect(second.ask.tool_use_id).toBe(first.ask.tool_use_id);
    await second.release();
    await answer(first.ask);
    const third = await hub.askAgain(by(), CHOICE, caller);
    expect(third.ask).toMatchObject({ tool_use_id: first.ask.tool_use_id, status: "answered" });
    await fetched(third.ask);
    await third.release();
    const fourth = await hub.askAgain(by(), CHOICE, caller);
    expect(fourth.ask).toMatchObject({ conversation_id: first.ask.conversation_id, status: "pending", round: 2 });
    await fourth.release();
  });

  test("asks without limit in one conversation, and in a new one once that is closed", async () => {
    const caller = inThread();
    const ask = (question_text: string) => hub.askAgain(by(), { ...CHOICE, question_text }, caller);
    const asked = [];
    for (const text of ["One?", "Two?", "Three?"]) asked.push((await ask(text)).ask);
    expect(asked.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(new Set(asked.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    await hub.close(byPerson(), asked[0]?.conversation_id ?? "");
    const next = await ask("Four?");
    expect(next.ask.round).toBe(1);
    expect((await ask("Five?")).ask).toMatchObject({ conversation_id: next.ask.conversation_id, round: 2 });
  });

  test("finds nothing from another thread, with another question or with its own id", async () => {
    const caller = inThread();
    const first = await hub.askAgain(by(), CHOICE, caller);
    await first.release();
    const others = [
      await hub.askAgain(by(), CHOICE, inThread()),
      await hub.askAgain(by(), { ...CHOICE, question_text: "Which other way?" }, caller),
      await hub.askAgain(by(), { ...CHOICE, idempotency_key: "own" }, caller),
    ];
    for (const { ask } of others) expect(ask.tool_use_id).not.toBe(first.ask.tool_use_id);
  });

  test("finds its ask again if the reply is lost", async () => {
    const caller = inThread();
    const first = await hub.askAgain(by(), CHOICE, { ...caller, call: "call 1" });
    await first.release();
    await answer(first.ask);
    const second = await hub.askAgain(by(), CHOICE, { ...caller, call: "call 2" });
    await fetched(second.ask);
    const again = await hub.askAgain(by(), CHOICE, { ...caller, call: "call 2" });
    expect(again.ask.tool_use_id).toBe(first.ask.tool_use_id);
    await Promise.all([second.release(), again.release()]);
  });

  test("without a thread, the same words are another question in another conversation, open or answered", async () => {
    const first = await hub.askAgain(by(), CHOICE, WITHOUT_THREAD);
    await first.release();
    const second = await hub.askAgain(by(), CHOICE, WITHOUT_THREAD);
    await second.release();
    await answer(second.ask);
    const third = await hub.askAgain(by(), CHOICE, WITHOUT_THREAD);
    await third.release();
    const asked = [first.ask, second.ask, third.ask];
    expect(new Set(asked.map(({ conversation_id }) => conversation_id)).size).toBe(3);
    expect(asked.map(({ round, status }) => [round, status])).toEqual(Array(3).fill([1, "pending"]));
  });

  test("without a thread, the call that is sent again finds its ask, and so does one in the same conversation", async () => {
    const caller = { ...WITHOUT_THREAD, call: `toolu_${++threads}` };
    const first = await hub.askAgain(by(), CHOICE, caller);
    await first.release();
    const again = await hub.askAgain(by(), CHOICE, caller);
    await again.release();
    const { conversation_id, tool_use_id } = first.ask;
    const inside = await hub.askAgain(by(), { ...CHOICE, conversation_id }, WITHOUT_THREAD);
    await inside.release();
    expect([again, inside].map(({ ask }) => ask.tool_use_id)).toEqual([tool_use_id, tool_use_id]);
  });

  test("two threads that chose the same session_key share the conversation, but no question", async () => {
    const request = { ...CHOICE, session_key: `run ${++threads}` };
    const asked = [];
    for (const caller of [inThread(), inThread()]) {
      const { ask, release } = await hub.askAgain(by(), request, caller);
      await release();
      asked.push(ask);
    }
    expect(asked.map(({ round }) => round)).toEqual([1, 2]);
  });

  test.runIf(kind === "postgresql")(
    "asks at another node, next to a caller that waits or in place of one that died",
    async () => {
      const caller = inThread();
      const other = await database.open();
      const there = testHub(other);
      await Promise.all([hub.begin(by()), there.begin(by())]);
      const first = await there.askAgain(by(), CHOICE, caller);
      const beside = await hub.askAgain(by(), CHOICE, caller);
      expect(beside.ask.tool_use_id).not.toBe(first.ask.tool_use_id);
      // Nothing is released, as when the process is killed: its connections end.
      await there.stop();
      await other.close();
      const after = await hub.askAgain(by(), CHOICE, caller);
      expect(after.ask.tool_use_id).toBe(first.ask.tool_use_id);
      await Promise.all([beside.release(), after.release()]);
    },
  );
});
