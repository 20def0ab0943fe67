import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { z } from "zod";
import type { PersonRow } from "../db/tables.ts";
import { changeTokens } from "../db/team/change.ts";
import { findIdentity, hasIdentity, listProviderSessions } from "../db/team/read.ts";
import {
  endSession,
  insertIdentity,
  insertToken,
  requireAnotherAdmin,
  spendToken,
  updatePerson,
} from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy } from "../domain/rights.ts";
import { SYSTEM } from "../protocol/actor.ts";
import { visibleName } from "../protocol/characters.ts";
import { ParleyError } from "../protocol/errors.ts";
import { Login, type Role } from "../protocol/people.ts";
import { begin, join, newPerson, type SignedIn } from "./accounts.ts";
import { type AuthContext, change, type Origin, recordedAs, requireTeam } from "./context.ts";
import { endHoldings, losesAccess, RANK, startOver } from "./holdings.ts";
import { networkOf } from "./network.ts";
import { findUsable, findUsableByHash, newOneTimeToken, type TokenData, tokenInvalid } from "./one-time-tokens.ts";
import { digestOf } from "./secrets.ts";
import { newSession, type SessionStart } from "./sessions.ts";

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** Who gets an account at their first sign-in without an invitation. */
  signUp: "invited" | "anyone" | { domain: string };
  /** The roles that groups at the provider give, as of each sign-in. The highest counts. */
  roles: ReadonlyMap<string, Role>;
  /** Whether only members of these groups may sign in; otherwise the others are no admins. */
  onlyGroups: boolean;
  scopes?: string;
  groupsClaim?: string;
  /** For providers without https, in tests. */
  allowInsecure?: boolean;
};

