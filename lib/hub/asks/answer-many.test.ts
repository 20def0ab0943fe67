import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { StorageError } from "../../db/errors.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, testHub } from "../test-hub.ts";

const TREE = {
  tool_use_id: "t",
  question_text: "Which way?",
  type: "multiple_choice",
  options: [{ id: "a", label: "A" }],
  follow_up_questions: {
    a: Array.from({ length: 15 }, (_, n) => ({ question_id: `part ${n}`, question_text: "And?", type: "text" })),
  },
};

describe.each(DATABASES)("many answers on %s", (kind) => {
  let database: TestDatabase;
  let hub: Hub;
  let isBroken: (question_id: string) => boolean;

  beforeEach(async () => {
    database = await testDatabase(kind);
    const db = await database.open();
    isBroken = () => false;
    const breaking: Database = {
      ...db,
      write: async (change) => {
        if (isBroken(change.answers[0]?.question_id ?? "")) throw new StorageError("the disk is full");
        return db.write(change);
      },
    };
    hub = testHub(breaking);
  });
  afterEach(async () => {
    await hub.stop();
    await database.drop();
  });

  const answerAll = async () => {
    const { conversation_id } = await hub.ask(byAgent(), TREE);
    const parts = Array.from({ length: 15 }, (_, n) => ({ conversation_id, question_id: `part ${n}`, answer: "so" }));
    return hub.answerMany(byPerson(), [{ conversation_id, question_id: "t", answer: "a" }, ...parts]);
  };

  test("one batch may hold an answer and those to its follow-ups", async () => {
    const outcomes = await answerAll();
    expect(outcomes.map(({ ask, error }) => ask?.status ?? error?.code)).toEqual([
      ...Array(15).fill("pending"),
      "answered",
    ]);
  });

  test("a storage failure is reported only for the answer it concerns", async () => {
    isBroken = (question_id) => question_id === "part 7";
    const outcomes = await answerAll();
    expect(outcomes.filter(({ ask }) => ask)).toHaveLength(15);
    expect(outcomes[8]?.error?.code).toBe("storage_unavailable");
  });
});
