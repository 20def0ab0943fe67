import type { Database } from "../database.ts";
import { Query } from "../query.ts";
import { Statement } from "../statement.ts";

const FAILURES = new Query<{ id: string }, { failures: number }>("select failures from channel where id = @id");

/** Notes that something arrived, or why it did not. Returns how often in a row it did not. */
export async function noteChannel(
  db: Database,
  id: string,
  { now, error }: { now: number; error: string | null },
): Promise<number> {
  const statement =
    error === null
      ? new Statement(
          `update channel set failures = 0, failing_since = null, last_error = null, verified_at = coalesce(verified_at, @now)
           where id = @id and (failures > 0 or verified_at is null)`,
          { id, now },
        )
      : new Statement(
          `update channel set failures = failures + 1, failing_since = coalesce(failing_since, @now), last_error = @error
           where id = @id`,
          { id, now, error },
        );
  await db.run(statement);
  return error === null ? 0 : ((await db.read(FAILURES, { id }))[0]?.failures ?? 0);
}
