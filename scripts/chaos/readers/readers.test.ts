import { describe, expect, test } from "vitest";
import type { Change } from "../../../lib/db/change.ts";
import type { Database } from "../../../lib/db/database.ts";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { readers, readWhileWriting } from "./readers.ts";

describe.each(DATABASES)("readers on %s", (kind) => {
  test("see outcomes with their answers, and every message once and in order", async () => {
    const { violations, figures } = await runSmall(readers, kind);
    expect(violations).toEqual([]);
    expect(Number(figures.reads)).toBeGreaterThanOrEqual(readers.size.small);
    expect(Number(figures.messages)).toBeGreaterThanOrEqual(readers.size.small);
  });
});

describe("detects", () => {
  const withBug =
    (spoil: (change: Change) => Change) =>
    (db: Database): Database => ({
      ...db,
      write: (change) => db.write(spoil(change)),
    });

  test("an outcome without its answer", async () => {
    const bug = withBug((change) => ({ ...change, answers: [] }));
    const { violations } = await readWhileWriting(await testOptions("sqlite", 200), bug);
    expect(violations.join("\n")).toContain("answered without its answers");
  });

  test("a message that is hidden from a reader", async () => {
    // A message below a cursor that has already passed it, as if numbers were taken outside the lock.
    const hides = (db: Database): Database => ({
      ...db,
      read: async (query, params) => {
        const rows = await db.read(query, params);
        const isHidden = (row: unknown) =>
          typeof row === "object" && row !== null && "sequence_num" in row && row.sequence_num === 7;
        return / from message\b/.test(query.sql) ? rows.filter((row) => !isHidden(row)) : rows;
      },
    });
    const { violations } = await readWhileWriting(await testOptions("sqlite", 200), hides);
    expect(violations.join("\n")).toContain("after message 6 came 8");
  });
});
