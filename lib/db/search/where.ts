import type { Scope } from "../../protocol/actor.ts";
import { list } from "../query.ts";
import type { Params } from "../statement.ts";

/** Conditions on rows, with their parameters. */
export type Conditions = { sql: string; params: Params };

/** The key of the agent whose conversation a search entry belongs to. */
export const KEY_OF_ENTRY = (entry: string) =>
  `(select api_key_id from conversation where conversation.id = ${entry}.conversation_id)`;

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

  oneOf(column: string, name: string, values: string | readonly string[] | undefined): void {
    if (values === undefined) return;
    const all = [values].flat();
    if (all.length === 0) {
      this.add("1 = 0");
      return;
    }
    const { marks, params } = list(name, all);
    this.add(`${column} in (${marks})`, params);
  }

  /** Only what the caller sees. `space` and `key` are the space and the key of its conversation. */
  within(scope: Scope, space: string, key: string): void {
    if (scope === "all") return;
    if ("spaces" in scope) this.oneOf(space, "seen", scope.spaces);
    else this.add(`${key} = @own_key`, { own_key: scope.key });
  }

  between(column: string, { since, until }: { since?: string | undefined; until?: string | undefined }): void {
    if (since !== undefined) this.add(`${column} >= @since`, { since: Date.parse(since) });
    if (until !== undefined) this.add(`${column} < @until`, { until: Date.parse(until) });
  }

  conditions(): Conditions {
    return { sql: `where ${this.#conditions.join(" and ")}`, params: this.#params };
  }
}
