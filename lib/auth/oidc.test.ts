import { createServer, type Server } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { Provider } from "oidc-provider";
import { describe, expect, onTestFinished, test } from "vitest";
import { dumpDatabase } from "../../scripts/chaos/kit/tables.ts";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { execute, readRows } from "../db/test-sql.ts";
import { portOf } from "../http/port-of.ts";
import { testServer } from "../http/test-server.ts";
import {
  agentKey,
  browserHeaders,
  caller,
  cookieIn,
  join,
  PASSWORD,
  personalKey,
  setUp,
  type TestCaller,
} from "../http/test-team.ts";
import type { OidcSettings } from "./oidc.ts";

// A real provider on this machine. Its people are who the test says, and it asks them nothing.

const { privateKey } = await generateKeyPair("RS256", { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "k" }] };
const LOGOUT = "/api/auth/oidc/logout";

type Account = { email?: string; email_verified?: boolean; name?: string; groups?: string[] };

async function startProvider(people: Record<string, Account>): Promise<{
  issuer: string;
  server: Server;
  signInAs: (id: string) => void;
  setGroups: (id: string, groups: string[]) => void;
  provider: Provider;
}> {
  const accounts = { ...people };
  let current = "";
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "parley",
        client_secret: "a secret for tests only",
        redirect_uris: ["https://parley.example.com/sign-in/callback"],
        backchannel_logout_uri: `https://parley.example.com${LOGOUT}`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) }),
    jwks,
    // Its own refuses to send anything to this machine.
    fetch: (url, request) => fetch(url, { ...request, dispatcher: undefined } as RequestInit),
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    cookies: { keys: ["for tests only"] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  });
  const handle = provider.callback();
  server.on("request", async (req, res) => {
    if (!req.url?.startsWith("/interaction/")) return handle(req, res);
    const { params, grantId } = await provider.interactionDetails(req, res);
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: current, clientId: String(params.client_id) });
    grant?.addOIDCScope("openid email profile");
    await provider.interactionFinished(req, res, {
      login: { accountId: current },
      consent: { grantId: await grant?.save() },
    });
  });
  return {
    issuer,
    server,
    provider,
    signInAs: (id) => {
      current = id;
    },
    setGroups: (id, groups) => {
      accounts[id] = { ...accounts[id], groups };
    },
  };
}

/** Follows the provider's redirects as a browser would, until it leaves for Parley. */
async function visit(url: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = url;
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = reply.headers.get("location");
    if (!next) throw new Error(`the provider did not go on: ${reply.status} ${await reply.text()}`);
    at = new URL(next, at).href;
    if (at.startsWith("https://parley.example.com/")) return at;
  }
  throw new Error("the provider went on forever");
}

