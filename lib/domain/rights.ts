import type { Actor, DecidedBy, Right } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";

/** Every use case names the right it needs, and checks it here. */
export function requireRight(actor: Actor, right: Right): void {
  if (actor.rights.includes(right)) return;
  throw new ParleyError("forbidden", `${actor.name} may not do this: the right to ${right} is missing.`);
}

/** A person may cancel any question, an agent only its own. */
export function requireCancelRight(actor: Actor, askedBy: DecidedBy): void {
  if (actor.rights.includes("answer")) return;
  if (actor.rights.includes("ask") && askedBy.kind === actor.kind && askedBy.name === actor.name) return;
  throw new ParleyError("forbidden", `${actor.name} may not cancel a question that somebody else asked.`);
}

export function decidedBy(actor: Actor): DecidedBy {
  return { kind: actor.kind, name: actor.name, surface: actor.surface };
}
