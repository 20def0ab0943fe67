import type { Actor } from "../protocol/actor.ts";
import type { AuditAction } from "../protocol/audit.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { PersonRef } from "../protocol/people.ts";
import type { Ask, Claim } from "./ask.ts";
import { isPending, type Move, requirePending } from "./lifecycle.ts";

// Who has claimed an open ask or is assigned to it. A claim says "I'm on it" and expires, so that a forgotten claim cannot
// block an agent. An assignment stays until someone changes it. Neither appears in the thread.

/** The ask as it is by now: without a claim that has expired. */
export function withClaimAt(ask: Ask, now: number): Ask {
  return ask.claim && !claimAt(ask, now) ? { ...ask, claim: null } : ask;
}

/** The claim that holds now. Ignores one that has expired. */
export function claimAt({ claim }: Pick<Ask, "claim">, now: number): Claim | null {
  return claim && claim.expires_at > now ? claim : null;
}

/** Claims the ask, or renews the caller's claim. `takeOver`: even if someone else has claimed it. */
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
 * Undefined if it is already assigned to them. Assigning ends anyone else's claim. `given` is the person whose delegate gets
 * it; the record names both.
 */
export function assign(ask: Ask, assignee: PersonRef | null, given = assignee): Move | undefined {
  requirePending(ask);
  if (ask.assignee?.id === assignee?.id) return undefined;
  const isKept = assignee === null || ask.claim?.by.id === assignee.id;
  const move = step(ask, "question.assigned", { assignee, claim: isKept ? ask.claim : null });
  return given?.id === assignee?.id ? move : { ...move, after: { ...move.after, delegated_by: given } };
}

/**
 * Refuses an answer while someone else has claimed the ask, unless the caller takes over. Callers without an account have no
 * claims.
 */
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
