import type { Actor } from "../protocol/actor.ts";
import type { AuditAction } from "../protocol/audit.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { PersonRef } from "../protocol/people.ts";
import type { Ask, Claim } from "./ask.ts";
import { isPending, type Move, requirePending } from "./lifecycle.ts";

// Who has an open ask. A claim says "I am on it", and ends by itself, so that nobody who forgets it can block an agent. An
// assignment stays until somebody changes it. Neither is a line in the thread.

/** The claim that holds now; one that has expired is none. */
export function claimAt({ claim }: Pick<Ask, "claim">, now: number): Claim | null {
  return claim && claim.expires_at > now ? claim : null;
}

/** Claims it, or renews one's own claim. `takeOver`: also if somebody else has it. */
export function claim(ask: Ask, by: PersonRef, expires_at: number, now: number, takeOver: boolean): Move {
  requirePending(ask);
  const held = claimAt(ask, now);
  if (held && held.by.id !== by.id && !takeOver) throw claimed(held);
  const at = held?.by.id === by.id ? held.at : now;
  return step(ask, "question.claimed", { claim: { by, at, expires_at } });
}

/** Undefined if nobody has claimed it. */
export function release(ask: Ask): Move | undefined {
  requirePending(ask);
  return ask.claim === null ? undefined : step(ask, "question.released", { claim: null });
}

/**
 * Undefined if it is assigned to them already. Whoever else had claimed it no longer has it: it was given to somebody. `given`
 * is the person for whom a delegate gets it; the record has both.
 */
export function assign(ask: Ask, assignee: PersonRef | null, given = assignee): Move | undefined {
  requirePending(ask);
  if (ask.assignee?.id === assignee?.id) return undefined;
  const isKept = assignee === null || ask.claim?.by.id === assignee.id;
  const move = step(ask, "question.assigned", { assignee, claim: isKept ? ask.claim : null });
  return given?.id === assignee?.id ? move : { ...move, after: { ...move.after, delegated_by: given } };
}

/** Whoever answers takes a claim of somebody else over, or is told whose it is. Who has no account claims nothing. */
export function requireUnclaimed(ask: Ask, { id }: Actor, now: number, takeOver: boolean): void {
  const held = claimAt(ask, now);
  if (held && held.by.id !== id && !takeOver && isPending(ask)) throw claimed(held);
}

function claimed({ by: { name }, at, expires_at }: Claim): ParleyError {
  return new ParleyError("claimed", `${name} is answering this question. To answer it anyway, send take_over: true.`, {
    claimed_by: name,
    claimed_at: new Date(at).toISOString(),
    expires_at: new Date(expires_at).toISOString(),
  });
}

function step(ask: Ask, action: AuditAction, change: Partial<Pick<Ask, "assignee" | "claim">>): Move {
  const after = { ...ask, ...change, version: ask.version + 1 };
  return {
    ask: after,
    action,
    question_id: ask.questions[0]?.question_id ?? null,
    answers: [],
    message: null,
    before: { assignee: ask.assignee, claimed_by: ask.claim?.by ?? null },
    after: { assignee: after.assignee, claimed_by: after.claim?.by ?? null },
  };
}
