import pg from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "../test-databases.ts";
import { readRows } from "../test-sql.ts";
import { prepareSearch } from "./prepare.ts";

test.each([
  "create extension pg_trgm",
  "create extension pg_trgm; create index search_text_trigrams on search_text using gin (text gin_trgm_ops)",
])("a node that begins while another one does this makes the index all the same: %s", async (sql) => {
  const database = await testDatabase("postgresql");
  const db = await database.open();
  const other = new pg.Client(database.url);
  await other.connect();
  await other.query(`begin; ${sql}`);
  const preparing = prepareSearch(db);
  const waiting = `select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => readRows(db, waiting, [])).toEqual([{ waiting: 1 }]);
  await other.query("commit");
  expect(await preparing).toBeUndefined();
  expect(await readRows(db, "select 1 as found from pg_class where relname = 'search_text_trigrams'", [])).toEqual([
    { found: 1 },
  ]);
  await other.end();
  await database.drop();
});
