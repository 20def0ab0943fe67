import { describe, expect, onTestFinished, test } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { execute } from "../db/test-sql.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
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
import { teamProblemsIn } from "../hub/audit/test-record.ts";
import type { NOTIFY_OPERATIONS } from "../protocol/notify-operations.ts";
import { asksToConfirm, type Operation } from "../protocol/operation.ts";
import { OPERATIONS, type OperationId } from "../protocol/operations.ts";
import type { TEAM_OPERATIONS } from "../protocol/team-operations.ts";
import { stopClock } from "../test-clock.ts";
import { TestAuthenticator } from "./test-authenticator.ts";

type Bodies = { asks?: readonly unknown[]; not?: readonly unknown[] };
const ALWAYS: Bodies = { asks: [{}] };
const NEVER: Bodies = { not: [{}] };

/**
 * Which operations ask people to confirm who they are, with bodies that do and bodies that do not. One without a row does not
 * compile: whoever adds it decides here.
 */
const ASKS: Record<keyof typeof TEAM_OPERATIONS | keyof typeof NOTIFY_OPERATIONS, Bodies> = {
  me: NEVER,
  updateMe: NEVER,
  changePassword: { asks: [{ password: "new" }], not: [{ password: "new", current: "old" }] },
  readLink: NEVER,
  firstPasskeyOptions: NEVER,
  setUp: NEVER,
  signIn: NEVER,
  signOut: NEVER,
  startOidc: NEVER,
  finishOidc: NEVER,
  passkeyOptions: NEVER,
  passkeySignIn: NEVER,
  acceptInvitation: NEVER,
  resetPassword: NEVER,
  startDevice: NEVER,
  pollDevice: NEVER,
  readDevice: NEVER,
  decideDevice: { asks: [{ allow: true }], not: [{ allow: false }] },
  confirmOptions: NEVER,
  confirm: NEVER,
  listAuthSessions: NEVER,
  endAuthSessions: NEVER,
  listPasskeys: NEVER,
  newPasskeyOptions: ALWAYS,
  addPasskey: ALWAYS,
  removePasskey: ALWAYS,
  listPeople: NEVER,
  updatePerson: { asks: [{ role: "member" }, { status: "disabled" }, { status: "active" }], not: [{ name: "Mei" }] },
  createResetLink: ALWAYS,
  listInvitations: NEVER,
  createInvitation: { asks: [{ role: "admin" }], not: [{}, { role: "member" }] },
  revokeInvitation: NEVER,
  listSpaces: NEVER,
  createSpace: NEVER,
  updateSpace: NEVER,
  readTeam: NEVER,
  updateTeam: {
    asks: [{ built_in_agents: true }, { strong_sign_in: "off" }, { strong_sign_in: "everyone" }],
    not: [{ built_in_agents: false }],
  },
  listKeys: NEVER,
  createKey: { asks: [{ kind: "personal" }], not: [{ kind: "agent" }] },
  rotateKey: ALWAYS,
  updateKey: NEVER,
  revokeKey: NEVER,
  listChannels: NEVER,
  addChannel: NEVER,
  setWish: NEVER,
  listSpaceChannels: NEVER,
  addSpaceChannel: NEVER,
  confirmChannel: NEVER,
  testChannel: NEVER,
  removeChannel: NEVER,
  markSeen: NEVER,
  listNotifications: NEVER,
  replayNotification: NEVER,
};

test("operations whose effect would outlast a stolen session ask who is there", () => {
  for (const [id, { asks = [], not = [] }] of Object.entries(ASKS)) {
    const operation: Operation = OPERATIONS[id as OperationId];
    for (const body of asks) expect([id, body, asksToConfirm(operation, body)]).toEqual([id, body, true]);
    for (const body of not) expect([id, body, asksToConfirm(operation, body)]).toEqual([id, body, false]);
  }
});

const CONFIRM = { status: 403, body: { error: { code: "confirm_required" } } };

