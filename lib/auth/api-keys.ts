import type { ApiKeyRow, PersonRow } from "../db/tables.ts";
import { findKey, listKeys as readKeys } from "../db/team/read.ts";
import {
  insertKey,
  insertKeyPerson,
  removeResponsible,
  type TeamStatement,
  updateKey as updateRow,
} from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy } from "../domain/rights.ts";
import { canAnswerIn } from "../domain/team.ts";
import type { Actor } from "../protocol/actor.ts";
import type { KeyChange, KeyView, NewKey } from "../protocol/api-key.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import { EVERYONE } from "../protocol/space.ts";
import { type AuthContext, accountOf, change, noSuch } from "./context.ts";
import { give } from "./holdings.ts";
import { digestOf, hintOf, newApiKey } from "./secrets.ts";

const DAY_MS = 86_400_000;
const PERSONAL_DAYS = 90;

/** Lists the keys the caller owns or is responsible for; admins list everyone's. */
export async function listKeys(ctx: AuthContext, actor: Actor): Promise<KeyView[]> {
  const { id } = accountOf(ctx, actor);
  const keys = [...ctx.directory.team.keys];
  const ids = keys.flatMap(([key, { responsible }]) => (responsible.includes(id) ? [key] : []));
  const rows = await readKeys(ctx.db, actor.rights.includes("manage") ? undefined : { owner_id: id, ids });
  const isRevoked = ({ revoked_at }: ApiKeyRow) => (revoked_at === null ? 0 : 1);
  return rows.sort((a, b) => isRevoked(a) - isRevoked(b)).map((row) => keyView(ctx, row));
}

/** Returns the key itself, once. */
export async function createKey(
  ctx: AuthContext,
  actor: Actor,
  given: NewKey,
  now: number,
): Promise<{ key: KeyView; secret: string }> {
  const person = accountOf(ctx, actor);
  const { secret, row, statements, after } = newKey(ctx, person, given, now);
  await give(ctx, person, statements, { action: "key.created", actor: decidedBy(actor), at: now, after });
  return { key: keyView(ctx, row), secret };
}

/** A new key that a person makes, for themselves or for a space. */
export function newKey(
  ctx: AuthContext,
  maker: PersonRow,
  given: NewKey,
  now: number,
): { secret: string; row: ApiKeyRow; statements: TeamStatement[]; after: object } {
  const { kind, name } = given;
  const days =
    given.expires_in_days === undefined ? (kind === "personal" ? PERSONAL_DAYS : null) : given.expires_in_days;
  const agent = given.kind === "agent" ? given : undefined;
  const space_id = agent ? (agent.space_id ?? EVERYONE) : null;
  const responsible = agent?.responsible && [...new Set(agent.responsible)];
  if (space_id !== null && !canAnswerIn(ctx.directory.team, maker, space_id))
    throw new ParleyError("forbidden", "You can create agent keys only in spaces where you can answer.");
  if (responsible && space_id !== null) requireAnswerers(ctx, "responsible", responsible, space_id);
  const secret = newApiKey(kind);
  const row: ApiKeyRow = {
    id: newId("key", now),
    hash: digestOf(secret),
    kind,
    name,
    hint: hintOf(kind, secret),
    space_id,
    agent: agent?.agent ?? null,
    owner_id: responsible ? null : maker.id,
    can_report: agent?.can_report ?? false,
    created_at: now,
    expires_at: days === null ? null : now + days * DAY_MS,
    used_at: null,
    revoked_at: null,
  };
  const { id: key_id } = row;
  const statements = [
    insertKey(row),
    ...(responsible ? [held(key_id, maker.id), ...responsible.map((id) => answersFor(key_id, id))] : []),
  ];
  const { can_report } = row;
  const after = { key_id, kind, name, agent: row.agent, space_id, can_report, ...(responsible && { responsible }) };
  return { secret, row, statements, after };
}

/**
 * Gives a key a new secret. Its id stays, so its agent still sees its conversations. Only the people behind the key may have
 * it: someone who holds a personal key decides as its owner.
 */
export async function rotateKey(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  now: number,
): Promise<{ key: KeyView; secret: string }> {
  const person = accountOf(ctx, actor);
  const row = await reachableKey(ctx, actor, id);
  requireWorking(row);
  if (!isBehind(ctx, person, row))
    throw new ParleyError(
      "forbidden",
      "Only the people this key belongs to can give it a new secret. You can revoke it, or give an agent's key to someone else.",
    );
  if (row.space_id !== null && !canAnswerIn(ctx.directory.team, person, row.space_id))
    throw new ParleyError("forbidden", "You can no longer answer in the space of this key.");
  const secret = newApiKey(row.kind);
  const set = { hash: digestOf(secret), hint: hintOf(row.kind, secret) };
  const statements = [updateRow(id, set), ...(row.kind === "agent" ? [held(id, person.id)] : [])];
  const event = { action: "key.rotated" as const, actor: decidedBy(actor), at: now, after: { key_id: id } };
  await give(ctx, person, statements, event);
  return { key: keyView(ctx, { ...row, ...set }), secret };
}

