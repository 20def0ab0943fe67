import { describe, expect, test } from "vitest";
import type { Database } from "../../../lib/db/database.ts";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { deadlines, passDeadlines } from "./deadlines.ts";

describe.each(DATABASES)("deadlines on %s", (kind) => {
  test("each passes once and never early, and no person is named as the one who answered", async () => {
    const { violations, figures } = await runSmall(deadlines, kind);
    expect(violations).toEqual([]);
    expect(figures.questions).toBe(deadlines.size.small);
    for (const what of ["timeout", "restarts", "reopened", "default", "person"])
      expect(figures[what], what).toBeGreaterThan(deadlines.size.small / 25);
  });
});

test("detects a deadline that comes early", async () => {
  const early = (db: Database): Database => ({
    ...db,
    write: (change) =>
      db.write({
        ...change,
        asks: change.asks.map((ask) => ({ ...ask, deadline_at: (ask.deadline_at ?? 0) - 500 })),
        inbox: change.inbox.map((item) => ({ ...item, due_at: item.due_at - 500 })),
      }),
  });
  const node = { wrap: early };
  const { violations } = await passDeadlines({ ...(await testOptions("sqlite", 25)), node });
  expect(violations.join("\n")).toContain("settled before its deadline");
});
