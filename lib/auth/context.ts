import type { Database } from "../db/database.ts";
import { OutcomeUnknown } from "../db/errors.ts";
import type { PersonRow } from "../db/tables.ts";
import { changeTeam, type TeamEvent } from "../db/team/change.ts";
import type { TeamStatement } from "../db/team/statements.ts";
import type { Actor, DecidedBy } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Credentials } from "./credentials.ts";
import type { Directory } from "./directory.ts";
import type { Allowance, PasswordGuesses, Throttle } from "./throttle.ts";

/** Everything the use cases of people, sign-in, keys and spaces need. */
export type AuthContext = {
  db: Database;
  directory: Directory;
  credentials: Credentials;
  throttle: Throttle;
  passwordGuesses: PasswordGuesses;
  /** How often a network may begin to sign in with a passkey or the identity provider: each time leaves a row. */
  flowStarts: Allowance;
  /** How often a network may begin to let a device in: each time leaves a row. */
  deviceStarts: Allowance;
  /** How often a program may check whether it was let in. */
  devicePolls: Allowance;
  /** The address that people use, without a slash at its end. */
  publicUrl: () => string;
  /** The record of the team, which the hub keeps. */
  record: { begin: (now: number) => Promise<void>; changed: () => void };
  /** Tells other nodes that people, keys, spaces or sessions changed. */
  announce: () => void;
  passwordSignIn: boolean;
  /**
   * What the first account takes over from whoever used Parley alone, and what the record says of it. Written together with the
   * account. lib/notify sets it.
   */
  inheritance: (person_id: string) => { statements: TeamStatement[]; after: object };
};

export const NO_INHERITANCE: AuthContext["inheritance"] = () => ({ statements: [], after: {} });

/** Where a caller comes from, for throttling and for the list of sessions. No right depends on it. */
export type Origin = { address: string; userAgent: string };

/**
 * Writes a change with its audit event. It takes effect on this node immediately: the next request sees it. False if someone
 * else was faster.
 */
export async function change(ctx: AuthContext, statements: TeamStatement[], event: TeamEvent | null): Promise<boolean> {
  if (event) await ctx.record.begin(event.at);
  const isDone = await changeTeam(ctx.db, statements, event);
  if (!isDone) return false;
  ctx.credentials.forget();
  if (event) ctx.record.changed();
  ctx.announce();
  await ctx.directory.refresh().catch((error: unknown) => {
    // It is stored, so nobody may be told that it is not.
    throw new OutcomeUnknown("the team was changed and could not be read again", { cause: error });
  });
  return true;
}

/** A person as the record names them. */
export function recordedAs(
  { id, name }: Pick<PersonRow, "id" | "name">,
  surface: DecidedBy["surface"] = "browser",
): DecidedBy {
  return { kind: "person", name, surface, provenance: "sign_in", id };
}

/** The account behind an actor. */
export function accountOf(ctx: AuthContext, actor: Actor): PersonRow {
  const person = actor.id === undefined ? undefined : ctx.directory.person(actor.id);
  if (!person) throw new ParleyError("forbidden", "Only people with an account can do this.");
  return person;
}

/** Some ways to sign in exist only once someone has an account. */
export function requireTeam({ directory }: Pick<AuthContext, "directory">): void {
  if (directory.mode === "team") return;
  throw new ParleyError("forbidden", "Nobody has an account here yet. Create the first one with `parley team`.");
}

export function noSuch(what: string, id: string): ParleyError {
  return new ParleyError("not_found", `There is no ${what} ${id}.`, { path: id });
}
