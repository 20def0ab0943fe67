import pg from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "../../throwaway/postgres.mjs";
import { buildServer } from "../kit/server-program.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { runSync, sync } from "./sync.ts";

test("SQLite syncs its log before any acknowledgement", async ({ skip }) => {
  const { violations, figures, skipped = [] } = await runSmall(sync, "sqlite");
  expect(violations).toEqual([]);
  expect(figures["of them writing"]).toBeGreaterThan(0);
  skip(skipped.length > 0, skipped.join());
  expect(figures.commits).toBeGreaterThan(sync.size.small);
});

test("a SQLite that does not wait for the disk is detected", async () => {
  const options = await testOptions("sqlite", sync.size.small);
  const { violations } = await runSync({ ...options, env: { PARLEY_CARELESS: "1" } });
  expect(violations[0]).toMatch(/writes with .*"synchronous":0/);
});

test("PostgreSQL syncs its log before any acknowledgement", async ({ skip }) => {
  const { violations, figures, skipped = [] } = await runSmall(sync, "postgresql");
  expect(violations).toEqual([]);
  expect(figures.commits).toBeGreaterThan(sync.size.small);
  skip(skipped.length > 0, skipped.join());
});

const REFUSAL =
  "PostgreSQL runs with fsync or synchronous_commit off and could lose acknowledged answers. Turn both on.\n";

test("a PostgreSQL without fsync is refused", async () => {
  const postgres = await startPostgres({ fsync: "off" });
  try {
    expect(await refusal(postgres.url)).toEqual({ code: 1, stdout: "", stderr: REFUSAL });
  } finally {
    await postgres.stop();
  }
});

test("a PostgreSQL that commits before it has written is refused", async () => {
  const { databaseUrl } = await testOptions("postgresql", 1);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = off`);
  await client.end();
  expect(await refusal(databaseUrl)).toEqual({ code: 1, stdout: "", stderr: REFUSAL });
});

async function refusal(DATABASE_URL: string) {
  const program = await buildServer();
  return program.refused({ DATABASE_URL });
}
