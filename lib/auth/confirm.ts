import { hasIdentity, listPasskeys, listSessions } from "../db/team/read.ts";
import { requireUnchanged, type TeamStatement, updateSession } from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { CONFIRMED_MS, decidedBy, isConfirmed } from "../domain/rights.ts";
import type { Actor, ActorSession } from "../protocol/actor.ts";
import { type ConfirmMethod, ParleyError } from "../protocol/errors.ts";
import { isRight, requirePasswords } from "./accounts.ts";
import type { Auth } from "./auth.ts";
import { type AuthContext, accountOf, change, type Origin } from "./context.ts";
import { provenPasskey } from "./passkeys.ts";

// Some changes would outlast a session that someone else has got hold of. Before them, the person proves again who they are.

/** Throws unless the person has just proved who they are, and says how they can. */
export async function requireConfirmed(
  { ctx, oidc, hasPasskeys }: Pick<Auth, "ctx" | "oidc" | "hasPasskeys">,
  actor: Actor,
  host: string | undefined,
  now: number,
): Promise<void> {
  if (isConfirmed(actor, now)) return;
  const { id, password_hash } = accountOf(ctx, actor);
  // Another node may have heard it a moment ago.
  const session = (await listSessions(ctx.db, id)).find((row) => row.id === sessionOf(actor).id);
  if (session && isConfirmed({ session: { ...sessionOf(actor), confirmed_at: session.confirmed_at ?? 0 } }, now))
    return;
  const methods: ConfirmMethod[] = [
    ...(hasPasskeys(host) && (await listPasskeys(ctx.db, id)).length > 0 ? ["passkey" as const] : []),
    ...(ctx.passwordSignIn && password_hash !== null ? ["password" as const] : []),
  ];
  if (methods.length === 0 && oidc && (await hasIdentity(ctx.db, id))) methods.push("oidc");
  throw new ParleyError(
    "confirm_required",
    "Confirm first that it is you: your last proof in this session is more than 10 minutes old. Browsers ask you; in a terminal, sign in again with `parley login --answer`.",
    {
      methods,
    },
  );
}

/** Confirms who someone is. Guesses of a password count as they do when signing in. Returns how long it lasts. */
export async function confirm(
  ctx: AuthContext,
  actor: Actor,
  { password, ...passkey }: { password?: string | undefined; credential?: object | undefined; flow: string },
  origin: Origin,
  now: number,
): Promise<number> {
  const person = accountOf(ctx, actor);
  const { id, proof } = sessionOf(actor);
  let others: TeamStatement[] = [];
  if (password !== undefined) {
    requirePasswords(ctx);
    if (!(await isRight(ctx, person.login, person.password_hash, password, origin)))
      throw invalidRequest([{ path: "password", message: "is not your password" }]);
  } else others = [await provenPasskey(ctx, person.id, passkey, now)];
  const method = password === undefined ? ("passkey" as const) : "password";
  const set = { confirmed_at: now, ...(method === "passkey" && proof === null && { proof: method }) };
  const statements = [requireUnchanged(person), ...others, updateSession(id, set)];
  const event = {
    action: "person.confirmed" as const,
    actor: decidedBy(actor),
    at: now,
    after: { session: id, method, address: origin.address },
  };
  if (!(await change(ctx, statements, event))) throw ended();
  return now + CONFIRMED_MS;
}

/** The session that a person is signed in with. */
export function sessionOf({ session }: Actor): ActorSession {
  if (session === "proxy")
    throw new ParleyError(
      "forbidden",
      "The proxy in front of Parley signs you in, so Parley never asks you to confirm.",
    );
  if (!session) throw ended();
  return session;
}

function ended(): ParleyError {
  return new ParleyError("unauthorized", "Your session has ended. Sign in again.", { reason: "ended" });
}
