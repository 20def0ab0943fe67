import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StorageError } from "./errors.ts";
import { Query } from "./query.ts";
import { SqliteAside } from "./sqlite-aside.ts";
import { type TestDatabase, testDatabase } from "./test-databases.ts";

/** Takes long, and cannot be interrupted. */
const SLOW = new Query<object, { n: number }>(
  "with recursive c(n) as (select 1 union all select n + 1 from c limit 2000000) select max(n) as n from c",
);
const QUICK = new Query<object, { n: number }>("select count(*) as n from ask");

let database: TestDatabase;
let aside: SqliteAside;
const threads: Worker[] = [];
const noteThread = (thread: Worker) => threads.push(thread);
beforeEach(async () => {
  database = await testDatabase("sqlite");
  await database.open();
  aside = new SqliteAside(database.url.slice("file:".length));
  process.on("worker", noteThread);
});
afterEach(async () => {
  process.off("worker", noteThread);
  threads.length = 0;
  await aside.close();
  await database.drop();
});

test("reads that wait for a thread that crashes fail, and the next one has a new thread", async () => {
  expect(await aside.read(QUICK, {})).toEqual([{ n: 0 }]);
  const waiting = [SLOW, QUICK, QUICK].map((query) => aside.read(query, {}));
  expect(threads).toHaveLength(1);
  void threads[0]?.terminate();
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StorageError) });
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining("reader stopped") } });
  }
  expect(await Promise.all([aside.read(QUICK, {}), aside.read(QUICK, {})])).toEqual([[{ n: 0 }], [{ n: 0 }]]);
  expect(threads).toHaveLength(2);
});

test("a read that fails does not disturb those behind it", async () => {
  const wrong = new Query<object, object>("select * from no_such_table");
  const outcomes = await Promise.allSettled([aside.read(QUICK, {}), aside.read(wrong, {}), aside.read(QUICK, {})]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(threads).toHaveLength(1);
});
