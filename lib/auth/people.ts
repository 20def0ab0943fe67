import { parseJson } from "../db/json.ts";
import type { OneTimeTokenRow, PersonRow } from "../db/tables.ts";
import { listTokens } from "../db/team/read.ts";
import { endResetLinksOf, requireAnotherAdmin, spendToken, updatePerson as updateRow } from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import type { InvitationView, NewInvitation, PersonChange } from "../protocol/people.ts";
import { type AuthContext, change, noSuch } from "./context.ts";
import { endHoldings, give, losesAccess } from "./holdings.ts";
import { newOneTimeToken, type TokenData, tokenInvalid } from "./one-time-tokens.ts";

/** Changes a person's name or role, or disables them. Disabling or demoting them ends everything they hold. */
export async function updatePerson(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  given: PersonChange,
  now: number,
): Promise<PersonRow> {
  const person = ctx.directory.person(id);
  if (!person) throw noSuch("person", id);
  const after = { ...person, ...given };
  const losesAdmin =
    person.role === "admin" && person.status === "active" && (after.role !== "admin" || after.status !== "active");
  const statements = [
    ...(losesAdmin ? [requireAnotherAdmin(id)] : []),
    updateRow(id, { ...given, updated_at: now }),
    ...(losesAccess(person, after) ? endHoldings(id, now) : []),
  ];
  const { name, role, status } = person;
  const event = {
    action: "person.changed" as const,
    actor: decidedBy(actor),
    at: now,
    before: { person_id: id, name, role, status },
    after: { person_id: id, ...given },
  };
  if (!(await change(ctx, statements, event)))
    throw invalidRequest([
      { path: "role", message: "cannot be taken from the last admin: make someone else an admin first" },
    ]);
  return ctx.directory.person(id) ?? after;
}

/** A link that lets a person set a new password. Earlier ones stop working. */
export async function createResetLink(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  now: number,
): Promise<{ url: string; expires_at: string }> {
  const person = ctx.directory.person(id);
  if (person?.status !== "active") throw noSuch("active person", id);
  const { token, row, statement } = newOneTimeToken({
    kind: "reset",
    data: { person_id: id },
    created_by: actor.id ?? null,
    person_id: id,
    now,
  });
  await give(ctx, ctx.directory.person(actor.id ?? ""), [endResetLinksOf(id, now), statement], {
    action: "person.reset_created",
    actor: decidedBy(actor),
    at: now,
    after: { person_id: id },
  });
  return { url: `${ctx.publicUrl()}/reset#${token}`, expires_at: new Date(row.expires_at).toISOString() };
}

export async function createInvitation(
  ctx: AuthContext,
  actor: Actor,
  { login = undefined, role = "member", space_ids = [] }: NewInvitation,
  now: number,
): Promise<{ invitation: InvitationView; url: string }> {
  if (login !== undefined && ctx.directory.personByLogin(login))
    throw invalidRequest([{ path: "login", message: "has an account here already" }]);
  const unknown = space_ids.find((id) => !ctx.directory.team.spaces.has(id));
  if (unknown !== undefined) throw invalidRequest([{ path: "space_ids", message: `there is no space ${unknown}` }]);
  const data: TokenData["invite"] = { login: login ?? null, role, space_ids, invited_by: actor.name };
  const { token, row, statement } = newOneTimeToken({ kind: "invite", data, created_by: actor.id ?? null, now });
  const after = { invitation: row.id, login: login ?? null, role, space_ids };
  const event = { action: "invitation.created" as const, actor: decidedBy(actor), at: now, after };
  await give(ctx, ctx.directory.person(actor.id ?? ""), [statement], event);
  return { invitation: invitationView(row), url: `${ctx.publicUrl()}/join#${token}` };
}

export async function listInvitations(ctx: AuthContext, now: number): Promise<InvitationView[]> {
  return (await listTokens(ctx.db, "invite", now)).map(invitationView);
}

export async function revokeInvitation(ctx: AuthContext, actor: Actor, id: string, now: number): Promise<void> {
  const event = { action: "invitation.revoked" as const, actor: decidedBy(actor), at: now, after: { invitation: id } };
  if (!(await change(ctx, [spendToken({ id }, now)], event))) throw tokenInvalid();
}

function invitationView(row: OneTimeTokenRow): InvitationView {
  const { login, role, invited_by } = parseJson(row.data) as TokenData["invite"];
  return {
    id: row.id,
    login,
    role,
    invited_by,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
  };
}
