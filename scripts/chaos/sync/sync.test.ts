import pg from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "../../database/postgres.mjs";
import { scenarioDatabase } from "../kit/scenario-database.ts";
import { buildServer } from "../kit/server-process.ts";
import { runSync, sync } from "./sync.ts";

const options = { times: sync.small.times, seed: 1, log: () => {} };

test("SQLite syncs its log before any acknowledgement", { timeout: 120_000 }, async ({ skip }) => {
  const {
    violations,
    figures,
    skipped = [],
  } = await sync.run({ ...options, databaseUrl: await scenarioDatabase("sqlite") });
  expect(violations).toEqual([]);
  expect(figures["of them writing"]).toBeGreaterThan(0);
  skip(skipped.length > 0, skipped.join());
  expect(figures.commits).toBeGreaterThan(sync.small.times);
});

test("a SQLite that does not wait for the disk is found out", { timeout: 120_000 }, async () => {
  const databaseUrl = await scenarioDatabase("sqlite");
  const { violations } = await runSync({ ...options, databaseUrl }, { PARLEY_CARELESS: "1" });
  expect(violations[0]).toMatch(/writes with .*"synchronous":0/);
});

test("PostgreSQL syncs its log before any acknowledgement", { timeout: 120_000 }, async ({ skip }) => {
  const databaseUrl = await scenarioDatabase("postgresql");
  const { violations, figures, skipped = [] } = await sync.run({ ...options, databaseUrl });
  expect(violations).toEqual([]);
  expect(figures.commits).toBeGreaterThan(sync.small.times);
  skip(skipped.length > 0, skipped.join());
});

const REFUSAL =
  "PostgreSQL runs with fsync or synchronous_commit off and could lose acknowledged answers. Turn both on.\n";

test("a PostgreSQL without fsync is refused", { timeout: 120_000 }, async () => {
  const postgres = await startPostgres({ fsync: "off" });
  try {
    expect(await refusal(postgres.url)).toEqual({ code: 1, stdout: "", stderr: REFUSAL });
  } finally {
    await postgres.stop();
  }
});

test("a PostgreSQL that commits before it has written is refused", { timeout: 120_000 }, async () => {
  const databaseUrl = await scenarioDatabase("postgresql");
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = off`);
  await client.end();
  expect(await refusal(databaseUrl)).toEqual({ code: 1, stdout: "", stderr: REFUSAL });
});

async function refusal(DATABASE_URL: string) {
  const program = await buildServer();
  return program.refused({ DATABASE_URL }).finally(program.remove);
}
