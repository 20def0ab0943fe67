import type { Table } from "./tables.ts";

// SQL that both databases understand, with parameters by name: `@conversation_id`.

/** One writing statement. In a transaction `rows`, if given, is how many rows it must write, or someone else was faster. */
export class Statement {
  readonly sql: string;
  readonly params: Params;
  readonly rows: number | undefined;

  constructor(sql: string, params: Params, rows?: number) {
    this.sql = sql;
    this.params = params;
    this.rows = rows;
  }
}

export type Params = Readonly<Record<string, unknown>>;

/** A SELECT of the rows in one JSON parameter, an array of objects: any number of rows with the same statement. */
export function selectJson<Row>(
  kind: "sqlite" | "postgresql",
  { types }: Table<Row>,
  columns: ReadonlyArray<keyof Row & string>,
  name: string,
): string {
  if (kind === "sqlite") {
    const values = columns.map((column) => `value ->> '${column}' as ${column}`);
    // SQLite takes ON CONFLICT behind a FROM for a join unless there is a WHERE.
    return `select ${values.join(", ")} from json_each(@${name}) where true`;
  }
  const typed = columns.map((column) => `${column} ${types[column]}`);
  return `select ${columns.join(", ")} from json_to_recordset(@${name}::json) as rows(${typed.join(", ")})`;
}

/** With PostgreSQL's placeholders, one number per name, and the name of each. */
export function numberParameters(sql: string): { text: string; names: string[] } {
  const names: string[] = [];
  const text = sql.replace(PARAMETER, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/**
 * With SQLite's placeholders, and the name of each. Its driver can bind by name too, but binding by name and copying rows for
 * it took 100 µs more CPU per round trip (measured on a busy machine: about 540 instead of 425 µs).
 */
export function placeParameters(sql: string): { text: string; names: string[] } {
  const names: string[] = [];
  const text = sql.replace(PARAMETER, (_, name: string) => {
    names.push(name);
    return "?";
  });
  return { text, names };
}

const PARAMETER = /@(\w+)/g;

/** The values of a statement's placeholders, in order. */
export function valuesOf(names: readonly string[], params: object): unknown[] {
  const values = params as Params;
  return names.map((name) => values[name]);
}