describe.each(ABOVE_SQL)("signing in with an identity provider (%s)", (kind) => {
  const PEOPLE: Record<string, Account> = {
    ada: { email: "ada@example.com", email_verified: true, name: "Ada of the provider" },
    mei: { email: "mei@example.com", email_verified: true, name: "Mei" },
    eve: { email: "ada@example.com", email_verified: false, name: "Eve" },
    kim: { email: "kim@corp.example", email_verified: true, name: "Kim" },
    boss: { email: "boss@example.com", email_verified: true, name: "Boss", groups: ["parley-admins"] },
    silent: { name: "Silent" },
  };
  const started = async (more: Partial<OidcSettings> = {}) => {
    const provider = await startProvider(PEOPLE);
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const oidc: OidcSettings = {
      issuer: provider.issuer,
      clientId: "parley",
      clientSecret: "a secret for tests only",
      name: "Example",
      signUp: "invited",
      roles: new Map(),
      onlyGroups: false,
      allowInsecure: true,
      ...more,
    };
    const auth = { isReachable: true, passwordSignIn: true, allowKeyless: false, proxy: undefined, runners: [], oidc };
    const server = await testServer(database.url, { publicUrl: "https://parley.example.com", auth });
    onTestFinished(server.stop);
    const admin = await setUp(server, "Ada", "ada@example.com");
    const begin = async (body: object = {}, by = caller(server)) => {
      const reply = await by.post("/api/auth/oidc/start", body);
      return {
        url: (reply.body as unknown as { url: string }).url,
        browser: caller(server, browserHeaders(reply)),
        status: reply.status,
      };
    };
    const signIn = async (id: string, body: object = {}, by = caller(server)) => {
      provider.signInAs(id);
      const { url, browser } = await begin(body, by);
      return browser.post("/api/auth/oidc", { url: await visit(url) });
    };
    return { server, database, provider, admin, begin, signIn };
  };

  test("a verified address that has an account is linked to it once, and found by its identity afterwards", async () => {
    const { server, signIn } = await started();
    expect((await caller(server).get("/api/me")).body).toMatchObject({ ways: { oidc: "Example" } });
    for (let n = 0; n < 2; n++) {
      const reply = await signIn("ada");
      expect(reply.body).toMatchObject({ person: { name: "Ada", role: "admin" } });
      const ada = caller(server, browserHeaders(reply));
      expect((await ada.get("/api/inbox")).status).toBe(200);
      expect(cookieIn(reply)).toMatch(/^__Host-parley=/);
    }
    // Someone else at the provider who claims the same address, verified or not, gets nothing.
    expect((await signIn("eve")).body.error).toMatchObject({ code: "unauthorized" });
    expect(server.auth.ctx.directory.people).toHaveLength(1);
  });

  test("groups decide who is an admin at every sign-in, if the provider names them", async () => {
    const { server, provider, signIn } = await started({
      roles: new Map([["parley-admins", "admin"]]),
      scopes: "openid email profile",
    });
    const boss = caller(server, browserHeaders(await signIn("boss")));
    expect((await boss.get("/api/people")).status).toBe(200);
    provider.setGroups("boss", ["others"]);
    expect((await signIn("boss")).body).toMatchObject({ person: { role: "member" } });
    expect((await boss.get("/api/inbox")).status).toBe(401);
    provider.setGroups("boss", ["others", "parley-admins"]);
    expect((await signIn("boss")).body).toMatchObject({ person: { role: "admin" } });
    // The provider names no groups of Ada, so her role stays.
    await signIn("ada");
    expect((await signIn("ada")).body).toMatchObject({ person: { role: "admin" } });
  });

  test("each group gives its role, the highest counts, and nobody else signs in", async () => {
    const roles = new Map([
      ["bosses", "admin"],
      ["staff", "member"],
      ["guests", "viewer"],
    ] as const);
    const { server, provider, admin, signIn } = await started({ roles, onlyGroups: true });
    const roleAs = async (id: string, groups: string[]) => {
      provider.setGroups(id, groups);
      const { status, body } = await signIn(id);
      return status === 200 ? (body as unknown as { person: { role: string } }).person.role : body.error?.message;
    };
    // A group is as good as an invitation.
    expect(await roleAs("mei", ["guests"])).toBe("viewer");
    expect(await roleAs("mei", ["guests", "staff", "others"])).toBe("member");
    const key = await agentKey(server, caller(server, browserHeaders(await signIn("mei"))));
    expect(await roleAs("mei", ["staff", "bosses"])).toBe("admin");
    expect((await key.get("/api/inbox")).status).toBe(200);
    // A lesser role ends what they hold, and so does none at all.
    const mei = caller(server, browserHeaders(await signIn("mei")));
    expect(await roleAs("mei", ["staff"])).toBe("member");
    for (const lost of [mei, key]) expect((await lost.get("/api/inbox")).status).toBe(401);
    const again = caller(server, browserHeaders(await signIn("mei")));
    expect(await roleAs("mei", ["others"])).toContain("none of the groups");
    expect((await again.get("/api/inbox")).status).toBe(401);
    expect(await roleAs("mei", ["staff"])).toBe("member");
    // An invitation, a sign-up and an account of before need a group too; the last admin stays one.
    const invited = await admin.post("/api/invitations", {});
    const token = new URL((invited.body as unknown as { url: string }).url).hash.slice(1);
    provider.setGroups("kim", []);
    expect((await signIn("kim", { token })).body.error?.message).toContain("none of the groups");
    expect(await roleAs("ada", [])).toBe("admin");
    // A provider that names no groups at all decides nothing.
    expect((await signIn("silent")).body.error?.message).toContain("email address");
    const events = (await admin.get("/api/audit?session_id=parley")).body as unknown as {
      events: Array<{ action: string; after: { by?: string; role?: string } }>;
    };
    const byGroup = events.events.flatMap(({ after }) => (after.by === "group" ? [after.role ?? null] : []));
    expect(byGroup).toEqual(["member", "admin", "member", null]);
  });

  test("someone who took an address before its owner loses everything when the owner signs in", async () => {
    const { server, admin, signIn } = await started();
    const invited = await admin.post("/api/invitations", {});
    const token = new URL((invited.body as unknown as { url: string }).url).hash.slice(1);
    const taken = { token, name: "Not Mei", login: "mei@example.com", password: PASSWORD };
    const squatter = caller(server, browserHeaders(await caller(server).post("/api/auth/accept", taken)));
    const keys = [await agentKey(server, squatter), await personalKey(server, squatter)];
    const device = await caller(server).post("/api/auth/device", { purpose: "terminal", machine: "laptop" });
    const { device_code, user_code } = device.body as unknown as { device_code: string; user_code: string };
    await squatter.post("/api/auth/device/approve", { user_code, allow: true });
    const mei = caller(server, browserHeaders(await signIn("mei")));
    expect((await mei.get("/api/inbox")).status).toBe(200);
    for (const one of [squatter, ...keys]) expect((await one.get("/api/inbox")).status).toBe(401);
    expect((await caller(server).post("/api/auth/device/token", { device_code })).status).toBe(410);
    const { login, password } = taken;
    expect((await caller(server).post("/api/auth/sign-in", { login, password })).status).toBe(401);
    expect((await mei.get("/api/me/auth-sessions")).body).toMatchObject({ sessions: [{ method: "oidc" }] });
    // An admin named Ada's login, so linking ends nothing.
    await signIn("ada");
    expect((await admin.get("/api/inbox")).status).toBe(200);
    const flow = await caller(server).post("/api/auth/oidc/start", {});
    const finish = caller(server, browserHeaders(flow));
    expect((await finish.post("/api/auth/oidc", { url: "no address" })).status).toBe(400);
  });

  test("who is unknown needs an invitation, a domain or a group", async () => {
    const { server, database, admin, begin, signIn } = await started({
      roles: new Map([["parley-admins", "admin"]]),
      signUp: { domain: "corp.example" },
    });
    expect((await signIn("mei")).body.error).toMatchObject({ message: expect.stringContaining("invitation") });
    expect((await signIn("silent")).body.error).toMatchObject({ message: expect.stringContaining("email address") });
    expect((await signIn("kim")).body).toMatchObject({ person: { role: "member", login: "kim@corp.example" } });
    expect((await signIn("boss")).body).toMatchObject({ person: { role: "admin" } });
    const invited = await admin.post("/api/invitations", { login: "mei@example.com", role: "viewer" });
    const token = new URL((invited.body as unknown as { url: string }).url).hash.slice(1);
    // The invitation is tied to the sign-in by its hash: a stolen database has none that works.
    await begin({ token });
    expect(await dumpDatabase(database.url)).not.toContain(token);
    expect((await signIn("mei", { token })).body).toMatchObject({ person: { name: "Mei", role: "viewer" } });
    expect((await signIn("mei")).status).toBe(200);
    expect(server.auth.ctx.directory.people).toHaveLength(4);
  });

  test("who has neither password nor passkey confirms who they are at the provider", async () => {
    const { server, provider, begin, signIn } = await started({ signUp: { domain: "corp.example" } });
    const kim = caller(server, browserHeaders(await signIn("kim")));
    const sensitive = (by = kim) => by.post("/api/keys", { kind: "personal", name: "scripts" });
    expect((await sensitive()).status).toBe(201);
    await execute(server.auth.ctx.db, "update auth_session set confirmed_at = 0");
    server.auth.ctx.credentials.forget();
    expect((await sensitive()).body.error).toMatchObject({ code: "confirm_required", details: { methods: ["oidc"] } });
    const again = { again: true };
    expect((await caller(server).post("/api/auth/oidc/start", again)).status).toBe(403);
    // Someone else at the provider confirms nothing, and neither does a provider that remembers an earlier sign-in.
    expect((await signIn("mei", again, kim)).status).toBe(401);
    provider.signInAs("kim");
    const early = await begin(again, kim);
    const earlier =
      "update one_time_token set created_at = created_at + 3600000 where kind = 'oidc' and used_at is null";
    await execute(server.auth.ctx.db, earlier);
    const remembered = await early.browser.post("/api/auth/oidc", { url: await visit(early.url) });
    expect(remembered.body.error?.message).toContain("did not ask you to sign in again");
    expect((await sensitive()).status).toBe(403);
    const confirmed = caller(server, browserHeaders(await signIn("kim", again, kim)));
    expect((await sensitive(confirmed)).status).toBe(201);
    // The new session replaces the one that asked.
    expect((await kim.get("/api/inbox")).status).toBe(401);
  });

  describe("a logout at the provider", () => {
    type Made = { claims?: Record<string, unknown>; header?: Record<string, unknown>; key?: CryptoKey };
    const begun = async () => {
      const made = await started({ signUp: { domain: "corp.example" } });
      const { server, provider, admin } = made;
      const signedIn = async (id: string) => caller(server, browserHeaders(await made.signIn(id)));
      const token = ({ claims = {}, header = {}, key = privateKey }: Made = {}) => {
        const now = Math.floor(Date.now() / 1_000);
        const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
        const about = {
          iss: provider.issuer,
          aud: "parley",
          iat: now,
          exp: now + 120,
          jti: crypto.randomUUID(),
          events,
        };
        const head = { alg: "RS256", kid: "k", typ: "logout+jwt", ...header };
        return new SignJWT({ ...about, sub: "kim", ...claims }).setProtectedHeader(head).sign(key);
      };
      const send = async (logout_token: string) => {
        const reply = await fetch(server.url + LOGOUT, { method: "POST", body: new URLSearchParams({ logout_token }) });
        return [reply.status, reply.headers.get("cache-control"), await reply.json()] as const;
      };
      const sids = async () => {
        const rows = await readRows<{ sid: string }>(
          server.auth.ctx.db,
          "select sid from auth_session order by created_at",
        );
        return rows.flatMap(({ sid }) => sid ?? []);
      };
      const isIn = async (who: TestCaller) => (await who.get("/api/inbox")).status === 200;
      return { server, provider, admin, signedIn, token, send, sids, isIn };
    };
    const DONE = [200, "no-store", {}] as const;

    test("ends the sessions that came from that session there, and no others", async () => {
      const { server, provider, admin, signedIn, token, send, sids, isIn } = await begun();
      const [one, two] = [await signedIn("kim"), await signedIn("kim")];
      const device = await caller(server).post("/api/auth/device", { purpose: "terminal", machine: "laptop" });
      const { device_code, user_code } = device.body as unknown as { device_code: string; user_code: string };
      await one.post("/api/auth/device/approve", { user_code, allow: true });
      const let_in = await caller(server).post("/api/auth/device/token", { device_code });
      const terminal = caller(server, {
        authorization: `Bearer ${(let_in.body as unknown as { secret: string }).secret}`,
      });
      const [first = "", second = ""] = await sids();
      expect(first).not.toBe(second);
      // What the provider itself sends.
      type Client = { backchannelLogoutUri: string; backchannelLogout: (sub: string, sid: string) => Promise<void> };
      const client = (await provider.provider.Client.find("parley")) as unknown as Client;
      client.backchannelLogoutUri = server.url + LOGOUT;
      await client.backchannelLogout("kim", first);
      expect([await isIn(one), await isIn(terminal), await isIn(two), await isIn(admin)]).toEqual([
        false,
        false,
        true,
        true,
      ]);
      // The session of someone else is none of theirs, and an unknown one is none at all.
      expect(await send(await token({ claims: { sub: "boss", sid: second } }))).toEqual(DONE);
      expect(await send(await token({ claims: { sub: undefined, sid: "unknown" } }))).toEqual(DONE);
      expect(await isIn(two)).toBe(true);
      expect(await send(await token({ claims: { sub: undefined, sid: second } }))).toEqual(DONE);
      expect(await isIn(two)).toBe(false);
      const three = await signedIn("kim");
      expect(await send(await token())).toEqual(DONE);
      expect([await isIn(three), await isIn(admin)]).toEqual([false, true]);
      const { body } = await admin.get("/api/audit?session_id=parley");
      const { events } = body as unknown as { events: Array<{ action: string; after: object }> };
      expect(events.filter(({ action }) => action === "session.ended").map(({ after }) => after)).toMatchObject(
        Array(3).fill({ by: "provider" }),
      );
    });

    test("that the provider did not just send for this purpose ends nothing", async () => {
      const { server, signedIn, token, send, isIn } = await begun();
      const kim = await signedIn("kim");
      const other = await generateKeyPair("RS256");
      const now = Math.floor(Date.now() / 1_000);
      const wrong: Record<string, Made> = {
        "another key": { key: other.privateKey },
        "another issuer": { claims: { iss: "https://evil.test" } },
        "another client": { claims: { aud: "other" } },
        expired: { claims: { iat: now - 300, exp: now - 200 } },
        old: { claims: { iat: now - 3_600, exp: now + 3_600 } },
        "from the future": { claims: { iat: now + 600, exp: now + 700 } },
        "without an end": { claims: { exp: undefined } },
        "without a time": { claims: { iat: undefined } },
        "without an id": { claims: { jti: undefined } },
        "without its event": { claims: { events: undefined } },
        "with another event": { claims: { events: { "http://schemas.openid.net/event/other": {} } } },
        "with a nonce": { claims: { nonce: "n" } },
        "about nobody": { claims: { sub: undefined } },
        "an access token": { header: { typ: "at+jwt" } },
      };
      for (const [name, made] of Object.entries(wrong))
        expect([name, ...(await send(await token(made)))]).toMatchObject([
          name,
          400,
          "no-store",
          { error: "invalid_request" },
        ]);
      const [, payload] = (await token()).split(".");
      const none = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString("base64url");
      for (const text of [`${none}.${payload}.`, "no token", ""]) expect((await send(text))[0]).toBe(400);
      const json = { method: "POST", headers: { "content-type": "application/json" } };
      const asJson = await fetch(server.url + LOGOUT, {
        ...json,
        body: JSON.stringify({ logout_token: await token() }),
      });
      expect(asJson.status).toBe(400);
      // A page of another site cannot pass one on.
      const form = { method: "POST", body: new URLSearchParams({ logout_token: await token() }) };
      expect((await fetch(server.url + LOGOUT, { ...form, headers: { origin: "https://evil.test" } })).status).toBe(
        403,
      );
      expect(await isIn(kim)).toBe(true);
      // The same token a second time.
      const once = await token();
      expect(await send(once)).toEqual(DONE);
      const again = await signedIn("kim");
      expect((await send(once))[0]).toBe(400);
      expect(await isIn(again)).toBe(true);
    });
  });

  test("wrong states, replays, other browsers and disabled people are refused", async () => {
    const { server, provider, admin, begin, signIn } = await started();
    provider.signInAs("ada");
    const one = await begin();
    const address = await visit(one.url);
    const forged = address.replace(/state=[^&]+/, "state=forged");
    expect((await one.browser.post("/api/auth/oidc", { url: forged })).status).toBe(401);
    // The attempt is used up: its code is never tried twice.
    expect((await one.browser.post("/api/auth/oidc", { url: address })).status).toBe(410);
    const third = await begin();
    const elsewhere = (await visit(third.url)).replace(/iss=[^&]+/, `iss=${encodeURIComponent("https://evil.test")}`);
    expect(elsewhere).toContain("evil.test");
    expect((await third.browser.post("/api/auth/oidc", { url: elsewhere })).status).toBe(401);
    const fourth = await begin();
    const late = await visit(fourth.url);
    // As if the provider had answered another sign-in.
    const forge = "update one_time_token set data = replace(data, ?, ?) where used_at is null";
    await execute(server.auth.ctx.db, forge, ['"nonce":"', '"nonce":"x']);
    expect((await fourth.browser.post("/api/auth/oidc", { url: late })).status).toBe(401);
    const two = await begin();
    const other = await begin();
    const arrived = await visit(two.url);
    expect((await other.browser.post("/api/auth/oidc", { url: arrived })).status).toBe(401);
    expect((await caller(server).post("/api/auth/oidc", { url: arrived })).status).toBe(410);
    const mei = await join(server, admin, "Mei");
    expect((await signIn("mei")).status).toBe(200);
    await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    expect((await signIn("mei")).body.error).toMatchObject({ message: expect.stringContaining("disabled") });
  });

  test("a provider that cannot be reached says so", async () => {
    const { server } = await started({ issuer: "http://127.0.0.1:9" });
    const reply = await caller(server).post("/api/auth/oidc/start", {});
    expect(reply.body.error).toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("identity provider"),
    });
  });
});
