import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { OutcomeUnknown } from "../db/errors.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { readRows } from "../db/test-sql.ts";
import type { HubEvent } from "./events.ts";
import type { Hub } from "./hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

const LINE = JSON.stringify({ type: "user", message: { role: "user", content: "imported" } });

describe.each(DATABASES)("a commit whose reply is lost, on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  let hub: Hub;
  /** What happens to the next write, whose reply is lost. */
  let fault: "none" | "stored" | "stored late" | "lost" | "out of reach" = "none";
  const errors: unknown[] = [];
  const events: HubEvent[] = [];
  beforeAll(async () => {
    database = await testDatabase(kind);
    const real = await database.open();
    db = {
      ...real,
      write: async (change) => {
        if (fault === "none") return real.write(change);
        if (fault === "stored") await real.write(change);
        if (fault === "stored late") looks = 1;
        const late = real.write;
        store = async () => void (await late(change));
        throw new OutcomeUnknown("the connection broke");
      },
      // The statement with which a commit looks up its change.
      prisma: async (read) => {
        if (fault === "out of reach") throw new OutcomeUnknown("the connection broke");
        const result = await real.prisma(read);
        if (fault === "stored late" && looks-- > 0) await store();
        return result;
      },
    };
    hub = testHub(db, { agents: ["own"], lookAgainMs: [0, 0, 0], onError: (error) => errors.push(error) });
    hub.subscribe((event) => events.push(event));
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });
  let looks = 0;
  let store = async () => {};

  async function losing<Result>(how: typeof fault, work: () => Promise<Result>): Promise<Result> {
    fault = how;
    events.splice(0);
    return work().finally(() => {
      fault = "none";
    });
  }
  const rows = async (sql: string, ...params: unknown[]) => (await readRows<unknown>(db, sql, params)).length;

  test.each(["stored", "stored late"] as const)(
    "%s: every change is published as if nothing had happened",
    async (how) => {
      const conversation_id = await losing(how, () => hub.createConversation(byAgent(), { agent: "own" }));
      expect(await rows("select id from conversation where id = ?", conversation_id)).toBe(1);
      const sent = await losing(how, () => hub.sendMessage(byPerson(), conversation_id, "go"));
      expect(sent).toMatchObject({ status: "running", message_sequence: 1 });
      const turn_id = sent.turn_id ?? "";
      expect(events.map(({ started }) => started)).toEqual([{ turn_id }]);
      expect(events[0]?.messages.map(({ sequence_num }) => sequence_num)).toEqual([1]);
      const said = { type: "text", role: "assistant", content: { text: "hello" } } as const;
      expect(await losing(how, () => hub.say(byAgent(), conversation_id, turn_id, said))).toBe(true);
      const asked = await losing(how, () =>
        hub.ask(byAgent(), { conversation_id, tool_use_id: how, ...CHOICE }, turn_id),
      );
      expect(asked).toMatchObject({ round: 1, sequence_num: 3, status: "pending" });
      const waiting = hub.wait(byAgent(), { conversation_id, tool_use_id: how, seconds: 50 });
      const answer = { conversation_id, question_id: how, answer: "a" };
      expect(await losing(how, () => hub.answer(byPerson(), answer))).toMatchObject({ status: "answered" });
      expect((await waiting).status).toBe("answered");
      const forked = await losing(how, () => hub.continueFrom(byPerson(), conversation_id, 1));
      expect(events.flatMap(({ ask }) => (ask ? [ask.conversation_id] : []))).toEqual([forked]);
      expect(events.filter(({ started }) => started)).toHaveLength(1);
      const message = { type: "complete", content: {} } as const;
      const end = { status: "completed", action: "turn.ended", message, reason: null } as const;
      expect(await losing(how, () => hub.endTurn(byAgent(), conversation_id, turn_id, end))).toBe(true);
      expect(events.map(({ ended }) => ended)).toEqual([{ turn_id }]);
      await losing(how, () => hub.close(byPerson(), conversation_id));
      expect((await hub.readConversation(byPerson(), conversation_id)).status).toBe("closed");
      const imported = await losing(how, () => hub.importConversation(byAgent(), LINE));
      expect(await rows("select uuid from message where conversation_id = ?", imported.conversation_id)).toBe(1);
      expect(await rows("select uuid from message where conversation_id = ?", conversation_id)).toBe(6);
      expect(errors).toEqual([]);
    },
  );

  test("the caller learns that nothing was stored, or that nobody can tell", async () => {
    const create = () => hub.createConversation(byAgent(), {});
    await expect(losing("lost", create)).rejects.toThrow("Nothing was stored");
    await expect(losing("out of reach", create)).rejects.toThrow("does not know whether this was stored");
    expect(events).toEqual([]);
  });

  test("a failing listener neither refuses a stored change nor keeps it from other listeners", async () => {
    const told: string[] = [];
    const stops = [
      hub.subscribe(() => {
        throw new Error("a listener fails");
      }),
      hub.subscribe(({ conversation_id }) => told.push(conversation_id)),
    ];
    const id = await hub.createConversation(byAgent(), {});
    for (const stop of stops) stop();
    expect(told).toEqual([id]);
    expect(errors.splice(0)).toMatchObject([{ message: "a listener fails" }]);
  });
});
