import type pg from "pg";
import { afterAll, expect, test } from "vitest";
import { OutcomeUnknown, StorageError } from "./errors.ts";
import { inTransaction, openPool } from "./postgres.ts";
import { timeLimits } from "./postgres-connection.ts";
import { Statement } from "./statement.ts";
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

test("a lost reply to a commit is an unknown outcome, and a lost statement stored nothing", async () => {
  await pool.query("create table if not exists outcomes (n int)");
  const insert = (n: number) => new Statement("insert into outcomes (n) values (@n)", { n });
  /** Ends the connection at such a statement: a commit is carried out, and its reply lost. */
  const losing = async (sql: string) => {
    const client = await pool.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
    const lossy = async (text: string, values?: unknown[]) => {
      if (text === "commit") await query(text);
      if (text.startsWith(sql)) await pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
      return query(text, values);
    };
    return { connect: async () => Object.assign(client, { query: lossy }) } as unknown as pg.Pool;
  };
  await expect(inTransaction(await losing("commit"), [insert(1)])).rejects.toBeInstanceOf(OutcomeUnknown);
  const failed = await inTransaction(await losing("insert"), [insert(2)]).catch((error) => error);
  expect(failed).toBeInstanceOf(StorageError);
  expect(failed).not.toBeInstanceOf(OutcomeUnknown);
  expect((await pool.query("select n from outcomes")).rows).toEqual([{ n: 1 }]);
  await pool.query("drop table outcomes");
});
