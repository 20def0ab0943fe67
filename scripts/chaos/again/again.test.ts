import { describe, expect, test } from "vitest";
import type { Database } from "../../../lib/db/database.ts";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { again, askAgain } from "./again.ts";

describe.each(DATABASES)("asking again on %s", (kind) => {
  test("one key is one question, however often replies are lost", async () => {
    const { violations, figures } = await runSmall(again, kind);
    expect(violations).toEqual([]);
    expect(figures.keys).toBe(again.size.small);
    for (const what of ["broken before", "broken after", "killed after", "answered", "timeout"])
      expect(figures[what], what).toBeGreaterThan(again.size.small / 10);
  });
});

test("detects a second question", async () => {
  const withoutKeys = (db: Database): Database => ({
    ...db,
    write: (change) => {
      if (change.guard.kind !== "ask") return db.write(change);
      return db.write({ ...change, asks: change.asks.map((ask) => ({ ...ask, idempotency_key: null })) });
    },
  });
  const { violations } = await askAgain(await testOptions("sqlite", 30), withoutKeys);
  expect(violations.join("\n")).toContain("found several asks");
});
