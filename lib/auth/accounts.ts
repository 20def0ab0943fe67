import { toJson } from "../db/json.ts";
import type { PasskeyRow, PersonRow } from "../db/tables.ts";
import {
  endResetLinksOf,
  endSessionsOf,
  insertMember,
  insertPasskey,
  insertPerson,
  requireNobody,
  requireUnchanged,
  spendToken,
  type TeamStatement,
  updatePerson,
} from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { PersonView } from "../protocol/people.ts";
import type { MyChange, NewAccount } from "../protocol/sign-in.ts";
import { type AuthContext, accountOf, change, type Origin, recordedAs } from "./context.ts";
import { findUsable, tokenInvalid } from "./one-time-tokens.ts";
import { checkPassword, hashPassword, requireGoodPassword } from "./passwords.ts";
import { digestOf } from "./secrets.ts";
import { newSession, type SessionStart } from "./sessions.ts";

/** Who signed in, and the token of their session. */
export type SignedIn = { person: PersonRow; token: string; expires_at: number };

/** How the first person will sign in. */
export type FirstProof = { password: string; passkey?: undefined } | { passkey: PasskeyRow; password?: undefined };

/** Creates the first account, with the link that Parley printed on its console. Of several who try at once, one succeeds. */
export async function setUp(
  ctx: AuthContext,
  { token, name, login, password, passkey }: { token: string; name: string; login: string } & FirstProof,
  origin: Origin,
  now: number,
): Promise<SignedIn> {
  const { row } = await findUsable(ctx, token, ["setup"], now);
  if (password !== undefined) requireGoodPassword(password, login, name);
  const password_hash = password === undefined ? null : await hashPassword(password);
  // After going back to single-person use, people can set up again with the same login.
  const before = ctx.directory.personByLogin(login);
  const created = newPerson({ name, login, role: "admin", login_proven: true, password_hash, now });
  const person = before
    ? {
        ...before,
        name,
        role: "admin" as const,
        status: "active" as const,
        login_proven: true,
        password_hash,
        updated_at: now,
      }
    : { ...created, id: passkey?.person_id ?? created.id };
  // The passkey was made for another login than the one that is given now.
  if (passkey && passkey.person_id !== person.id) throw tokenInvalid();
  const method = passkey ? "passkey" : "password";
  const { token: session, row: sessionRow, statement } = newSession(person, { method }, origin, now);
  const { id: _, ...columns } = person;
  const inherited = ctx.inheritance(person.id);
  const statements = [
    spendToken(row, now),
    requireNobody(),
    before ? updatePerson(person.id, columns) : insertPerson(person),
    ...(passkey ? [insertPasskey(passkey)] : []),
    statement,
    ...inherited.statements,
  ];
  const after = { person_id: person.id, login, role: person.role, ...inherited.after };
  const isDone = await change(ctx, statements, { action: "person.joined", actor: recordedAs(person), at: now, after });
  if (!isDone) throw tokenInvalid();
  return { person, token: session, expires_at: sessionRow.expires_at };
}

/** Creates an account from an invitation. */
export async function acceptInvitation(
  ctx: AuthContext,
  { token, name, login: given, password }: NewAccount,
  origin: Origin,
  now: number,
): Promise<SignedIn> {
  requirePasswords(ctx);
  const { row, data } = await findUsable(ctx, token, ["invite"], now);
  const login = data.login ?? given;
  if (login === undefined)
    throw invalidRequest([{ path: "login", message: "is missing: choose what you sign in with" }]);
  requireGoodPassword(password, login, name);
  requireFree(ctx, login);
  const login_proven = data.login !== null;
  const password_hash = await hashPassword(password);
  const person = newPerson({ name, login, role: data.role, login_proven, password_hash, now });
  const session = newSession(person, { method: "link" }, origin, now);
  const joined = await join(ctx, person, data.space_ids, [spendToken(row, now), session.statement], now);
  if (!joined) {
    requireFree(ctx, login);
    throw tokenInvalid();
  }
  return { person, token: session.token, expires_at: session.row.expires_at };
}

/** Adds a person and makes them a member of some spaces, together with what else must be true. */
export async function join(
  ctx: AuthContext,
  person: PersonRow,
  space_ids: readonly string[],
  others: TeamStatement[],
  now: number,
): Promise<boolean> {
  const known = space_ids.filter((id) => ctx.directory.team.spaces.has(id));
  const statements = [
    ...others,
    insertPerson(person),
    ...known.map((space_id) => insertMember({ space_id, person_id: person.id, created_at: now })),
  ];
  const after = { person_id: person.id, login: person.login, role: person.role, spaces: known };
  return change(ctx, statements, { action: "person.joined", actor: recordedAs(person), at: now, after });
}

/** Passwords can be turned off, so that only passkeys and the identity provider let people in. */
export function requirePasswords({ passwordSignIn }: AuthContext): void {
  if (passwordSignIn) return;
  throw new ParleyError("forbidden", "Passwords are turned off here (PASSWORD_SIGN_IN). Sign in another way.");
}

function requireFree(ctx: AuthContext, login: string): void {
  if (ctx.directory.personByLogin(login))
    throw invalidRequest([{ path: "login", message: "has an account here already: sign in instead" }]);
}

/** All failures read the same, and take equally long, so that nobody learns which logins exist. */
export async function signIn(
  ctx: AuthContext,
  { login, password }: { login: string; password: string },
  origin: Origin,
  now: number,
): Promise<SignedIn> {
  requirePasswords(ctx);
  const person = ctx.directory.personByLogin(login);
  const usable = person?.status === "active" ? person.password_hash : null;
  if (!(await isRight(ctx, login, usable, password, origin)) || !person) throw signInFailed();
  return begin(ctx, person, { method: "password" }, origin, now);
}

