import type { Actor, DecidedBy, Right, Rights, Scope } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import { NO_NAME } from "../protocol/no-name.ts";

/** Every use case names the right it needs, and checks it here. */
export function requireRight(actor: Actor, right: Right): void {
  if (actor.rights.includes(right)) return;
  throw new ParleyError("forbidden", `${actor.name} may not do this: the right to ${right} is missing.`);
}

/** Every entry point declares the rights of which its caller needs one, and its door checks them here. */
export function requireOneOf(actor: Actor, rights: Rights): void {
  for (const right of rights) if (actor.rights.includes(right)) return;
  if (isHeldBack(actor)) throw strongSignInRequired();
  throw new ParleyError("forbidden", `${actor.name} may not do this: the right to ${rights.join(" or ")} is missing.`);
}

/** Whether the team requires a stronger sign-in than that of the actor's session. */
export const isHeldBack = ({ rights }: Actor): boolean => rights.includes("enrol");

export function strongSignInRequired(): ParleyError {
  return new ParleyError(
    "unauthorized",
    "Your team requires a passkey or the identity provider. Sign in with one of them, or add a passkey on the sign-in page.",
    { reason: "strong_sign_in" },
  );
}

/** How long a proof of who someone is lasts, for changes that ask for one. */
export const CONFIRMED_MS = 10 * 60_000;

/** Whether the person has proved who they are a short while ago. A proxy that signs people in answers for them at any time. */
export function isConfirmed({ session }: Pick<Actor, "session">, now: number): boolean {
  return session === "proxy" || (session !== undefined && now - session.confirmed_at < CONFIRMED_MS);
}

/** What decides who sees a conversation. Neither ever changes. */
export type Place = { space_id: string; api_key_id: string | null };

export function canSee({ scope = "all" }: Actor, { space_id, api_key_id }: Place): boolean {
  if (scope === "all") return true;
  return "key" in scope ? api_key_id === scope.key : scope.spaces.includes(space_id);
}

/** Who has no account sees everything, because nobody has one. */
export const scopeOf = ({ scope = "all" }: Actor): Scope => scope;

/** Whether the actor sees every conversation, so that nothing needs to be read to decide it. */
export const seesAll = ({ scope = "all" }: Actor): boolean => scope === "all";

/** A person may cancel any question, an agent only its own. */
export function requireCancelRight(actor: Actor, askedBy: DecidedBy): void {
  if (actor.rights.includes("answer")) return;
  if (actor.rights.includes("ask") && isSame(actor, askedBy)) return;
  throw new ParleyError("forbidden", `${actor.name} may not cancel another agent's question.`);
}

/** Whether two are the same, as far as Parley can tell. */
export function isSame(one: DecidedBy, other: DecidedBy): boolean {
  return idOf(one) === idOf(other);
}

/** Who has no account and no key is only known by the name they gave, among those of their kind. */
function idOf({ id, kind, name }: DecidedBy): string {
  return id ?? `${kind}:${name}`;
}

/** The agent of a conversation, for a caller who gave no name; any other caller acts under its own. */
export function inTheNameOf(agent: string, actor: Actor): Actor {
  return actor.unnamed ? underName(agent, actor) : actor;
}

/** The same caller under another name. */
export function underName(name: string, actor: Actor): Actor {
  const { unnamed: _, ...rest } = actor;
  return { ...rest, name };
}

/** The agent as the record names it when it reports what a person decided. */
export function asReporter(agent: Actor): Actor {
  return { ...agent, provenance: "reported" };
}

/** The person who decided, according to the agent. Parley never saw them, so they have no rights. */
export function reportedPerson(agent: Actor, name: string | undefined): Actor {
  return { kind: "person", name: name || NO_NAME, surface: agent.surface, provenance: "reported", rights: [] };
}

/** Always with the same fields: JSON leaves out those that are undefined. */
export function decidedBy({ kind, name, surface, provenance, id }: Actor): DecidedBy {
  return { kind, name, surface, provenance, id };
}
