import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { search, searchAfterKills } from "./search.ts";

test.each(["sqlite", "postgresql"] as const)(
  "after kill -9 while the index is written, every question is found once on %s",
  async (kind) => {
    const { violations, figures } = await runSmall(search, kind);
    expect(violations).toEqual([]);
    expect(figures.kills).toBe(search.size.small);
    for (const progress of ["questions", "settled"]) expect(figures[progress], progress).toBeGreaterThan(0);
  },
);

test("questions that are missing from the index are detected", async () => {
  const options = await testOptions("sqlite", 1);
  const spoil = () => {
    const db = new Sqlite(options.databaseUrl.slice("file:".length), { timeout: 10_000 });
    db.exec("delete from search_entry");
    db.close();
  };
  const { violations } = await searchAfterKills(options, spoil);
  expect(violations.join("\n")).toMatch(/^needle\w+: found "", and it is (open|closed)$/m);
});
