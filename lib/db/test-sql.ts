import type { Database } from "./database.ts";
import { Query } from "./query.ts";
import type { Reader } from "./snapshot.ts";
import { type Params, Statement } from "./statement.ts";

/** For tests that look into the tables: `?` for each parameter. */
export function readRows<Row>(db: Reader, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return db.read(new Query<Params, Row>(named(sql)), paramsOf(values));
}

/** For tests that change the tables behind Parley's back. */
export function execute(db: Pick<Database, "run">, sql: string, values: readonly unknown[] = []): Promise<number> {
  return db.run(new Statement(named(sql), paramsOf(values)));
}

function named(sql: string): string {
  let next = 0;
  return sql.replace(/\?/g, () => `@p${next++}`);
}

function paramsOf(values: readonly unknown[]): Params {
  return Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
}
