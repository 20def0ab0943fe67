import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { parseJson, toJson } from "../db/json.ts";
import type { PasskeyRow, PersonRow } from "../db/tables.ts";
import { changeTokens } from "../db/team/change.ts";
import { findPasskey, listPasskeys as readPasskeys } from "../db/team/read.ts";
import {
  insertPasskey,
  removePasskey as removeRow,
  spendToken,
  type TeamStatement,
  updatePasskey,
} from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { PasskeyView } from "../protocol/sign-in.ts";
import { begin, type SignedIn } from "./accounts.ts";
import { type AuthContext, accountOf, change, noSuch, type Origin, requireTeam } from "./context.ts";
import { networkOf } from "./network.ts";
import { findUsable, newOneTimeToken, type TokenData, tokenInvalid } from "./one-time-tokens.ts";
import { liftedBy, requireMayEnrol } from "./strong-sign-in.ts";

// Passkeys are bound to the address that people use: its host is the relying party, its origin the only one accepted.

export type PasskeyOptions = { options: Record<string, unknown>; flow: string };

/** Asks for a passkey: any, to sign in, or one of this person's. */
export async function passkeyOptions(
  ctx: AuthContext,
  { address }: Origin,
  now: number,
  person_id: string | null = null,
): Promise<PasskeyOptions> {
  requireTeam(ctx);
  ctx.flowStarts.use(networkOf(address), now);
  const own = person_id === null ? [] : await readPasskeys(ctx.db, person_id);
  const options = await generateAuthenticationOptions({
    rpID: host(ctx),
    userVerification: "required",
    allowCredentials: own.map((row) => ({ id: row.id, ...transportsOf(row) })),
  });
  return {
    options: { ...options },
    flow: await keepChallenge(ctx, { challenge: options.challenge, person_id }, now),
  };
}

export async function passkeySignIn(
  ctx: AuthContext,
  { credential, flow }: { credential: object; flow: string },
  origin: Origin,
  now: number,
): Promise<SignedIn> {
  const { person, used } = await proven(ctx, { credential, flow }, null, now);
  return begin(ctx, person, { method: "passkey" }, origin, now, [used]);
}

/** A person who is signed in proves with one of their passkeys who they are. Returns what notes its use. */
export async function provenPasskey(
  ctx: AuthContext,
  person_id: string,
  { credential, flow }: { credential?: object | undefined; flow: string },
  now: number,
): Promise<TeamStatement> {
  try {
    const { person, used } = await proven(ctx, { credential: credential ?? {}, flow }, person_id, now);
    if (person.id === person_id) return used;
  } catch (error) {
    // That the passkey was refused says nothing about their session.
    if (!isParleyError(error) || error.code !== "unauthorized") throw error;
  }
  throw notAccepted();
}

/** Whose passkey this is. The challenge must have been made for this person, or for nobody in particular. */
async function proven(
  ctx: AuthContext,
  { credential, flow }: { credential: object; flow: string },
  madeFor: string | null,
  now: number,
): Promise<{ person: PersonRow; used: TeamStatement }> {
  const { challenge } = await spendChallenge(ctx, flow, (person_id) => person_id === madeFor, now);
  const response = credential as AuthenticationResponseJSON;
  const row = await findPasskey(ctx.db, response.id);
  const person = row && ctx.directory.person(row.person_id);
  if (!row || person?.status !== "active") throw refused();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: ctx.publicUrl(),
    expectedRPID: host(ctx),
    credential: {
      id: row.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
      counter: row.counter,
      ...transportsOf(row),
    },
    requireUserVerification: true,
  }).catch(() => {
    throw refused();
  });
  if (!verified) throw refused();
  return { person, used: updatePasskey(row.id, { counter: authenticationInfo.newCounter, used_at: now }) };
}

export async function newPasskeyOptions(ctx: AuthContext, actor: Actor, now: number): Promise<PasskeyOptions> {
  await requireMayEnrol(ctx, actor);
  return optionsFor(ctx, accountOf(ctx, actor), now);
}

/** For the first account, which does not exist yet: its id is decided here, because the passkey holds it. */
export async function firstPasskeyOptions(
  ctx: AuthContext,
  { token, name, login }: { token: string; name: string; login: string },
  now: number,
): Promise<PasskeyOptions> {
  await findUsable(ctx, token, ["setup"], now);
  const id = ctx.directory.personByLogin(login)?.id ?? newId("person", now);
  return optionsFor(ctx, { id, name, login }, now);
}

