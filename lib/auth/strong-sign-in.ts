import { hasIdentity, listPasskeys } from "../db/team/read.ts";
import { type TeamStatement, updateSession } from "../db/team/statements.ts";
import { isHeldBack } from "../domain/rights.ts";
import type { Actor, ActorSession } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Role } from "../protocol/people.ts";
import type { StrongSignIn } from "../protocol/space.ts";
import { type AuthContext, accountOf } from "./context.ts";

// A team can require a passkey or the identity provider, from its admins or from everyone. A session without either can then
// only get one.

/** Whether the team's policy holds back a session of someone with this role. */
export function holdsBack(policy: StrongSignIn, role: Role, session: ActorSession | "proxy" | undefined): boolean {
  if (!session || session === "proxy" || session.proof !== null) return false;
  return policy === "everyone" || (policy === "admins" && role === "admin");
}

/**
 * A session that is held back may add a passkey only to an account that has nothing better than a password, or a password
 * would be enough for everyone. A reset link is the way back for people who have lost theirs.
 */
export async function requireMayEnrol(ctx: AuthContext, actor: Actor): Promise<void> {
  if (!isHeldBack(actor)) return;
  const { id } = accountOf(ctx, actor);
  const { session } = actor;
  if (session !== undefined && session !== "proxy" && session.isByLink) return;
  if ((await listPasskeys(ctx.db, id)).length === 0 && !(await hasIdentity(ctx.db, id))) return;
  throw new ParleyError(
    "forbidden",
    "Sign in with the passkey or the identity provider that you already use. If you have lost it, ask an admin for a reset link.",
  );
}

/** A new passkey lifts a session that was held back: its person has just used it. */
export function liftedBy(actor: Actor): TeamStatement[] {
  const { session } = actor;
  if (!isHeldBack(actor) || !session || session === "proxy") return [];
  return [updateSession(session.id, { proof: "passkey" })];
}
