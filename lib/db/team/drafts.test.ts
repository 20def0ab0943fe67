import { describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../test-databases.ts";
import { findDraft, saveDraft } from "./drafts.ts";
import { removeOld } from "./statements.ts";

describe.each(DATABASES)("drafts (%s)", (kind) => {
  const database = suiteDatabase(kind);

  test("those that nobody has changed for long are removed with everything else that is old", async () => {
    const { db } = database;
    const keyOf = (tool_use_id: string) => ({ person_id: "per_1", conversation_id: "conv_1", tool_use_id });
    await saveDraft(db, keyOf("old"), { text: "nobody came back" }, 1_000);
    await saveDraft(db, keyOf("recent"), { text: "first words" }, 1_000);
    await saveDraft(db, keyOf("recent"), { text: "more words" }, 2_000);
    await db.runAll(removeOld(1_500, 3_000));
    expect(await findDraft(db, keyOf("old"))).toBeUndefined();
    expect(await findDraft(db, keyOf("recent"))).toEqual({ value: { text: "more words" }, updated_at: 2_000 });
  });
});
