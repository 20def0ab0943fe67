import type { SealedEvent } from "../../db/record/seals.ts";
import { recordedRows } from "../../db/record/team.ts";
import type { Reader } from "../../db/snapshot.ts";
import type { RecordedTogether } from "../../db/team/change.ts";
import { RECORDED, type RowChange, type Values } from "../../db/team/recorded.ts";
import { EVERYONE } from "../../protocol/space.ts";
import type { Report } from "./message-check.ts";

type Rows = Map<string, Values>;
type Tables = Map<string, Rows>;

/** Replays what the events of the team did to its rows, and compares the result with the rows. Needs a snapshot. */
export class TeamCheck {
  readonly #report: Report;
  /** When the chain of seals began. The replay begins with the rows that were recorded in it. */
  readonly #chain: number | null;
  readonly #actual: Tables;
  #replayed: Tables | undefined;

  private constructor(actual: Tables, chain: number | null, report: Report) {
    this.#actual = actual;
    this.#chain = chain;
    this.#report = report;
  }

  static async of(db: Reader, chain: number | null, report: Report): Promise<TeamCheck> {
    const actual: Tables = new Map();
    for (const [table, row] of (await recordedRows(db)).rows) rowsOf(actual, table).set(keyOf(table, row), row);
    return new TeamCheck(actual, chain, report);
  }

  follow({ action, number, after }: SealedEvent): void {
    const { rows, chain } = JSON.parse(after ?? "{}") as Partial<RecordedTogether>;
    if (action === "team.recorded" && chain === this.#chain) this.#replayed ??= new Map();
    if (!this.#replayed) return;
    if (!rows)
      this.#report(
        `event ${number} does not say which rows it changed: an older version of Parley, or something else, wrote it`,
        number,
      );
    // A later recording would hide what was changed before it.
    else if (action !== "team.recorded" || !this.#replayed.size) for (const row of rows) this.#apply(row);
  }

  end(number: number): void {
    if (!this.#replayed) return;
    for (const [table, { endsAlone }] of Object.entries(RECORDED)) {
      const [recorded, actual] = [rowsOf(this.#replayed, table), rowsOf(this.#actual, table)];
      for (const [key, row] of actual) {
        const expected = recorded.get(key);
        const name = nameOf(table, row);
        if (!expected) this.#report(`${name} is not in the record of the team`, number);
        else {
          const changed = Object.keys(row).filter((column) => row[column] !== (expected[column] ?? null));
          if (changed.length > 0) this.#report(`${name} was changed: ${changed.join(", ")}`, number);
        }
      }
      if (endsAlone) continue;
      for (const [key, row] of recorded)
        if (!actual.has(key)) this.#report(`${nameOf(table, row)} was removed`, number);
    }
  }

  #apply(change: RowChange): void {
    const recorded = RECORDED[change.table];
    if (!recorded || !this.#replayed) return;
    const { table } = change;
    const rows = rowsOf(this.#replayed, table);
    if ("put" in change) {
      const key = keyOf(table, change.put);
      // Sessions and links that are gone leave no trace here, so only those that still exist are kept.
      if (!recorded.endsAlone || this.#actual.get(table)?.has(key)) rows.set(key, change.put);
      return;
    }
    const { where } = change;
    const isOne = recorded.key.every((column) => where[column] !== undefined);
    const candidates = isOne ? [keyOf(table, where)] : [...rows.keys()];
    for (const key of candidates) {
      const row = rows.get(key);
      if (!row || !matches(row, where)) continue;
      if ("set" in change) rows.set(key, { ...row, ...change.set });
      else if (!change.except || !matches(row, change.except)) rows.delete(key);
    }
  }
}

/** Where nothing ever happened to people, keys and spaces, there are none. */
export async function checkNoTeam(db: Reader, report: (problem: string) => void): Promise<void> {
  for (const [table, row] of (await recordedRows(db)).rows) {
    const isDefault =
      (table === "space" && row.id === EVERYONE && row.open === true && !row.requires_second_person) ||
      (table === "team_state" && row.built_in_agents === false);
    if (!isDefault) report(`${nameOf(table, row)} is there, and there is no record of the team`);
  }
}

function rowsOf(tables: Tables, table: string): Rows {
  const known = tables.get(table);
  if (known) return known;
  const rows: Rows = new Map();
  tables.set(table, rows);
  return rows;
}

function keyOf(table: string, row: Values): string {
  return (RECORDED[table]?.key ?? []).map((column) => row[column]).join("\n");
}

function nameOf(table: string, row: Values): string {
  return `${table} ${keyOf(table, row).replaceAll("\n", " ")}`;
}

function matches(row: Values, wanted: Values): boolean {
  return Object.entries(wanted).every(([column, value]) => (row[column] ?? null) === value);
}
