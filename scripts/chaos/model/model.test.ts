import { describe, expect, test } from "vitest";
import type { Change } from "../../../lib/db/change.ts";
import type { Database } from "../../../lib/db/database.ts";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { compareWithReference, model } from "./model.ts";

describe.each(DATABASES)("the hub against the reference on %s", (kind) => {
  test("no difference after any command", async () => {
    const { violations, figures } = await runSmall(model, kind);
    expect(violations).toEqual([]);
    expect(figures.steps).toBeGreaterThanOrEqual(model.size.small);
    expect(figures.done).toBeGreaterThan(model.size.small / 5);
    for (const how of ["answered", "replied", "cancelled", "timeout", "timeout with defaults", "pending"])
      expect(figures[`asks ${how}`], how).toBeGreaterThan(0);
    for (const code of ["invalid_answer", "duplicate_answer", "idempotency_conflict", "recursive_limit_exceeded"])
      expect(figures[code], code).toBeGreaterThan(0);
    for (const code of ["claimed", "second_person_required", "forbidden"])
      expect(figures[code], code).toBeGreaterThan(0);
  });
});

describe("detects a bug:", () => {
  const bugs: Record<string, (change: Change) => Change> = {
    "an inbox item that stays as it was": (change) => ({ ...change, inbox_patch: null }),
    "a new deadline that the inbox does not know": (change) =>
      change.audit.action === "question.extended" ? { ...change, inbox_patch: null } : change,
    "a claim that the inbox does not know": (change) =>
      change.audit.action === "question.claimed" ? { ...change, inbox_patch: null } : change,
    "an assignment that goes to nobody": (change) =>
      change.audit.action === "question.assigned"
        ? { ...change, ask: change.ask && { ...change.ask, assignee_id: null, assignee_name: null } }
        : change,
    "a reply that is forgotten": (change) => ({ ...change, ask: change.ask && { ...change.ask, reply_key: null } }),
    "a question that keeps its status": (change) => ({ ...change, question_statuses: [] }),
    "a result that is not announced": (change) => ({
      ...change,
      messages: change.messages.filter((message) => message.type !== "tool_result"),
    }),
    "a deadline that is forgotten": (change) => ({
      ...change,
      asks: change.asks.map((ask) => ({ ...ask, deadline_at: null })),
    }),
  };

  test.each(Object.entries(bugs))("%s", async (_, spoil) => {
    const wrap = (db: Database): Database => ({ ...db, write: (change) => db.write(spoil(change)) });
    const { violations } = await compareWithReference(await testOptions("sqlite", 2_000), wrap);
    expect(violations.join()).toContain("differs");
  });
});
