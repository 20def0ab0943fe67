import type { DecidedBy } from "../../protocol/actor.ts";
import type { AuditAction } from "../../protocol/audit.ts";
import { newId } from "../../protocol/ids.ts";
import { TEAM_RECORD } from "../../protocol/space.ts";
import type { Database } from "../database.ts";
import { ConflictError } from "../errors.ts";
import { toJson } from "../json.ts";
import { recordedRows } from "../record/team.ts";
import type { Reader } from "../snapshot.ts";
import { Statement } from "../statement.ts";
import { RECORDED, type RowChange } from "./recorded.ts";
import type { TeamStatement } from "./statements.ts";

/** Who did what to people, keys, spaces or sessions. `about` never holds a secret. */
export type TeamEvent = { action: AuditAction; actor: DecidedBy; at: number; before?: unknown; after: object };

/** What an event of the team has besides what people read: what it did to the rows. */
export type RecordedTogether = { rows: RowChange[]; chain?: number | null };

/**
 * Writes rare changes together with their audit event and the new version of the team, all or nothing. False if a statement
 * did not write the rows it says: someone else was faster.
 */
export async function changeTeam(db: Database, statements: TeamStatement[], event: TeamEvent | null): Promise<boolean> {
  const rows = statements.flatMap(({ change }) => change ?? []);
  const unrecorded = event ? undefined : rows.find(({ table }) => !RECORDED[table]?.endsAlone);
  if (unrecorded) throw new Error(`a change of ${unrecorded.table} needs an event that records it`);
  return write(db, [NEXT_VERSION, ...statements, ...(event ? recorded(event, { rows }) : [])]);
}

/** Records all rows as they are, as the beginning of what can be replayed. `chain` is when the chain of seals began. */
export async function recordTeam(
  db: Pick<Database, "runAll"> & Reader,
  event: Omit<TeamEvent, "action" | "after">,
  chain: number | null,
): Promise<boolean> {
  const { version, rows } = await recordedRows(db);
  const puts = rows.map(([table, put]): RowChange => ({ table, put }));
  const unchanged = new Statement(
    "update team_state set version = version + 1 where id = 'state' and version = @version",
    { version },
    1,
  );
  return write(db, [unchanged, ...recorded({ ...event, action: "team.recorded", after: {} }, { chain, rows: puts })]);
}

/** Records what changed nothing about the team, so that no node has to read it again. */
export async function recordRefusals(db: Database, event: TeamEvent): Promise<void> {
  await db.runAll(recorded(event, { rows: [] }));
}

/** Writes one-time tokens, which change nothing about the team yet: strangers cause this as often as they like. */
export async function changeTokens(db: Database, statements: Statement[]): Promise<boolean> {
  return write(db, statements);
}

async function write(db: Pick<Database, "runAll">, statements: Statement[]): Promise<boolean> {
  try {
    await db.runAll(statements);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

/** First: it locks the row, so that changes of all nodes come one after the other. */
const NEXT_VERSION = new Statement("update team_state set version = version + 1 where id = 'state'", {}, 1);

/** The update comes first: it locks the row under which the events are numbered. */
function recorded({ action, actor, at, before = null, after }: TeamEvent, more: RecordedTogether): Statement[] {
  const params = {
    id: TEAM_RECORD,
    at,
    action,
    actor: toJson(actor),
    before: before === null ? null : toJson(before),
    after: toJson({ ...after, ...more }),
    command_id: newId("command", at),
  };
  return [
    new Statement(
      "update conversation set last_audit = last_audit + 1, updated_at = @at where id = @id",
      { id: TEAM_RECORD, at },
      1,
    ),
    new Statement(
      `insert into audit_event (conversation_id, number, action, actor, at, before, after, command_id, first_sequence, messages)
       select id, last_audit, @action, @actor, @at, @before, @after, @command_id, last_sequence + 1, 0
       from conversation where id = @id`,
      params,
      1,
    ),
  ];
}