/** Signing in with an identity provider. The provider sends the browser to a page, which posts what it got: no GET signs in. */
export function createOidc(ctx: AuthContext, settings: OidcSettings) {
  let discovered: Promise<oidc.Configuration> | undefined;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  /** Read when it is first needed, and again after a failure: the provider may be down when Parley starts. */
  const provider = (): Promise<oidc.Configuration> => {
    // The id token is checked against the provider's keys, although it comes from the provider itself.
    const execute = [oidc.enableNonRepudiationChecks, ...(settings.allowInsecure ? [oidc.allowInsecureRequests] : [])];
    discovered ??= oidc
      .discovery(new URL(settings.issuer), settings.clientId, settings.clientSecret, undefined, {
        execute,
        timeout: 10,
      })
      .catch((error) => {
        discovered = undefined;
        throw failed(error);
      });
    return discovered;
  };
  const redirect_uri = () => `${ctx.publicUrl()}/sign-in/callback`;

  return {
    name: settings.name,

    /** Where to send the browser, and the token for its cookie: only the same browser can finish. */
    start: async (
      { token: invitation, again }: { token?: string | undefined; again: TokenData["oidc"]["again"] },
      { address }: Origin,
      now: number,
    ): Promise<{ url: string; flow: string }> => {
      requireTeam(ctx);
      ctx.flowStarts.use(networkOf(address), now);
      // Its hash: an invitation is never stored.
      const invited = invitation === undefined ? null : (await findUsable(ctx, invitation, ["invite"], now)).row.hash;
      const config = await provider();
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const data: TokenData["oidc"] = { state, nonce, verifier, invitation: invited, again };
      const { token, statement } = newOneTimeToken({ kind: "oidc", data, now });
      await changeTokens(ctx.db, [statement]);
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirect_uri(),
        scope: settings.scopes ?? "openid email profile",
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        ...(again && { prompt: "login", max_age: "0" }),
      });
      return { url: url.href, flow: token };
    },

    /**
     * The provider says that someone has signed out there (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that came
     * from that session, or all of that person's if the provider does not name one.
     */
    logOut: async (logoutToken: string, now: number): Promise<void> => {
      const { issuer, subject, sid, jti } = await readLogout(logoutToken);
      const person_id = subject === undefined ? undefined : await findIdentity(ctx.db, issuer, subject);
      // Someone who is unknown here has no sessions, whoever else has one with this id.
      const isUnknown = subject !== undefined && person_id === undefined;
      const ended = isUnknown ? [] : await listProviderSessions(ctx.db, { person_id, sid });
      const { row } = newOneTimeToken({ kind: "logout", data: {}, now });
      const once = insertToken({ ...row, hash: digestOf(`logout\n${issuer}\n${jti}`) });
      const after = { by: "provider", person_id: ended[0]?.person_id, sessions: ended.map(({ id }) => id) };
      const event = { action: "session.ended", actor: decidedBy(SYSTEM), at: now, after } as const;
      const isDone =
        ended.length === 0
          ? await changeTokens(ctx.db, [once])
          : await change(ctx, [once, ...ended.map(({ id }) => endSession(id))], event);
      if (!isDone) throw new Error("this logout token was sent before");
    },

    /** `url` is the whole address that the provider sent the browser to. */
    finish: async (url: string, flow: string, origin: Origin, now: number): Promise<SignedIn> => {
      if (!URL.canParse(url))
        throw invalidRequest([{ path: "url", message: "is not the address that the provider sent the browser to" }]);
      const { row, data } = await findUsable(ctx, flow, ["oidc"], now);
      // Consumed before calling the provider, so that a code is never used twice.
      if (!(await changeTokens(ctx.db, [spendToken(row, now)]))) throw tokenInvalid();
      const groupsClaim = settings.groupsClaim ?? "groups";
      const needsGroups = settings.roles.size > 0;
      const claims = await claimsOf(
        await provider(),
        { groupsClaim, needsGroups },
        new URL(new URL(url).search, redirect_uri()),
        data,
      );
      const known = await findIdentity(ctx.db, claims.issuer, claims.subject);
      const person = known === undefined ? undefined : ctx.directory.person(known);
      const how = startOf(claims, now);
      if (data.again) {
        if (person?.id !== data.again.person_id)
          throw refused("You signed in at the identity provider as someone else.");
        if ((how.confirmed_at ?? now) < row.created_at - SKEW_MS)
          throw refused("The identity provider did not ask you to sign in again. Sign out there, and try once more.");
      }
      if (person) {
        if (person.status !== "active") throw refused("Your account here is disabled. Ask an admin.");
        const replaced = data.again ? [endSession(data.again.session_id)] : [];
        return begin(ctx, await withRole(person, claims.groups, now), how, origin, now, replaced);
      }
      return firstSignIn(claims, data.invitation, how, origin, now);
    },
  };

  /** What a logout token says. Throws unless the provider has just made it for us, and for this purpose. */
  async function readLogout(token: string): Promise<{ issuer: string; subject?: string; sid?: string; jti: string }> {
    const { issuer, jwks_uri, id_token_signing_alg_values_supported } = (await provider()).serverMetadata();
    if (!jwks_uri) throw new Error("the provider publishes no keys");
    keys ??= createRemoteJWKSet(new URL(jwks_uri));
    const algorithms = id_token_signing_alg_values_supported?.filter((name) => !/^(HS|none)/.test(name));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: settings.clientId,
      algorithms: algorithms ?? ["RS256"],
      clockTolerance: SKEW_MS / 1_000,
      maxTokenAge: LOGOUT_MAX_AGE_S,
      requiredClaims: ["exp", "jti"],
    });
    const { typ = "JWT" } = protectedHeader;
    if (!/^(application\/)?(logout\+)?jwt$/i.test(typ)) throw new Error(`a ${typ} is no logout token`);
    const { jti, sub, sid } = LogoutClaims.parse(payload);
    if (payload.nonce !== undefined) throw new Error("a logout token has no nonce");
    if (sub === undefined && sid === undefined) throw new Error("a logout token says who, or which session");
    return { issuer, jti, ...(sub !== undefined && { subject: sub }), ...(sid !== undefined && { sid }) };
  }

  /** The person proved who they are when they signed in at the provider, which may have been earlier. */
  function startOf({ authTime, sid }: Claims, now: number): SessionStart {
    return { method: "oidc", confirmed_at: Math.min(now, authTime ?? now), sid };
  }

  /** The role that groups give to someone who would have this one; null if they may not sign in. */
  function roleOf(groups: readonly string[] | undefined, otherwise: Role): Role | null {
    const { roles, onlyGroups } = settings;
    // A provider that names no groups at all may lack a scope, which must not take anything from everyone.
    if (roles.size === 0 || groups === undefined) return otherwise;
    const [highest] = groups.flatMap((group) => roles.get(group) ?? []).sort((one, other) => RANK[other] - RANK[one]);
    if (highest) return highest;
    if (onlyGroups) return null;
    return otherwise === "admin" ? "member" : otherwise;
  }

  /** The person with the role that their groups give them now. Losing one ends what they hold. The last admin stays one. */
  async function withRole(person: PersonRow, groups: string[] | undefined, now: number): Promise<PersonRow> {
    const role = roleOf(groups, person.role);
    if (role === person.role) return person;
    const losesAll = role === null || losesAccess(person, { ...person, role });
    const statements = [
      ...(person.role === "admin" ? [requireAnotherAdmin(person.id)] : []),
      ...(losesAll ? endHoldings(person.id, now) : []),
      ...(role ? [updatePerson(person.id, { role, updated_at: now })] : []),
    ];
    const event = {
      action: "person.changed" as const,
      actor: recordedAs(person),
      at: now,
      before: { person_id: person.id, role: person.role },
      after: { person_id: person.id, ...(role && { role }), by: "group" },
    };
    const isDone = await change(ctx, statements, event);
    if (isDone && role === null) throw refused(NO_GROUP);
    return isDone ? (ctx.directory.person(person.id) ?? person) : person;
  }

  /** Links the identity to an account: one that has the same verified address, that of an invitation, or a new one. */
  async function firstSignIn(
    claims: Claims,
    invitation: string | null,
    how: SessionStart,
    origin: Origin,
    now: number,
  ): Promise<SignedIn> {
    const { issuer, subject, email, isVerified, name, groups } = claims;
    const identityOf = (person: PersonRow) =>
      insertIdentity({ issuer, subject, person_id: person.id, created_at: now });
    const existing = email === undefined ? undefined : ctx.directory.personByLogin(email);
    if (existing) {
      const isTheirs = isVerified && existing.status === "active" && !(await hasIdentity(ctx.db, existing.id, issuer));
      if (!isTheirs) throw refused("An account with your address exists here, and cannot be linked. Ask an admin.");
      // Nobody has checked that the login is theirs, so someone else may have taken it before them.
      const before = existing.login_proven ? [] : startOver(existing.id, now);
      const linked = await withRole(existing, groups, now);
      return begin(ctx, linked, how, origin, now, [...before, identityOf(existing)]);
    }
    if (email === undefined) throw refused("The identity provider did not say your email address.");
    const invited = invitation === null ? undefined : await findUsableByHash(ctx, invitation, ["invite"], now);
    const isInvited = invited && (invited.data.login === null || (invited.data.login === email && isVerified));
    const otherwise: Role = isInvited ? invited.data.role : "member";
    const byGroup = roleOf(groups, otherwise);
    if (byGroup === null) throw refused(NO_GROUP);
    const isNamed = isVerified && (groups ?? []).some((group) => settings.roles.has(group));
    if (!isInvited && !isNamed && !maySignUp(settings.signUp, email, isVerified))
      throw refused("You have no account here yet. Ask an admin for an invitation.");
    // An address that nobody has verified raises nobody.
    const role = isVerified || RANK[byGroup] < RANK[otherwise] ? byGroup : otherwise;
    const person = newPerson({ name: name ?? email, login: email, role, login_proven: true, password_hash: null, now });
    const session = newSession(person, how, origin, now);
    const used = isInvited ? [spendToken(invited.row, now)] : [];
    const spaces = isInvited ? invited.data.space_ids : [];
    const isDone = await join(ctx, person, spaces, [...used, identityOf(person), session.statement], now);
    if (!isDone) throw tokenInvalid();
    return { person, token: session.token, expires_at: session.row.expires_at };
  }
}

