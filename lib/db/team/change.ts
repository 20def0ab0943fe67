import type { DecidedBy } from "../../protocol/actor.ts";
import type { AuditAction } from "../../protocol/audit.ts";
import { newId } from "../../protocol/ids.ts";
import { TEAM_RECORD } from "../../protocol/space.ts";
import type { Database } from "../database.ts";
import { ConflictError } from "../errors.ts";
import { toJson } from "../json.ts";
import { Statement } from "../statement.ts";

/** Who did what to people, keys, spaces or sessions. `about` never holds a secret. */
export type TeamEvent = { action: AuditAction; actor: DecidedBy; at: number; before?: unknown; after: unknown };

/**
 * Writes rare changes together with their audit event and the new version of the team, all or nothing. False if a statement
 * did not write the rows it says: someone else was faster.
 */
export async function changeTeam(db: Database, statements: Statement[], event: TeamEvent | null): Promise<boolean> {
  return write(db, [NEXT_VERSION, ...statements, ...(event ? recorded(event) : [])]);
}

/** Writes one-time tokens, which change nothing about the team yet: strangers cause this as often as they like. */
export async function changeTokens(db: Database, statements: Statement[]): Promise<boolean> {
  return write(db, statements);
}

async function write(db: Database, statements: Statement[]): Promise<boolean> {
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
function recorded({ action, actor, at, before = null, after }: TeamEvent): Statement[] {
  const params = {
    id: TEAM_RECORD,
    at,
    action,
    actor: toJson(actor),
    before: before === null ? null : toJson(before),
    after: toJson(after),
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
