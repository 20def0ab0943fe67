import type { Database } from "./database.ts";
import { toJson } from "./json.ts";
import { Statement, selectJson } from "./statement.ts";
import { ASK, type AskRow } from "./tables.ts";

/** An ask as it was at one moment: its next change makes another version. */
export type AskVersion = Pick<AskRow, (typeof VERSION)[number]>;
const VERSION = ["conversation_id", "tool_use_id", "version"] as const;

const PAGE = 200;

/**
 * Marks results as delivered. A result that was delivered and then withdrawn by a reopening is of another version and is
 * not marked, so no clocks are compared. Rows locked by another node are skipped; that node is marking them.
 */
export async function markDelivered(db: Database, delivered: AskVersion[], now: number): Promise<void> {
  for (let from = 0; from < delivered.length; from += PAGE) {
    const versions = delivered
      .slice(from, from + PAGE)
      .map(({ conversation_id, tool_use_id, version }) => ({ conversation_id, tool_use_id, version }));
    const listed = `(${VERSION.join(", ")}) in (${selectJson(db.kind, ASK, VERSION, "versions")})`;
    // Without skipping, two nodes that mark the same asks in different orders would wait for each other.
    const sql =
      db.kind === "postgresql"
        ? `update ask set delivered_at = @now from (
            select conversation_id, tool_use_id from ask where ${listed} for update skip locked
          ) as due where ask.conversation_id = due.conversation_id and ask.tool_use_id = due.tool_use_id`
        : `update ask set delivered_at = @now where ${listed}`;
    await db.run(new Statement(sql, { now, versions: toJson(versions) }));
  }
}