/** As if nobody had proved anything for ten minutes. */
async function later({ auth: { ctx } }: TestServer): Promise<void> {
  await execute(ctx.db, "update auth_session set confirmed_at = confirmed_at - 600000");
  ctx.credentials.forget();
}

describe.each(ABOVE_SQL)("confirming who someone is (%s)", (kind) => {
  const started = async (options: Parameters<typeof testServer>[1] = {}) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, options);
    onTestFinished(server.stop);
    const ada = await setUp(server);
    return { server, ada, mei: await join(server, ada, "Mei") };
  };

  test("ten minutes after the last proof, it asks before all that lasts, and after the password no more", async () => {
    const { server, ada, mei } = await started();
    const { key } = await personalKey(server, ada);
    expect(await teamProblemsIn(server.auth.ctx.db)).toEqual([]);
    const sensitive: Array<[path: string, body?: object]> = [
      ["/api/me/passkeys/options"],
      ["/api/me/passkeys", { credential: { id: "x" }, name: "x" }],
      ["/api/me/passkeys/remove", { id: "x" }],
      ["/api/me/password", { password: "another good password" }],
      ["/api/keys", { kind: "personal", name: "x" }],
      [`/api/keys/${key.id}/rotate`],
      [`/api/people/${mei.person.id}`, { role: "viewer" }],
      [`/api/people/${mei.person.id}`, { status: "disabled" }],
      [`/api/people/${mei.person.id}/reset-link`],
      ["/api/invitations", { role: "admin" }],
      ["/api/team", { built_in_agents: true }],
      ["/api/auth/device/approve", { user_code: "AAAA-AAAA", allow: true }],
    ];
    await later(server);
    for (const [path, body] of sensitive)
      expect(await ada.post(path, body)).toMatchObject({
        ...CONFIRM,
        body: { error: { details: { methods: ["password"] } } },
      });
    // What takes away, or is no more than daily work, needs no proof.
    expect((await agentKey(server, ada)).key.kind).toBe("agent");
    expect((await ada.post("/api/team", { built_in_agents: false })).status).toBe(200);
    const changed = { current: PASSWORD, password: "blue kettle under a moon" };
    expect((await ada.post("/api/me/password", { ...changed, current: "wrong" })).status).toBe(400);
    expect((await ada.post("/api/me/password", changed)).status).toBe(200);

    const confirmed = await ada.post("/api/auth/confirm", { password: changed.password });
    expect(confirmed.status).toBe(200);
    const { confirmed_until } = confirmed.body as unknown as { confirmed_until: string };
    expect(Date.parse(confirmed_until)).toBeGreaterThan(Date.now());
    for (const [path, body] of sensitive)
      expect((await ada.post(path, body)).body.error?.code).not.toBe("confirm_required");
    const { body } = await ada.get("/api/audit?session_id=parley");
    const { events } = body as unknown as { events: Array<{ action: string; after: object }> };
    expect(events.filter(({ action }) => action === "person.confirmed").map(({ after }) => after)).toMatchObject([
      { method: "password" },
    ]);
  });

  test("it counts for one session: that of the person, and not for another of theirs", async () => {
    const { server, ada } = await started();
    const again = await caller(server).post("/api/auth/sign-in", { login: "ada@example.com", password: PASSWORD });
    const other = caller(server, browserHeaders(again));
    await later(server);
    expect((await ada.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(200);
    expect((await ada.post("/api/me/passkeys/options")).status).toBe(200);
    expect(await other.post("/api/me/passkeys/options")).toMatchObject(CONFIRM);
  });

  test("guesses count as they do when signing in, before they are checked", async () => {
    const { server, ada } = await started();
    await later(server);
    stopClock();
    const guesses = Array.from({ length: 20 }, () => ada.post("/api/auth/confirm", { password: "a wrong password" }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(400), ...Array(15).fill(429)]);
    expect((await ada.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(429);
    const signIn = { login: "ada@example.com", password: PASSWORD };
    expect((await caller(server).post("/api/auth/sign-in", signIn)).status).toBe(429);
    // A wrong guess does not end the session.
    expect((await ada.get("/api/inbox")).status).toBe(200);
  });

  test("a passkey confirms its own person, once for each challenge", async () => {
    const { server, ada, mei } = await started();
    const origin = server.auth.ctx.publicUrl();
    type Options = { challenge: string; rpId: string; allowCredentials?: Array<{ id: string }> };
    const begin = async (person: TestCaller, path: string) => {
      const reply = await person.post(path);
      const cookie = `${person.headers.cookie}; ${cookieIn(reply)}`;
      return {
        options: (reply.body as unknown as { options: Options }).options,
        browser: caller(server, { ...person.headers, cookie }),
      };
    };
    const add = async (person: TestCaller) => {
      const device = new TestAuthenticator(origin);
      const { options, browser } = await begin(person, "/api/me/passkeys/options");
      const added = await browser.post("/api/me/passkeys", { credential: device.create(options), name: "Laptop" });
      expect(added.status).toBe(201);
      return device;
    };
    const [adas, meis] = [await add(ada), await add(mei)];
    await later(server);
    const refused = await caller({ url: origin }, ada.headers).post("/api/me/passkeys/options");
    expect(refused.body.error?.details).toEqual({ methods: ["passkey", "password"] });
    const signIn = await begin(ada, "/api/auth/passkey/options");
    const forSignIn = { credential: adas.get(signIn.options) };
    expect((await signIn.browser.post("/api/auth/confirm", forSignIn)).status).toBe(410);
    for (const [device, status] of [
      [meis, 400],
      [adas, 200],
    ] as const) {
      const { options, browser } = await begin(ada, "/api/auth/confirm/options");
      expect(options.allowCredentials).toMatchObject([{ id: adas.id }]);
      const credential = device.get(options);
      expect((await browser.post("/api/auth/confirm", { credential })).status).toBe(status);
      expect((await browser.post("/api/auth/confirm", { credential })).status).toBe(410);
    }
    expect((await ada.post("/api/me/passkeys/options")).status).toBe(200);
  });

  test("a terminal that was just let in counts; keys cannot confirm anything", async () => {
    const { server, ada } = await started();
    const device = await caller(server).post("/api/auth/device", { purpose: "terminal", machine: "laptop" });
    const { device_code, user_code } = device.body as unknown as { device_code: string; user_code: string };
    await later(server);
    const approve = () => ada.post("/api/auth/device/approve", { user_code, allow: true });
    expect(await approve()).toMatchObject(CONFIRM);
    await ada.post("/api/auth/confirm", { password: PASSWORD });
    expect((await approve()).status).toBe(200);
    const { body } = await caller(server).post("/api/auth/device/token", { device_code });
    const terminal = caller(server, { authorization: `Bearer ${(body as unknown as { secret: string }).secret}` });
    const key = await personalKey(server, terminal);
    await later(server);
    expect(await terminal.post("/api/keys", { kind: "personal", name: "x" })).toMatchObject(CONFIRM);
    expect((await key.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(403);
  });

  test("who is signed in by a proxy is never asked: the proxy decides how long that lasts", async () => {
    const secret = "a proxy's secret, which is long enough";
    const proxy = { userHeader: "x-parley-user", secret };
    const auth = {
      isReachable: false,
      allowKeyless: false,
      passwordSignIn: false,
      proxy,
      runners: [],
      oidc: undefined,
    };
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, { auth });
    onTestFinished(server.stop);
    const ada = await setUp(server);
    const proxied = caller(server, { "x-parley-user": "ada@example.com", "x-parley-proxy-secret": secret });
    await later(server);
    expect((await proxied.post("/api/keys", { kind: "personal", name: "x" })).status).toBe(201);
    expect((await proxied.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(403);
    // Passwords are off, and there is nothing else: only a new sign-in helps.
    expect((await ada.post("/api/me/passkeys/options")).body.error?.details).toEqual({ methods: [] });
    expect((await ada.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(403);
  });
});
