import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { SignedIn } from "../auth/accounts.ts";
import * as accounts from "../auth/accounts.ts";
import * as keys from "../auth/api-keys.ts";
import type { Auth } from "../auth/auth.ts";
import { confirm, sessionOf } from "../auth/confirm.ts";
import { accountOf, type Origin } from "../auth/context.ts";
import * as devices from "../auth/device.ts";
import { bearerIn } from "../auth/identify.ts";
import { readLink } from "../auth/links.ts";
import { meOf } from "../auth/me.ts";
import * as passkeys from "../auth/passkeys.ts";
import * as people from "../auth/people.ts";
import {
  type Flow,
  flowCookie,
  flowIn,
  noSessionCookie,
  sessionCookie,
  sessionTokenIn,
} from "../auth/session-cookie.ts";
import * as sessions from "../auth/sessions.ts";
import * as spaces from "../auth/spaces.ts";
import * as team from "../auth/team-settings.ts";
import type { Actor } from "../protocol/actor.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import type { TEAM_OPERATIONS } from "../protocol/team-operations.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Handler } from "./handlers.ts";

type TeamHandlers = { [Id in keyof typeof TEAM_OPERATIONS]: Handler<Id> };

/** People, sign-in, keys and spaces. Sessions are in cookies that no script can read. */
export function teamHandlers(auth: Auth, clientOf: ClientAddress): TeamHandlers {
  const { ctx, refusals } = auth;
  const originOf = (req: IncomingMessage): Origin => ({
    address: clientOf(req),
    userAgent: req.headers["user-agent"] ?? "",
  });
  /** Browsers have the token of their session in a cookie, terminals send it as a header. */
  const tokenIn = (headers: IncomingHttpHeaders) => bearerIn(headers) ?? sessionTokenIn(headers, auth.isSecure());
  const signedIn = ({ person, token, expires_at }: SignedIn, res: ServerResponse, now: number) => {
    const maxAge = Math.floor((expires_at - now) / 1_000);
    const isSecure = auth.isSecure();
    const ended = [flowCookie("oidc", "", isSecure), flowCookie("passkey", "", isSecure)];
    res.setHeader("set-cookie", [sessionCookie(token, maxAge, isSecure), ...ended]);
    return { person: accounts.personView(person), page_secret: auth.pageSecrets.of(token) };
  };
  const isSignedIn = async (headers: IncomingHttpHeaders) => {
    if (ctx.directory.mode !== "team") return false;
    try {
      return (await auth.identify.request(headers)).kind === "person";
    } catch (error) {
      if (!isParleyError(error)) throw error;
      return false;
    }
  };
  const typedBy = ({ id }: Actor) => ({ method: "code" as const, login: ctx.directory.person(id ?? "")?.login });
  const requireOidc = () => {
    if (auth.oidc) return auth.oidc;
    throw new ParleyError("forbidden", "No identity provider is set up here (OIDC_ISSUER).");
  };
  const beginFlow = ({ res }: { res: ServerResponse }, flow: Flow, token: string) =>
    res.setHeader("set-cookie", flowCookie(flow, token, auth.isSecure()));

  return {
    me: async (_input, { actor }, { req }) => meOf(auth, actor, req.headers.host),
    updateMe: async ({ body }, { actor, now }) => ({
      person: accounts.personView(await accounts.updateMe(ctx, actor, body, now)),
    }),
    changePassword: async ({ body }, { actor, now }, { req }) => {
      const token = tokenIn(req.headers);
      const { current, password } = body;
      await accounts.changePassword(ctx, actor, { current, password, token }, originOf(req), now);
      return {};
    },
    readLink: ({ body }, { now }) => readLink(ctx, body.token, now),
    firstPasskeyOptions: async ({ body }, { now }, exchange) => {
      const { options, flow } = await passkeys.firstPasskeyOptions(ctx, body, now);
      beginFlow(exchange, "passkey", flow);
      return { options };
    },
    setUp: async ({ body: { password = "", passkey: made, ...account } }, { now }, { req, res }) => {
      const flow = flowIn("passkey", req.headers, auth.isSecure());
      const proof = made ? { passkey: await passkeys.newPasskey(ctx, { ...made, flow }, now) } : { password };
      return signedIn(await accounts.setUp(ctx, { ...account, ...proof }, originOf(req), now), res, now);
    },
    signIn: async ({ body }, { now }, { req, res }) =>
      signedIn(
        await refusals.noting({ method: "password", login: body.login }, originOf(req), () =>
          accounts.signIn(ctx, body, originOf(req), now),
        ),
        res,
        now,
      ),
    signOut: async (_input, _call, { req, res }) => {
      const token = tokenIn(req.headers);
      const { cookie: _, authorization: __, ...others } = req.headers;
      // A cookie without its page secret ends no session: another program on this host may have sent it.
      if (token !== undefined && (await isSignedIn(req.headers))) await sessions.signOut(ctx, token);
      res.setHeader("set-cookie", noSessionCookie(auth.isSecure()));
      if (await isSignedIn(others))
        throw new ParleyError("forbidden", "The proxy in front of Parley signs you in. Sign out there.");
      return {};
    },
    startOidc: async ({ body }, { actor, now }, exchange) => {
      const again = body.again ? { person_id: accountOf(ctx, actor).id, session_id: sessionOf(actor).id } : null;
      const { url, flow } = await requireOidc().start({ ...body, again }, originOf(exchange.req), now);
      beginFlow(exchange, "oidc", flow);
      return { url };
    },
    finishOidc: async ({ body }, { now }, { req, res }) =>
      signedIn(
        await refusals.noting({ method: "oidc" }, originOf(req), () =>
          requireOidc().finish(body.url, flowIn("oidc", req.headers, auth.isSecure()), originOf(req), now),
        ),
        res,
        now,
      ),
    passkeyOptions: async (_input, { now }, exchange) => {
      const { options, flow } = await passkeys.passkeyOptions(ctx, originOf(exchange.req), now);
      beginFlow(exchange, "passkey", flow);
      return { options };
    },
    passkeySignIn: async ({ body }, { now }, { req, res }) => {
      const given = { credential: body.credential, flow: flowIn("passkey", req.headers, auth.isSecure()) };
      const signIn = () => passkeys.passkeySignIn(ctx, given, originOf(req), now);
      return signedIn(await refusals.noting({ method: "passkey" }, originOf(req), signIn), res, now);
    },
    acceptInvitation: async ({ body }, { now }, { req, res }) =>
      signedIn(
        await refusals.noting({ method: "invitation" }, originOf(req), () =>
          accounts.acceptInvitation(ctx, body, originOf(req), now),
        ),
        res,
        now,
      ),
    resetPassword: async ({ body }, { now }, { req, res }) =>
      signedIn(
        await refusals.noting({ method: "reset" }, originOf(req), () =>
          accounts.resetPassword(ctx, body, originOf(req), now),
        ),
        res,
        now,
      ),
    startDevice: ({ body }, { now }, { req }) => devices.startDevice(ctx, body, originOf(req), now),
    pollDevice: ({ body }, { now }, { req }) =>
      refusals.noting({ method: "device" }, originOf(req), () =>
        devices.pollDevice(ctx, body.device_code, originOf(req), now),
      ),
    readDevice: ({ body }, { actor, now }, { req }) =>
      refusals.noting(typedBy(actor), originOf(req), () => devices.readDevice(ctx, actor, body.user_code, now)),
    decideDevice: async ({ body }, { actor, now }, { req }) => {
      await refusals.noting(typedBy(actor), originOf(req), () => devices.decideDevice(ctx, actor, body, now));
      return {};
    },
    confirmOptions: async (_input, { actor, now }, exchange) => {
      const { options, flow } = await passkeys.passkeyOptions(ctx, originOf(exchange.req), now, actor.id);
      beginFlow(exchange, "passkey", flow);
      return { options };
    },
    confirm: async ({ body }, { actor, now }, { req }) => {
      const flow = flowIn("passkey", req.headers, auth.isSecure());
      const method = body.password === undefined ? "passkey" : "password";
      const { login } = accountOf(ctx, actor);
      const until = await refusals.noting({ method, login }, originOf(req), () =>
        confirm(ctx, actor, { ...body, flow }, originOf(req), now),
      );
      return { confirmed_until: new Date(until).toISOString() };
    },
    listAuthSessions: async (_input, { actor, now }, { req }) => ({
      sessions: await sessions.listAuthSessions(ctx, actor, tokenIn(req.headers), now),
    }),
    endAuthSessions: async ({ body }, { actor, now }, { req }) => ({
      ended: await sessions.endAuthSessions(ctx, actor, { id: body.id, token: tokenIn(req.headers) }, now),
    }),
    listPasskeys: async (_input, { actor }) => ({ passkeys: await passkeys.listPasskeys(ctx, actor) }),
    newPasskeyOptions: async (_input, { actor, now }, exchange) => {
      const { options, flow } = await passkeys.newPasskeyOptions(ctx, actor, now);
      beginFlow(exchange, "passkey", flow);
      return { options };
    },
    addPasskey: async ({ body }, { actor, now }, { req }) => ({
      passkey: await passkeys.addPasskey(
        ctx,
        actor,
        { ...body, flow: flowIn("passkey", req.headers, auth.isSecure()) },
        now,
      ),
    }),
    removePasskey: async ({ body }, { actor, now }) => {
      await passkeys.removePasskey(ctx, actor, body.id, now);
      return {};
    },
    listPeople: async () => ({ people: ctx.directory.people.map(accounts.personView) }),
    updatePerson: async ({ params, body }, { actor, now }) => ({
      person: accounts.personView(await people.updatePerson(ctx, actor, params.id, body, now)),
    }),
    createResetLink: ({ params }, { actor, now }) => people.createResetLink(ctx, actor, params.id, now),
    listInvitations: async (_input, { now }) => ({ invitations: await people.listInvitations(ctx, now) }),
    createInvitation: ({ body }, { actor, now }) => people.createInvitation(ctx, actor, body, now),
    revokeInvitation: async ({ params }, { actor, now }) => {
      await people.revokeInvitation(ctx, actor, params.id, now);
      return {};
    },
    listSpaces: async (_input, { actor }) => ({ spaces: spaces.listSpaces(ctx, actor) }),
    createSpace: async ({ body }, { actor, now }) => ({ space: await spaces.createSpace(ctx, actor, body, now) }),
    updateSpace: async ({ params, body }, { actor, now }) => ({
      space: await spaces.updateSpace(ctx, actor, params.id, body, now),
    }),
    readTeam: async () => ({ team: ctx.directory.settings }),
    updateTeam: async ({ body }, { actor, now }) => ({ team: await team.updateTeamSettings(ctx, actor, body, now) }),
    listKeys: async (_input, { actor }) => ({ keys: await keys.listKeys(ctx, actor) }),
    createKey: ({ body }, { actor, now }) => keys.createKey(ctx, actor, body, now),
    rotateKey: ({ params }, { actor, now }) => keys.rotateKey(ctx, actor, params.id, now),
    updateKey: async ({ params, body }, { actor, now }) => ({
      key: await keys.updateKey(ctx, actor, params.id, body, now),
    }),
    revokeKey: async ({ params }, { actor, now }) => ({ key: await keys.revokeKey(ctx, actor, params.id, now) }),
  };
}
