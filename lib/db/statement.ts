/** `rows` is how many it must write; otherwise nothing of its transaction is kept, and the caller has lost a race. */
export type Statement = { sql: string; params: unknown[]; rows: number };

/** With the placeholders of PostgreSQL. */
export function numberParameters(sql: string): string {
  let parameter = 0;
  return sql.replace(/\?/g, () => `$${++parameter}`);
}
