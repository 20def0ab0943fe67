import { list } from "../query.ts";
import type { Params } from "../statement.ts";

/** Conditions on rows, with their parameters. */
export type Conditions = { sql: string; params: Params };

/** Collects conditions that must all hold. */
export class Where {
  readonly #conditions: string[];
  #params: Params = {};

  constructor(conditions: string[]) {
    this.#conditions = conditions;
  }

  add(condition: string, params: Params = {}): void {
    this.#conditions.push(condition);
    this.with(params);
  }

  /** Adds parameters that are used elsewhere in the statement. */
  with(params: Params): void {
    this.#params = { ...this.#params, ...params };
  }

  oneOf(column: string, name: string, values: string | string[] | undefined): void {
    if (values === undefined) return;
    const { marks, params } = list(name, [values].flat());
    this.add(`${column} in (${marks})`, params);
  }

  between(column: string, { since, until }: { since?: string | undefined; until?: string | undefined }): void {
    if (since !== undefined) this.add(`${column} >= @since`, { since: Date.parse(since) });
    if (until !== undefined) this.add(`${column} < @until`, { until: Date.parse(until) });
  }

  conditions(): Conditions {
    return { sql: `where ${this.#conditions.join(" and ")}`, params: this.#params };
  }
}
