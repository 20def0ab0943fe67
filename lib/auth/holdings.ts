import type * as TABLES from "../db/tables.ts";
import type { PersonRow, Table } from "../db/tables.ts";
import type { TeamEvent } from "../db/team/change.ts";
import {
  endKeysOf,
  endProofsOf,
  endSessionsOf,
  endTokensOf,
  requireUnchanged,
  type TeamStatement,
  updatePerson,
  withdrawFromKeys,
} from "../db/team/statements.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Role } from "../protocol/people.ts";
import { type AuthContext, change } from "./context.ts";

// Everything that lets a person in, or acts for them. It ends in the change that disables or demotes the person, so that
// nothing can be used afterwards, and nothing comes back if they do.

/** The columns in which a table names the person that a row belongs to, or who made it. */
type NamesPerson = "person_id" | "owner_id" | "created_by";
type HasPerson<T> = T extends Table<infer Row> ? (Extract<keyof Row, NamesPerson> extends never ? never : T) : never;
type Tables = typeof TABLES;
/** Every table with such a column: a new one does not compile until it is listed below. */
type TableOfPerson = { [Name in keyof Tables]: HasPerson<Tables[Name]> extends never ? never : Name }[keyof Tables];

/** How a table's rows end, or why they may stay. */
type Holding = ((person_id: string, now: number) => TeamStatement[]) | { stays: string };

export const HOLDINGS: Record<TableOfPerson, Holding> = {
  ONE_TIME_TOKEN: (person_id, now) => endTokensOf(person_id, now),
  AUTH_SESSION: (person_id) => [endSessionsOf(person_id)],
  API_KEY: (person_id, now) => [endKeysOf(person_id, now)],
  KEY_PERSON: (person_id) => [withdrawFromKeys(person_id)],
  AUTH_IDENTITY: { stays: "proves who someone is, and lets in nobody who is disabled" },
  PASSKEY: { stays: "proves who someone is, and lets in nobody who is disabled" },
  SPACE_MEMBER: { stays: "says what an active person sees" },
  SPACE_WISH: { stays: "is a preference" },
  CHANNEL: { stays: "is used only for people who may see the question" },
  NOTIFICATION: { stays: "records what was sent" },
  SNOOZE: { stays: "hides a question only from that person" },
  DRAFT: { stays: "can be read only by an active person" },
};

export const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** Whether a change takes something away from a person, so that what they hold must end. */
export function losesAccess(before: Pick<PersonRow, "role" | "status">, after: typeof before): boolean {
  return after.status !== "active" || RANK[after.role] < RANK[before.role];
}

/** Ends everything a person holds. */
export function endHoldings(person_id: string, now: number): TeamStatement[] {
  return Object.values(HOLDINGS).flatMap((end: Holding) => (typeof end === "function" ? end(person_id, now) : []));
}

/**
 * Ends everything a person holds, and every way in which they could prove who they are: someone else may have made the account.
 * The caller adds the new way.
 */
export function startOver(person_id: string, now: number): TeamStatement[] {
  const set = { password_hash: null, login_proven: true, updated_at: now };
  return [...endHoldings(person_id, now), ...endProofsOf(person_id), updatePerson(person_id, set)];
}

/**
 * Writes something that a person holds from now on. Fails if the person was disabled or given another role since this request
 * began: what they held has ended already, and this would outlast it.
 */
export async function give(
  ctx: AuthContext,
  person: PersonRow | undefined,
  statements: TeamStatement[],
  event: TeamEvent,
): Promise<void> {
  const guards = person ? [requireUnchanged(person)] : [];
  if (await change(ctx, [...guards, ...statements], event)) return;
  throw new ParleyError("unauthorized", "Your account has changed in the meantime. Sign in again.", {
    reason: "ended",
  });
}