export type Oidc = ReturnType<typeof createOidc>;

type Claims = {
  issuer: string;
  subject: string;
  email: string | undefined;
  isVerified: boolean;
  name: string | undefined;
  /** Undefined if the provider did not name any. */
  groups: string[] | undefined;
  /** When the person signed in at the provider, if it says so. */
  authTime: number | undefined;
  /** The session at the provider, if it says which. */
  sid: string | null;
};

/** How old a logout token may be: shorter than Parley remembers that it has seen one. */
const LOGOUT_MAX_AGE_S = 10 * 60;

const LogoutClaims = z.object({
  jti: z.string().min(1),
  sub: z.string().min(1).optional(),
  sid: z.string().min(1).optional(),
  events: z.object({ "http://schemas.openid.net/event/backchannel-logout": z.looseObject({}) }),
});

/** How much its clock may differ from ours. */
const SKEW_MS = 60_000;

async function claimsOf(
  config: oidc.Configuration,
  { groupsClaim, needsGroups }: { groupsClaim: string; needsGroups: boolean },
  url: URL,
  checks: TokenData["oidc"],
): Promise<Claims> {
  try {
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
    const id = tokens.claims();
    if (!id) throw new Error("the provider sent no id token");
    // Many providers put the address or the groups only here.
    const isMissing = id.email === undefined || (needsGroups && id[groupsClaim] === undefined);
    const info = isMissing ? await oidc.fetchUserInfo(config, tokens.access_token, id.sub) : id;
    const email = Login.safeParse(info.email).data;
    const all: Record<string, unknown> = { ...info, ...id };
    const { name, [groupsClaim]: groups } = all;
    return {
      issuer: id.iss,
      subject: id.sub,
      email,
      isVerified: info.email_verified === true,
      name: typeof name === "string" ? visibleName(name).slice(0, 100) || undefined : undefined,
      groups: Array.isArray(groups) ? groups.map(String) : undefined,
      authTime: id.auth_time === undefined ? undefined : id.auth_time * 1_000,
      sid: typeof id.sid === "string" ? id.sid : null,
    };
  } catch (error) {
    throw failed(error);
  }
}

function maySignUp(signUp: OidcSettings["signUp"], email: string, isVerified: boolean): boolean {
  if (signUp === "anyone") return isVerified;
  return signUp !== "invited" && isVerified && email.endsWith(`@${signUp.domain.toLowerCase()}`);
}

const NO_GROUP = "You are in none of the groups that may use Parley. Ask an admin.";

function refused(message: string): ParleyError {
  return new ParleyError("unauthorized", message, { reason: "sign_in" });
}

/** The reason for a failed sign-in is for the admin, not for the person trying. */
function failed(cause: unknown): ParleyError {
  const error = refused("The identity provider could not sign you in. Try again, or ask an admin.");
  error.cause = cause;
  return error;
}
