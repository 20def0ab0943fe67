import type { AuthSessionRow, PersonRow } from "../db/tables.ts";
import { listSessions } from "../db/team/read.ts";
import { endSession, endSessionOf, insertSession, type TeamStatement } from "../db/team/statements.ts";
import type { Actor } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { AuthSessionView } from "../protocol/sign-in.ts";
import { type AuthContext, accountOf, change, type Origin, recordedAs } from "./context.ts";
import { digestOf, newToken } from "./secrets.ts";
import { SLIDES_MS, TERMINAL_MS } from "./seen.ts";

export type NewSession = { token: string; row: AuthSessionRow; statement: TeamStatement };

/** How a session begins. Its person proves then who they are, unless it says that they did so earlier. */
export type SessionStart = Pick<AuthSessionRow, "method"> &
  Partial<Pick<AuthSessionRow, "kind" | "confirmed_at" | "proof" | "sid">>;

/** Starts a session with a new token, so that a planted token is never used. */
export function newSession(
  person: Pick<PersonRow, "id">,
  { method, kind = "browser", ...how }: SessionStart,
  { address, userAgent }: Origin,
  now: number,
): NewSession {
  const token = newToken();
  const row: AuthSessionRow = {
    id: newId("authSession", now),
    hash: digestOf(token),
    person_id: person.id,
    kind,
    method,
    user_agent: userAgent.slice(0, 300),
    address,
    seen_from: null,
    created_at: now,
    seen_at: now,
    expires_at: now + (kind === "browser" ? SLIDES_MS : TERMINAL_MS),
    confirmed_at: now,
    proof: method === "passkey" || method === "oidc" ? method : null,
    sid: null,
    ...how,
  };
  return { token, row, statement: insertSession(row) };
}

export async function listAuthSessions(
  ctx: AuthContext,
  actor: Actor,
  token: string | undefined,
  now: number,
): Promise<AuthSessionView[]> {
  const own = token === undefined ? undefined : digestOf(token);
  const rows = await listSessions(ctx.db, accountOf(ctx, actor).id);
  return rows
    .filter(({ expires_at }) => expires_at > now)
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      method: row.method,
      device: row.user_agent,
      address: row.address,
      seen_from: row.seen_from ?? row.address,
      current: row.hash === own,
      created_at: new Date(row.created_at).toISOString(),
      seen_at: new Date(row.seen_at).toISOString(),
      expires_at: new Date(row.expires_at).toISOString(),
    }));
}

/** Ends one session, or all but the one that is used for this. Returns how many were ended. */
export async function endAuthSessions(
  ctx: AuthContext,
  actor: Actor,
  { id, token }: { id: string | undefined; token: string | undefined },
  now: number,
): Promise<number> {
  const person = accountOf(ctx, actor);
  const own = token === undefined ? "" : digestOf(token);
  const rows = await listSessions(ctx.db, person.id);
  const ended = rows.filter((row) => (id === undefined ? row.hash !== own : row.id === id));
  if (ended.length === 0) return 0;
  const event = {
    action: "session.ended" as const,
    actor: recordedAs(person),
    at: now,
    after: { sessions: ended.map((row) => row.id) },
  };
  await change(
    ctx,
    ended.map((row) => endSession(row.id)),
    event,
  );
  return ended.length;
}

/** Signs this browser or terminal out. */
export async function signOut(ctx: AuthContext, token: string): Promise<void> {
  await change(ctx, [endSessionOf(digestOf(token))], null);
}
