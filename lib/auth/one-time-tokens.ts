import { parseJson, toJson } from "../db/json.ts";
import type { AuthSessionRow, OneTimeTokenRow, TokenKind } from "../db/tables.ts";
import { findToken } from "../db/team/read.ts";
import { insertToken, type TeamStatement } from "../db/team/statements.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { Role } from "../protocol/people.ts";
import type { DeviceRequest } from "../protocol/sign-in.ts";
import type { AuthContext } from "./context.ts";
import { digestOf, newToken } from "./secrets.ts";

/** What each kind of token remembers. */
export type TokenData = {
  setup: Record<string, never>;
  invite: { login: string | null; role: Role; space_ids: string[]; invited_by: string };
  reset: { person_id: string };
  device: DeviceRequest & { address: string; decision: DeviceOutcome | null };
  /** `invitation` is the hash of one. `again`: someone who is signed in proves who they are. */
  oidc: {
    state: string;
    nonce: string;
    verifier: string;
    invitation: string | null;
    again: { person_id: string; session_id: string } | null;
  };
  passkey: { challenge: string; person_id: string | null };
  /** A logout that the identity provider has asked for, so that nobody can send it again. */
  logout: Record<string, never>;
};
/** Who let a machine in, or refused, and what a terminal's session takes over from the session they used. */
export type DeviceOutcome = {
  allow: boolean;
  person_id: string;
  space_id: string | null;
  session: Pick<AuthSessionRow, "proof" | "sid">;
};

const MINUTE_MS = 60_000;
export const LASTS_MS: Record<TokenKind, number> = {
  setup: 24 * 60 * MINUTE_MS,
  invite: 7 * 24 * 60 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
  device: 15 * MINUTE_MS,
  oidc: 10 * MINUTE_MS,
  passkey: 5 * MINUTE_MS,
  logout: 15 * MINUTE_MS,
};

export type NewTokenRow<Kind extends TokenKind> = {
  kind: Kind;
  data: TokenData[Kind];
  created_by?: string | null;
  /** Whom it lets in or acts for, if that is known already. */
  person_id?: string | null;
  code?: string | null;
  now: number;
};

/** A new token: the secret, and the statement that stores its hash. */
export function newOneTimeToken<Kind extends TokenKind>({
  kind,
  data,
  created_by = null,
  person_id = null,
  code = null,
  now,
}: NewTokenRow<Kind>): { token: string; row: OneTimeTokenRow; statement: TeamStatement } {
  const token = `ott_${newToken()}`;
  const row: OneTimeTokenRow = {
    id: newId("token", now),
    hash: digestOf(token),
    kind,
    code,
    data: toJson(data as Record<string, unknown>),
    created_by,
    person_id,
    created_at: now,
    expires_at: now + LASTS_MS[kind],
    used_at: null,
  };
  return { token, row, statement: insertToken(row) };
}

type UsableToken<Kind extends TokenKind> = { row: OneTimeTokenRow; kind: Kind; data: TokenData[Kind] };

/** The token, if it still works. The same error whether it is unknown, used or expired, so that nobody learns which. */
export function findUsable<Kind extends TokenKind>(
  ctx: Pick<AuthContext, "db">,
  token: string,
  kinds: readonly Kind[],
  now: number,
): Promise<UsableToken<Kind>> {
  return findUsableByHash(ctx, digestOf(token), kinds, now);
}

export async function findUsableByHash<Kind extends TokenKind>(
  { db }: Pick<AuthContext, "db">,
  hash: string,
  kinds: readonly Kind[],
  now: number,
): Promise<UsableToken<Kind>> {
  const row = await findToken(db, hash);
  const kind = kinds.find((one) => one === row?.kind);
  if (!row || !kind || row.used_at !== null || row.expires_at <= now) throw tokenInvalid();
  return { row, kind, data: parseJson(row.data) as TokenData[Kind] };
}

export function tokenInvalid(): ParleyError {
  return new ParleyError(
    "token_invalid",
    "This link or code does not work: it was already used, has expired or is incomplete. Ask for a new one.",
  );
}