/** Checks a password, which counts as a guess unless it is right. */
export async function isRight(
  ctx: AuthContext,
  login: string,
  stored: string | null,
  password: string,
  { address }: Origin,
): Promise<boolean> {
  const attempt = ctx.passwordGuesses.attempt(login, address);
  try {
    const matches = await checkPassword(stored, password);
    if (matches) attempt.succeeded();
    return matches;
  } catch (error) {
    attempt.unchecked();
    throw error;
  }
}

export function signInFailed(): ParleyError {
  return new ParleyError("unauthorized", "That login and password do not match any account.", { reason: "sign_in" });
}

/** Starts a session for someone who has proved their identity. */
export async function begin(
  ctx: AuthContext,
  person: PersonRow,
  how: SessionStart,
  origin: Origin,
  now: number,
  others: TeamStatement[] = [],
): Promise<SignedIn> {
  const session = newSession(person, how, origin, now);
  const event = {
    action: "person.signed_in" as const,
    actor: recordedAs(person),
    at: now,
    after: { session: session.row.id, method: how.method, address: origin.address },
  };
  const isDone = await change(ctx, [requireUnchanged(person), ...others, session.statement], event);
  if (!isDone) throw tokenInvalid();
  return { person, token: session.token, expires_at: session.row.expires_at };
}

/** Sets a new password with a link. Every session of the account ends, and a new one begins here. */
export async function resetPassword(
  ctx: AuthContext,
  { token, password }: { token: string; password: string },
  origin: Origin,
  now: number,
): Promise<SignedIn> {
  const { row, data } = await findUsable(ctx, token, ["reset"], now);
  const person = ctx.directory.person(data.person_id);
  if (person?.status !== "active") throw tokenInvalid();
  requireGoodPassword(password, person.login, person.name);
  const password_hash = await hashPassword(password);
  const session = newSession(person, { method: "link" }, origin, now);
  const statements = [
    spendToken(row, now),
    updatePerson(person.id, { password_hash, updated_at: now }),
    endResetLinksOf(person.id, now),
    endSessionsOf(person.id),
    session.statement,
  ];
  const event = {
    action: "person.password_changed" as const,
    actor: recordedAs(person),
    at: now,
    after: { by: "link", address: origin.address },
  };
  if (!(await change(ctx, statements, event))) throw tokenInvalid();
  return { person, token: session.token, expires_at: session.row.expires_at };
}

/** Changes the caller's password, and ends all their other sessions and the links that could set another. */
export async function changePassword(
  ctx: AuthContext,
  actor: Actor,
  { current, password, token }: { current: string | undefined; password: string; token: string | undefined },
  origin: Origin,
  now: number,
): Promise<void> {
  const person = accountOf(ctx, actor);
  // The current password confirms who someone is, so it must be right wherever it is sent.
  if (current !== undefined || person.password_hash !== null) {
    if (!(await isRight(ctx, person.login, person.password_hash, current ?? "", origin)))
      throw invalidRequest([{ path: "current", message: "is not your current password" }]);
  }
  requireGoodPassword(password, person.login, person.name);
  const password_hash = await hashPassword(password);
  const statements = [
    updatePerson(person.id, { password_hash, updated_at: now }),
    endResetLinksOf(person.id, now),
    endSessionsOf(person.id, token === undefined ? "" : digestOf(token)),
  ];
  await change(ctx, statements, {
    action: "person.password_changed",
    actor: recordedAs(person),
    at: now,
    after: { by: "themselves", address: origin.address },
  });
}

/** Changes the caller's profile or out-of-office state. */
export async function updateMe(ctx: AuthContext, actor: Actor, given: MyChange, now: number): Promise<PersonRow> {
  const person = accountOf(ctx, actor);
  const { out_of_office_until: until, quiet_hours, ...rest } = given;
  if (given.delegate_id === person.id) throw invalidRequest([{ path: "delegate_id", message: "cannot be yourself" }]);
  if (given.delegate_id && ctx.directory.person(given.delegate_id)?.status !== "active")
    throw invalidRequest([{ path: "delegate_id", message: "is not a person of this team" }]);
  const changed = {
    ...rest,
    ...(until !== undefined && { out_of_office_until: until === null ? null : Date.parse(until) }),
    ...(quiet_hours !== undefined && { quiet_hours: quiet_hours && toJson(quiet_hours) }),
  };
  await change(ctx, [updatePerson(person.id, { ...changed, updated_at: now })], {
    action: "person.changed",
    actor: recordedAs(person),
    at: now,
    after: { person_id: person.id, ...given },
  });
  return ctx.directory.person(person.id) ?? person;
}

export function newPerson({
  name,
  login,
  role,
  login_proven,
  password_hash,
  now,
}: Pick<PersonRow, "name" | "login" | "role" | "login_proven" | "password_hash"> & { now: number }): PersonRow {
  return {
    id: newId("person", now),
    login,
    name,
    role,
    status: "active",
    login_proven,
    password_hash,
    locale: null,
    time_zone: null,
    quiet_hours: null,
    out_of_office_until: null,
    delegate_id: null,
    active_at: now,
    created_at: now,
    updated_at: now,
  };
}

/** A person as colleagues see them. */
export function personView(person: PersonRow): PersonView {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const { id, name, login, role, status, delegate_id } = person;
  return {
    id,
    name,
    login,
    role,
    status,
    out_of_office_until: iso(person.out_of_office_until),
    delegate_id,
    active_at: iso(person.active_at),
    created_at: new Date(person.created_at).toISOString(),
  };
}