/** Changes what an agent's key may do, or whose it is. Its id and secret stay, so its agent goes on as before. */
export async function updateKey(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  { can_report, owner_id, responsible }: KeyChange,
  now: number,
): Promise<KeyView> {
  const row = await reachableKey(ctx, actor, id);
  requireWorking(row);
  const { space_id } = row;
  if (row.kind === "personal" || space_id === null)
    throw new ParleyError("forbidden", "A personal key acts as its person, so it can only be replaced or revoked.");
  const people = owner_id === undefined ? responsible && [...new Set(responsible)] : [owner_id];
  if (people) requireAnswerers(ctx, owner_id === undefined ? "responsible" : "owner_id", people, space_id);
  const set = {
    ...(can_report !== undefined && { can_report }),
    ...(people && { owner_id: owner_id ?? null }),
  };
  const before = ctx.directory.team.keys.get(id)?.responsible ?? [];
  const statements = [
    updateRow(id, set),
    // People who had the key may still know its secret.
    ...(people ? [...before.map((one) => held(id, one)), removeResponsible(id)] : []),
    ...(people && owner_id === undefined ? people.map((one) => answersFor(id, one)) : []),
  ];
  const event = {
    action: "key.changed" as const,
    actor: decidedBy(actor),
    at: now,
    before: { key_id: id, can_report: Boolean(row.can_report), owner_id: row.owner_id, responsible: before },
    after: { key_id: id, ...set, ...(people && owner_id === undefined && { responsible: people }) },
  };
  await change(ctx, statements, event);
  return keyView(ctx, { ...row, ...set });
}

/** It stops working here at once, and on other nodes within seconds. */
export async function revokeKey(ctx: AuthContext, actor: Actor, id: string, now: number): Promise<KeyView> {
  const row = await reachableKey(ctx, actor, id);
  if (row.revoked_at !== null) return keyView(ctx, row);
  const event = { action: "key.revoked" as const, actor: decidedBy(actor), at: now, after: { key_id: id } };
  await change(ctx, [updateRow(id, { revoked_at: now })], event);
  return keyView(ctx, { ...row, revoked_at: now });
}

/** Finds a key the caller is behind, or any key for an admin. To everyone else, other people's keys do not exist. */
async function reachableKey(ctx: AuthContext, actor: Actor, id: string): Promise<ApiKeyRow> {
  const person = accountOf(ctx, actor);
  const row = await findKey(ctx.db, id);
  if (!row || !(isBehind(ctx, person, row) || actor.rights.includes("manage"))) throw noSuch("key", id);
  return row;
}

/** Whether a key is this person's, or they are responsible for it. */
function isBehind({ directory }: AuthContext, person: PersonRow, { id, owner_id }: ApiKeyRow): boolean {
  if (owner_id !== null) return owner_id === person.id;
  return directory.team.keys.get(id)?.responsible.includes(person.id) ?? false;
}

function requireWorking({ revoked_at }: ApiKeyRow): void {
  if (revoked_at !== null) throw new ParleyError("forbidden", "This key was revoked. Create another one.");
}

function requireAnswerers({ directory }: AuthContext, path: string, ids: string[], space_id: string): void {
  for (const id of ids) {
    const person = directory.person(id);
    if (!person || !canAnswerIn(directory.team, person, space_id))
      throw invalidRequest([{ path, message: `${id} is not a person who can answer in the space of this key` }]);
  }
}

const held = (key_id: string, person_id: string) => insertKeyPerson({ key_id, person_id, part: "held" });
const answersFor = (key_id: string, person_id: string) => insertKeyPerson({ key_id, person_id, part: "responsible" });

function keyView({ directory }: AuthContext, row: ApiKeyRow): KeyView {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const { id, kind, name, hint, agent, space_id, owner_id, can_report } = row;
  const nameOf = (person: string) => directory.team.people.get(person)?.name ?? person;
  const responsible = owner_id === null ? (directory.team.keys.get(id)?.responsible ?? []) : [];
  return {
    id,
    kind,
    name,
    hint,
    agent,
    space_id,
    owner_id,
    owner_name: owner_id === null ? null : nameOf(owner_id),
    responsible: responsible
      .map((person) => ({ id: person, name: nameOf(person) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    can_report: Boolean(can_report),
    created_at: new Date(row.created_at).toISOString(),
    expires_at: iso(row.expires_at),
    used_at: iso(row.used_at),
    revoked_at: iso(row.revoked_at),
  };
}
