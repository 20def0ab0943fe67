import type { ApiKeyRow } from "../db/tables.ts";
import { findKey, listKeys as readKeys } from "../db/team/read.ts";
import { insertKey, type TeamStatement, updateKey } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import { canAnswerIn } from "../domain/team.ts";
import type { Actor } from "../protocol/actor.ts";
import type { KeyView, NewKey } from "../protocol/api-key.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import { EVERYONE } from "../protocol/space.ts";
import { type AuthContext, accountOf, change, noSuch } from "./context.ts";
import { digestOf, hintOf, newApiKey } from "./secrets.ts";

const DAY_MS = 86_400_000;
const PERSONAL_DAYS = 90;

/** Lists the caller's keys; admins list everyone's. */
export async function listKeys(ctx: AuthContext, actor: Actor): Promise<KeyView[]> {
  const owner = accountOf(ctx, actor);
  const rows = await readKeys(ctx.db, actor.rights.includes("manage") ? undefined : owner.id);
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
  const { secret, row, statement } = newKey(ctx, accountOf(ctx, actor).id, given, now);
  const after = { key_id: row.id, kind: row.kind, name: row.name, agent: row.agent, space_id: row.space_id };
  await change(ctx, [statement], { action: "key.created", actor: decidedBy(actor), at: now, after });
  return { key: keyView(ctx, row), secret };
}

/** A new key of a person. Who may not ask in a space cannot let an agent ask there. */
export function newKey(
  ctx: AuthContext,
  owner_id: string,
  given: NewKey,
  now: number,
): { secret: string; row: ApiKeyRow; statement: TeamStatement } {
  const { kind, name } = given;
  const days =
    given.expires_in_days === undefined ? (kind === "personal" ? PERSONAL_DAYS : null) : given.expires_in_days;
  const isAgent = given.kind === "agent";
  const space_id = isAgent ? (given.space_id ?? EVERYONE) : null;
  const owner = ctx.directory.person(owner_id);
  if (isAgent && (!owner || !canAnswerIn(ctx.directory.team, owner, space_id ?? EVERYONE)))
    throw new ParleyError("forbidden", "You can create agent keys only in spaces where you can answer.");
  const secret = newApiKey(kind);
  const row: ApiKeyRow = {
    id: newId("key", now),
    hash: digestOf(secret),
    kind,
    name,
    hint: hintOf(kind, secret),
    space_id,
    agent: isAgent ? given.agent : null,
    owner_id,
    can_report: isAgent ? (given.can_report ?? true) : false,
    created_at: now,
    expires_at: days === null ? null : now + days * DAY_MS,
    used_at: null,
    revoked_at: null,
  };
  return { secret, row, statement: insertKey(row) };
}

/** Gives a key a new secret. Its id stays, so its agent still sees its conversations. */
export async function rotateKey(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  now: number,
): Promise<{ key: KeyView; secret: string }> {
  const row = await ownKey(ctx, actor, id);
  if (row.revoked_at !== null) throw new ParleyError("forbidden", "This key was revoked. Create another one.");
  const secret = newApiKey(row.kind);
  const set = { hash: digestOf(secret), hint: hintOf(row.kind, secret) };
  const event = { action: "key.rotated" as const, actor: decidedBy(actor), at: now, after: { key_id: id } };
  await change(ctx, [updateKey(id, set)], event);
  return { key: keyView(ctx, { ...row, ...set }), secret };
}

/** It stops working here at once, and on other nodes within seconds. */
export async function revokeKey(ctx: AuthContext, actor: Actor, id: string, now: number): Promise<KeyView> {
  const row = await ownKey(ctx, actor, id);
  if (row.revoked_at !== null) return keyView(ctx, row);
  const event = { action: "key.revoked" as const, actor: decidedBy(actor), at: now, after: { key_id: id } };
  await change(ctx, [updateKey(id, { revoked_at: now })], event);
  return keyView(ctx, { ...row, revoked_at: now });
}

/** Finds one of the caller's keys, or any key for an admin. To everyone else, other people's keys do not exist. */
async function ownKey(ctx: AuthContext, actor: Actor, id: string): Promise<ApiKeyRow> {
  const row = await findKey(ctx.db, id);
  if (!row || (row.owner_id !== actor.id && !actor.rights.includes("manage"))) throw noSuch("key", id);
  return row;
}

function keyView({ directory }: AuthContext, row: ApiKeyRow): KeyView {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const { id, kind, name, hint, agent, space_id, owner_id, can_report } = row;
  return {
    id,
    kind,
    name,
    hint,
    agent,
    space_id,
    owner_id,
    owner_name: directory.person(owner_id)?.name ?? owner_id,
    can_report: Boolean(can_report),
    created_at: new Date(row.created_at).toISOString(),
    expires_at: iso(row.expires_at),
    used_at: iso(row.used_at),
    revoked_at: iso(row.revoked_at),
  };
}
