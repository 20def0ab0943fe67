import type { Rights } from "./actor.ts";

/**
 * What callers do with conversations: which rights they need one of, and whether it changes the conversation or makes an
 * agent act. lib/hub/access.ts checks it.
 */
export const PURPOSES = {
  read: { needs: ["read"], changes: false, steers: false },
  ask: { needs: ["ask"], changes: true, steers: false },
  /** Give an agent an answer, or a question back to it. */
  answer: { needs: ["answer"], changes: true, steers: true },
  /** Begin a turn. */
  run: { needs: ["answer"], changes: true, steers: true },
  /** Claim, assign, extend, interrupt or close. */
  tend: { needs: ["answer"], changes: true, steers: false },
  /** Agents cancel only their own questions: domain/rights.ts. */
  cancel: { needs: ["answer", "ask"], changes: true, steers: false },
  /** Report what a person decided elsewhere, on one's own question: domain/reports.ts. */
  report: { needs: ["report"], changes: true, steers: false },
  allowMore: { needs: ["answer"], changes: true, steers: true },
} as const satisfies Record<string, PurposeRule>;

export type PurposeRule = { needs: Rights; changes: boolean; steers: boolean };
export type Purpose = keyof typeof PURPOSES;

/** What an entry point is about, and so what its caller must be allowed to use besides having the right. */
export type Resource =
  /** One conversation or something in it. */
  | "conversation"
  /** Several, each refused on its own. */
  | "conversations"
  /** A conversation that does not exist yet, in a space. */
  | "new conversation"
  /** Whatever the caller sees. */
  | "lists"
  /** The caller's own account, sessions, passkeys, keys and channels. */
  | "self"
  | "team"
  | "person"
  | "invitation"
  | "space"
  | "key"
  | "channel"
  | "notification"
  /** Nothing that belongs to anyone, or what a secret in the request unlocks. */
  | "none";

/** For an entry point that is about conversations: the rights follow from what it does with them. */
export const on = <const Of extends Resource, To extends Purpose>(resource: Of, to: To) => ({
  needs: PURPOSES[to].needs as (typeof PURPOSES)[To]["needs"],
  resource,
});
