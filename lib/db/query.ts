import type { Params } from "./statement.ts";
import type { Table } from "./tables.ts";

// Reads through the driver. Only four folders may do this: lib/db/hot (every ask, answer, wait, inbox page and thread page),
// lib/db/record (the audit record, sealed after every commit and verified in one snapshot), lib/db/notify (polled every
// second) and lib/db/search (full-text indexes and counts). Every other read uses Prisma. `npm test` enforces it: only these
// folders may import this file.

/** One SELECT by key or index. */
export class Query<Params, Row> {
  /** For the compiler alone. */
  declare protected readonly types: (params: Params) => Row;
  readonly sql: string;

  constructor(sql: string) {
    this.sql = sql;
  }
}

/** Some columns of one table. */
export function select<Row, Names extends keyof Row & string>(table: Table<Row>, columns: readonly Names[]) {
  return <Params>(rest: string): Query<Params, Pick<Row, Names>> =>
    new Query(`select ${columns.join(", ")} from ${table.name} ${rest}`);
}

/** Names for the values of a short list: `@id0, @id1` and `{ id0: …, id1: … }`. */
export function list(name: string, values: readonly unknown[]): { marks: string; params: Params } {
  return {
    marks: values.map((_, index) => `@${name}${index}`).join(", "),
    params: Object.fromEntries(values.map((value, index) => [`${name}${index}`, value])),
  };
}
