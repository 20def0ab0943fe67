import { TEAM_RECORD } from "../../protocol/space.ts";
import { Query, select } from "../query.ts";
import type { Reader } from "../snapshot.ts";
import { AUDIT_EVENT } from "../tables.ts";
import { RECORDED, recordedValues, type Values } from "../team/recorded.ts";

const VERSION = new Query<object, { version: number }>("select version from team_state where id = 'state'");

/** The rows that decide who may do what, as the record of the team has them, and their version, which was read first. */
export async function recordedRows(db: Reader): Promise<{ version: number; rows: Array<[table: string, Values]> }> {
  const version = (await db.read(VERSION, {}))[0]?.version ?? 0;
  const rows: Array<[string, Values]> = [];
  for (const [name, { table, key, columns, isCompared }] of Object.entries(RECORDED)) {
    const all = select(table, Object.keys(columns))<object>(`order by ${key.join(", ")}`);
    for (const row of await db.read(all, {})) {
      const values = recordedValues(name, row);
      if (isCompared(values)) rows.push([name, values]);
    }
  }
  return { version, rows };
}

const BEGINNINGS = select(AUDIT_EVENT, ["after"])<{ id: string }>(
  "where conversation_id = @id and action = 'team.recorded' order by number",
);

/** Whether all rows were recorded since this chain of seals began. */
export async function isTeamRecorded(db: Reader, chain: number | null): Promise<boolean> {
  const beginnings = await db.read(BEGINNINGS, { id: TEAM_RECORD });
  return beginnings.some(({ after }) => JSON.parse(after ?? "{}").chain === chain);
}
