import { afterAll, expect, test } from "vitest";
import { openPool } from "./postgres.ts";
import { timeLimits } from "./postgres-connection.ts";
import { postgresServer } from "./test-databases.ts";

const pool = openPool(await postgresServer(), timeLimits(10));
afterAll(() => pool.end());

// An `error` event that nobody listens to is an uncaught exception, which fails the run.
test("a connection that breaks inside a transaction does not end the process", async () => {
  const client = await pool.connect();
  await client.query("begin");
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const ended = new Promise((resolve) => client.once("end", resolve));
  await pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
  await ended;
  await expect(client.query("commit")).rejects.toThrow();
  client.release(true);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
