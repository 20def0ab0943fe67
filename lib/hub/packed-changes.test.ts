import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../db/change.ts";
import { packChanges, unpackChanges } from "../db/packed-changes.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import type { Hub } from "./hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

let database: TestDatabase;
let hub: Hub;
const changes: Change[] = [];
beforeAll(async () => {
  database = await testDatabase("sqlite");
  const db = await database.open();
  const write = (change: Change) => {
    changes.push(change);
    return db.write(change);
  };
  hub = testHub({ ...db, write }, { agents: ["own"] });
});
afterAll(async () => {
  await hub.stop();
  await database.drop();
});

test("every kind of change is the same after its way to another thread", async () => {
  const asked = await hub.ask(byAgent(), CHOICE);
  const { conversation_id, tool_use_id } = asked;
  await hub.answer(byPerson(), { conversation_id, question_id: tool_use_id, answer: "a" });
  const options = [{ label: "A" }, { label: "B" }];
  const questions = ["Which way?", "And then?"].map((question) => ({ question, header: "Way", options }));
  const several = { conversation_id, questions };
  await hub.cancel(byPerson(), { conversation_id, tool_use_id: (await hub.ask(byAgent(), several)).tool_use_id }, "no");
  const own = await hub.createConversation(byAgent(), { agent: "own" });
  await hub.sendMessage(byPerson(), own, "hello");
  await hub.sendMessage(byPerson(), own, "and again");
  await hub.interrupt(byPerson(), own);
  await hub.close(byPerson(), own);
  expect(new Set(changes.map(({ guard }) => guard.kind))).toEqual(new Set(["create", "ask", "change", "conversation"]));
  expect(changes.some(({ turns }) => turns.length > 0)).toBe(true);
  expect(unpackChanges(packChanges(changes))).toEqual(changes);
});