async function optionsFor(
  ctx: AuthContext,
  person: Pick<PersonRow, "id" | "name" | "login">,
  now: number,
): Promise<PasskeyOptions> {
  const known = await readPasskeys(ctx.db, person.id);
  const options = await generateRegistrationOptions({
    rpName: "Parley",
    rpID: host(ctx),
    userName: person.login,
    userDisplayName: person.name,
    userID: new TextEncoder().encode(person.id),
    attestationType: "none",
    excludeCredentials: known.map((row) => ({ id: row.id, ...transportsOf(row) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const data = { challenge: options.challenge, person_id: person.id };
  return { options: { ...options }, flow: await keepChallenge(ctx, data, now) };
}

export async function addPasskey(
  ctx: AuthContext,
  actor: Actor,
  { credential, name, flow }: { credential: object; name: string; flow: string },
  now: number,
): Promise<PasskeyView> {
  const person = accountOf(ctx, actor);
  await requireMayEnrol(ctx, actor);
  const row = await newPasskey(ctx, { credential, name, flow }, now, (person_id) => person_id === person.id);
  const event = {
    action: "passkey.added" as const,
    actor: decidedBy(actor),
    at: now,
    after: { passkey: row.id, name },
  };
  if (!(await change(ctx, [insertPasskey(row), ...liftedBy(actor)], event))) throw notAccepted();
  return passkeyView(row);
}

/** A passkey that a device has just made, for the person whom its challenge was made for. It is not stored yet. */
export async function newPasskey(
  ctx: AuthContext,
  { credential, name, flow }: { credential: object; name: string; flow: string },
  now: number,
  isFor: (person_id: string) => boolean = () => true,
): Promise<PasskeyRow> {
  const { challenge, person_id } = await spendChallenge(ctx, flow, (id) => id !== null && isFor(id), now);
  if (person_id === null) throw tokenInvalid();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: ctx.publicUrl(),
    expectedRPID: host(ctx),
    requireUserVerification: true,
  }).catch(() => {
    throw notAccepted();
  });
  if (!verified) throw notAccepted();
  const { id, publicKey, counter, transports } = registrationInfo.credential;
  return {
    id,
    person_id,
    public_key: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: transports ? toJson<string[]>(transports) : null,
    name,
    created_at: now,
    used_at: null,
  };
}

export async function listPasskeys(ctx: AuthContext, actor: Actor): Promise<PasskeyView[]> {
  return (await readPasskeys(ctx.db, accountOf(ctx, actor).id)).map(passkeyView);
}

export async function removePasskey(ctx: AuthContext, actor: Actor, id: string, now: number): Promise<void> {
  const person = accountOf(ctx, actor);
  const event = { action: "passkey.removed" as const, actor: decidedBy(actor), at: now, after: { passkey: id } };
  if (!(await change(ctx, [removeRow(id, person.id)], event))) throw noSuch("passkey", id);
}

async function keepChallenge(ctx: AuthContext, data: TokenData["passkey"], now: number): Promise<string> {
  const { token, statement } = newOneTimeToken({ kind: "passkey", data, person_id: data.person_id, now });
  await changeTokens(ctx.db, [statement]);
  return token;
}

/** A challenge works once, and only for the person it was issued to: nobody, if it was issued for signing in. */
async function spendChallenge(
  ctx: AuthContext,
  flow: string,
  isFor: (person_id: string | null) => boolean,
  now: number,
): Promise<TokenData["passkey"]> {
  const { row, data } = await findUsable(ctx, flow, ["passkey"], now);
  if (!isFor(data.person_id) || !(await changeTokens(ctx.db, [spendToken(row, now)]))) throw tokenInvalid();
  return data;
}

function host(ctx: AuthContext): string {
  return new URL(ctx.publicUrl()).hostname;
}

function transportsOf({ transports }: PasskeyRow): { transports?: AuthenticatorTransport[] } {
  const list = parseJson(transports);
  return list ? { transports: list as AuthenticatorTransport[] } : {};
}

function passkeyView({ id, name, created_at, used_at }: PasskeyRow): PasskeyView {
  return {
    id,
    name,
    created_at: new Date(created_at).toISOString(),
    used_at: used_at === null ? null : new Date(used_at).toISOString(),
  };
}

function refused(): ParleyError {
  return new ParleyError("unauthorized", "This passkey does not belong to an account here.", { reason: "sign_in" });
}

function notAccepted(): ParleyError {
  return invalidRequest([{ path: "credential", message: "was not accepted: try again with this device" }]);
}
