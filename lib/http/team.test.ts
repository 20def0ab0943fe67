import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AuthSettings } from "../auth/auth.ts";
import { readTeamVersion } from "../db/hot/identity.ts";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { teamProblemsIn } from "../hub/audit/test-record.ts";
import { byAgent, CHOICE } from "../hub/test-hub.ts";
import { TestClient } from "../realtime/test-client.ts";
import { testServer } from "./test-server.ts";
import {
  agentKey,
  browserHeaders,
  caller,
  join,
  newSpace,
  PASSWORD,
  personalKey,
  setUp,
  tokenIn,
} from "./test-team.ts";

const SETTINGS: AuthSettings = {
  isReachable: false,
  passwordSignIn: true,
  allowKeyless: false,
  proxy: undefined,
  runners: ["admin"],
  oidc: undefined,
};
/** As long as a slow machine needs. */
const PATIENCE = { timeout: 120_000, interval: 50 };
const QUESTION = { tool_use_id: "t", ...CHOICE };

describe.each(DATABASES)("a team (%s)", (kind) => {
  const started = async (options: Parameters<typeof testServer>[1] = {}) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, options);
    onTestFinished(async () => {
      // Whatever a test did to people, keys and spaces, its events say so.
      expect(await teamProblemsIn(server.auth.ctx.db)).toEqual([]);
      await server.stop();
      expect(server.errors).toEqual([]);
    });
    return server;
  };
  const ask = async (agent: ReturnType<typeof caller>, more: object = {}) => {
    const { body, status } = await agent.post("/api/asks", { ...QUESTION, ...more });
    expect(status).toBe(201);
    return (body as unknown as { ask: { session_id: string; tool_use_id: string; inbox_item_id: string } }).ask;
  };
  const answer = (session_id: string, more: object = {}) => ({ session_id, question_id: "t", answer: "a", ...more });

  test("without an account everything is as it was; with the first one the door closes", async () => {
    const server = await started();
    const anybody = caller(server);
    expect((await anybody.get("/api/me")).body).toMatchObject({ mode: "open", person: null });
    const { session_id } = await ask(anybody);
    const socket = await new TestClient(server.url).connected();
    const admin = await setUp(server);
    expect(admin.person).toMatchObject({ name: "Ada", role: "admin", status: "active" });
    expect((await anybody.get("/api/me")).body).toMatchObject({ mode: "team", person: null, rights: [] });
    for (const path of ["/api/inbox", "/api/sessions", `/api/sessions/${session_id}`, "/api/people", "/metrics"])
      expect([path, (await anybody.get(path)).status]).toEqual([path, 401]);
    expect((await anybody.post("/api/task/answer", answer(session_id))).body.error).toMatchObject({
      code: "unauthorized",
      details: { reason: "sign_in" },
    });
    // The socket of a page that was open before is closed, and may not come back.
    await vi.waitFor(() => expect(socket.socket.connected).toBe(false), PATIENCE);
    socket.socket.disconnect();
    // Everything that existed is in the space Everyone.
    expect((await admin.get("/api/inbox")).body).toMatchObject({ items: [{ session_id, space_id: "spc_everyone" }] });
    expect((await admin.post("/api/task/answer", answer(session_id))).status).toBe(200);
    expect((await admin.get(`/api/asks/t?session_id=${session_id}`)).body).toMatchObject({
      ask: { result: { decided_by: { name: "Ada", provenance: "sign_in", id: admin.person.id } } },
    });
  });

  test("a set-up link works once, also for twenty at once", async () => {
    const server = await started();
    const token = tokenIn(await server.auth.setupLink());
    const nobody = caller(server);
    for (const wrong of ["ott_not-a-token-at-all-000000000", `${token}x`])
      expect(
        (await nobody.post("/api/auth/setup", { token: wrong, name: "Eve", login: "eve", password: PASSWORD })).status,
      ).toBe(410);
    const attempts = Array.from({ length: 20 }, (_, n) =>
      nobody.post("/api/auth/setup", { token, name: `P${n}`, login: `p${n}`, password: PASSWORD }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 410]));
    expect(server.auth.ctx.directory.people).toHaveLength(1);
  });

  test("where others can reach Parley, nothing works before the first account", async () => {
    const server = await started({ publicUrl: "https://parley.example.com" });
    const nobody = caller(server);
    expect((await nobody.get("/api/me")).body).toMatchObject({ mode: "setup" });
    expect((await nobody.get("/api/inbox")).body.error).toMatchObject({
      code: "unauthorized",
      details: { reason: "setup" },
    });
    expect((await nobody.post("/api/asks", QUESTION)).status).toBe(401);
    expect((await nobody.post("/api/auth/device", { purpose: "agent", machine: "m" })).status).toBe(403);
    expect((await nobody.get("/health")).status).toBe(200);
    expect(await server.auth.setupLink()).toMatch(/^https:\/\/parley\.example\.com\/setup#ott_/);
  });

  test("signing in, out, and with a wrong password", async () => {
    const server = await started();
    await setUp(server);
    const nobody = caller(server);
    const wrong = await nobody.post("/api/auth/sign-in", { login: "ada@example.com", password: "wrong password" });
    const unknown = await nobody.post("/api/auth/sign-in", { login: "eve@example.com", password: "wrong password" });
    expect(wrong.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
    const planted = caller(server, { cookie: `parley=${"x".repeat(43)}` });
    expect((await planted.get("/api/inbox")).body.error).toMatchObject({ details: { reason: "ended" } });
    const right = await planted.post("/api/auth/sign-in", { login: "ADA@example.com ", password: PASSWORD });
    expect(right.status).toBe(200);
    const [cookie = ""] = right.headers.getSetCookie();
    expect(cookie).toMatch(/^parley=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const ada = caller(server, browserHeaders(right));
    expect((await ada.get("/api/inbox")).status).toBe(200);
    // The planted cookie identifies nobody, before and after.
    expect((await planted.get("/api/inbox")).status).toBe(401);
    expect((await ada.post("/api/auth/sign-out")).status).toBe(200);
    expect((await ada.get("/api/inbox")).status).toBe(401);
  });

  test("over https only cookies that no other host can plant count, and browsers are told to stay there", async () => {
    const server = await started({ publicUrl: "https://parley.example.com" });
    const token = tokenIn(await server.auth.setupLink());
    const account = { token, name: "Ada", login: "ada@example.com", password: PASSWORD };
    const reply = await caller(server).post("/api/auth/setup", account);
    const [cookie = ""] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-parley=[\w-]{43}; Path=\/; .*; Secure$/);
    expect(reply.headers.get("strict-transport-security")).toMatch(/^max-age=31536000/);
    expect(reply.headers.get("permissions-policy")).toContain("camera=()");
    const session = cookie.split(/[=;]/)[1] ?? "";
    const inbox = (name: string) =>
      caller(server, { ...browserHeaders(reply), cookie: `${name}=${session}` }).get("/api/inbox");
    expect((await inbox("__Host-parley")).status).toBe(200);
    expect((await inbox("parley")).status).toBe(401);
    const options = await caller(server).post("/api/auth/passkey/options");
    expect(options.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-parley-passkey=.*; Path=\/; /)]);
  });

  test("a key that does not work is refused everywhere, and without passwords no invitation takes one", async () => {
    const server = await started({ auth: { ...SETTINGS, passwordSignIn: false } });
    const admin = await setUp(server);
    const invited = await admin.post("/api/invitations", { login: "mei@example.com" });
    const token = tokenIn((invited.body as unknown as { url: string }).url);
    const accepted = await caller(server).post("/api/auth/accept", { token, name: "Mei", password: PASSWORD });
    expect(accepted.body.error).toMatchObject({ code: "forbidden" });
    expect(accepted.headers.getSetCookie()).toEqual([]);
    const forged = caller(server, { ...admin.headers, authorization: "Bearer parley_x" });
    for (const reply of [
      await forged.get("/api/me"),
      await forged.post("/api/auth/sign-in", { login: "ada@example.com", password: PASSWORD }),
      await forged.post("/api/auth/link", { token }),
    ])
      expect([reply.status, reply.body.error?.details]).toEqual([401, { reason: "api_key" }]);
  });

  test("guessing is slowed down, and the right password works after the pause", async () => {
    const server = await started();
    await setUp(server);
    const nobody = caller(server);
    const guess = (password: string) => nobody.post("/api/auth/sign-in", { login: "ada@example.com", password });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) statuses.push((await guess("a wrong password")).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.slice(5)).toContain(429);
    await vi.waitFor(async () => expect((await guess(PASSWORD)).status).toBe(200), PATIENCE);
  });

  test("an agent's key asks, waits, reads and cancels its own, and answers nothing", async () => {
    const server = await started();
    const admin = await setUp(server);
    const more = { can_report: true } as const;
    const own = await agentKey(server, admin, "builder", undefined, more);
    const other = await agentKey(server, admin, "tester", undefined, more);
    const { session_id, inbox_item_id } = await ask(own, { agent: "someone else" });
    expect((await own.get(`/api/sessions/${session_id}`)).body).toMatchObject({ agent: "builder" });
    expect((await other.get(`/api/sessions/${session_id}`)).status).toBe(404);
    expect((await other.get(`/api/asks/t?session_id=${session_id}`)).status).toBe(404);
    expect((await other.get("/api/sessions")).body).toMatchObject({ sessions: [] });
    expect((await own.get("/api/sessions")).body).toMatchObject({ sessions: [{ session_id }] });
    expect((await own.get("/api/inbox")).body).toMatchObject({ items: [{ session_id }], counts: { open: 1 } });
    expect((await other.get("/api/inbox")).body).toMatchObject({ items: [], counts: { open: 0 } });
    expect((await other.get("/api/inbox?q=way&status=all&facets=true")).body).toMatchObject({
      items: [],
      facets: { agents: [] },
    });
    expect((await other.get("/api/insights")).body).toMatchObject({ now: { open: 0 } });
    const before = (await admin.get(`/api/sessions/${session_id}`)).body;
    const refused: Array<[string, unknown]> = [
      ["/api/task/answer", answer(session_id)],
      ["/api/task/reply", { session_id, tool_use_id: "t", text: "no" }],
      ["/api/task/extend", { session_id, tool_use_id: "t", timeout_s: 60 }],
      ["/api/task/reopen", { session_id, tool_use_id: "t" }],
      ["/api/task/resume", { session_id, tool_use_id: "t" }],
      ["/api/inbox/claim", { inbox_item_ids: [inbox_item_id] }],
      ["/api/inbox/assign", { inbox_item_ids: [inbox_item_id], person_id: admin.person.id }],
      [`/api/sessions/${session_id}/close`, undefined],
      [`/api/sessions/${session_id}/interrupt`, undefined],
      [`/api/sessions/${session_id}/messages`, { text: "hi" }],
      [`/api/sessions/${session_id}/rounds/1/continue`, undefined],
      ["/api/keys", { kind: "agent", name: "x", agent: "x" }],
      ["/api/invitations", {}],
    ];
    for (const key of [own, other])
      for (const [path, body] of refused) expect([path, (await key.post(path, body)).status]).toEqual([path, 403]);
    expect((await own.post("/api/task/answers", { answers: [answer(session_id)] })).status).toBe(403);
    expect((await other.post("/api/task/cancel", { session_id, tool_use_id: "t", reason: "no" })).status).toBe(404);
    expect((await other.post("/api/task/report", { session_id, tool_use_id: "t", answers: { t: "a" } })).status).toBe(
      404,
    );
    expect((await admin.get(`/api/sessions/${session_id}`)).body).toEqual(before);
    expect((await own.post("/api/task/cancel", { session_id, tool_use_id: "t", reason: "done" })).status).toBe(200);
  });

  test("a decision that the agent's own terminal saw is reported by a key that may, and says so", async () => {
    const server = await started();
    const admin = await setUp(server);
    const plain = await agentKey(server, admin, "plain");
    const own = { ...(await ask(plain)), by: "Ada", answers: { t: "a" } };
    expect((await plain.post("/api/task/report", own)).body.error).toMatchObject({ code: "forbidden" });
    const key = await agentKey(server, admin, "builder", undefined, { can_report: true });
    const { session_id } = await ask(key);
    const report = { session_id, tool_use_id: "t", by: "Ada", answers: { t: "a" } };
    expect((await key.post("/api/task/report", report)).body).toMatchObject({
      ask: { status: "answered", result: { decided_by: { name: "Ada", provenance: "reported" } } },
    });
  });

  test("a revoked key stops at once: requests, sockets and waits", async () => {
    const server = await started();
    const admin = await setUp(server);
    const key = await agentKey(server, admin);
    const { session_id } = await ask(key);
    const waiting = key.get(`/api/asks/t?session_id=${session_id}&wait=30`);
    const socket = await new TestClient(server.url, {}, { auth: { key: key.secret } }).connected();
    await vi.waitFor(() => expect(server.hub.waiting()).toBe(1), PATIENCE);
    expect((await admin.post(`/api/keys/${key.key.id}/revoke`)).status).toBe(200);
    expect((await key.get("/api/sessions")).body.error).toMatchObject({
      code: "unauthorized",
      details: { reason: "api_key" },
    });
    expect((await waiting).status).toBe(401);
    await vi.waitFor(() => expect(socket.socket.connected).toBe(false), PATIENCE);
    socket.socket.disconnect();
    expect((await admin.get(`/api/asks/t?session_id=${session_id}`)).body).toMatchObject({
      ask: { status: "pending" },
    });
  });

  test("a replaced key keeps its conversations", async () => {
    const server = await started();
    const admin = await setUp(server);
    const key = await agentKey(server, admin);
    const { session_id } = await ask(key);
    const rotated = await admin.post(`/api/keys/${key.key.id}/rotate`);
    const { secret } = rotated.body as unknown as { secret: string };
    expect((await key.get("/api/sessions")).status).toBe(401);
    const again = caller(server, { authorization: `Bearer ${secret}` });
    expect((await again.get(`/api/asks/t?session_id=${session_id}`)).status).toBe(200);
  });

  test("spaces hide what is in them from everyone else", async () => {
    const server = await started();
    const admin = await setUp(server);
    const [mei, kenji] = [await join(server, admin, "Mei"), await join(server, admin, "Kenji", "viewer")];
    const space_id = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "payer", space_id);
    const { session_id, inbox_item_id } = await ask(key);
    for (const person of [admin, mei]) {
      expect((await person.get(`/api/sessions/${session_id}`)).status).toBe(200);
      expect((await person.get("/api/inbox")).body).toMatchObject({ counts: { open: 1 }, items: [{ space_id }] });
      expect((await person.get(`/api/inbox?space=${space_id}&facets=true`)).body).toMatchObject({
        items: [{ session_id }],
        facets: { spaces: [{ value: space_id, count: 1 }] },
      });
    }
    expect((await kenji.get(`/api/sessions/${session_id}`)).body.error).toMatchObject({ code: "session_not_found" });
    expect((await kenji.get(`/api/sessions/${session_id}`)).body).toEqual(
      JSON.parse(
        JSON.stringify((await kenji.get("/api/sessions/ses_unknown")).body).replaceAll("ses_unknown", session_id),
      ),
    );
    expect((await kenji.get("/api/inbox?status=all&q=way&facets=true")).body).toMatchObject({
      items: [],
      counts: { open: 0 },
      facets: { spaces: [] },
    });
    expect((await kenji.get(`/api/audit?session_id=${session_id}`)).status).toBe(404);
    expect((await kenji.get("/api/find?q=way")).body).toMatchObject({ conversations: [], agents: [] });
    const bo = await join(server, admin, "Bo");
    expect((await bo.post("/api/task/answer", answer(session_id))).status).toBe(404);
    expect((await bo.post("/api/inbox/claim", { inbox_item_ids: [inbox_item_id] })).body).toMatchObject({
      results: [{ success: false, error: { code: "question_not_found" } }],
    });
    expect((await bo.get("/api/insights")).body).toMatchObject({ now: { open: 0 } });
    expect((await mei.post("/api/task/answer", answer(session_id))).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect((await mei.get("/api/inbox?status=closed&q=way")).body).toMatchObject({ items: [{ session_id }] }),
      PATIENCE,
    );
    expect((await bo.get("/api/inbox?status=closed&q=way&facets=true")).body).toMatchObject({
      items: [],
      facets: { people: [] },
    });
    expect((await bo.get("/api/insights")).body).toMatchObject({ by_agent: [] });
    expect((await mei.get("/api/insights")).body).toMatchObject({ by_agent: [{ agent: "payer" }] });
  });

  test("a viewer reads, and changes nothing", async () => {
    const server = await started();
    const admin = await setUp(server);
    const viewer = await join(server, admin, "Kenji", "viewer");
    const { session_id, inbox_item_id } = await ask(await agentKey(server, admin));
    expect((await viewer.get(`/api/sessions/${session_id}`)).status).toBe(200);
    expect((await viewer.get("/api/people")).status).toBe(200);
    for (const [path, body] of [
      ["/api/task/answer", answer(session_id)],
      ["/api/inbox/claim", { inbox_item_ids: [inbox_item_id] }],
      ["/api/asks", QUESTION],
      ["/api/people/x", { name: "x" }],
      ["/api/spaces", { name: "x" }],
    ] as const)
      expect([path, (await viewer.post(path, body)).status]).toEqual([path, 403]);
    expect((await viewer.post("/api/keys", { kind: "agent", name: "x", agent: "x" })).status).toBe(403);
  });

  test("a personal key acts as its person, but changes no account", async () => {
    const server = await started();
    const admin = await setUp(server);
    const key = await personalKey(server, admin);
    const { session_id } = await ask(await agentKey(server, admin));
    expect((await key.get("/metrics")).status).toBe(200);
    expect((await key.post("/api/keys", { kind: "personal", name: "x" })).status).toBe(403);
    expect((await key.post("/api/invitations", {})).status).toBe(403);
    expect((await key.post("/api/task/answer?ask=true", answer(session_id))).body).toMatchObject({
      ask: { result: { decided_by: { name: "Ada", provenance: "api_key", id: admin.person.id } } },
    });
  });

  test("claims: one has it, others may take it over, and it expires", async () => {
    const claimMs = 1_800_000;
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, "now");
    onTestFinished(() => clock.mockRestore());
    const server = await started({ claimMs });
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const key = await agentKey(server, admin);
    const { session_id, inbox_item_id } = await ask(key);
    const claim = (person: typeof mei, more = {}) =>
      person.post("/api/inbox/claim", { inbox_item_ids: [inbox_item_id], ...more });
    expect((await claim(mei)).body).toMatchObject({
      results: [{ success: true, ask: { claim: { by: { name: "Mei" } } } }],
    });
    expect((await claim(admin)).body).toMatchObject({
      results: [{ error: { code: "claimed", details: { claimed_by: "Mei" } } }],
    });
    // The agent that waits learns it.
    expect((await key.get(`/api/asks/t?session_id=${session_id}`)).body).toMatchObject({
      ask: { notification_status: { claimed_by: "Mei" } },
    });
    expect((await mei.get("/api/inbox?assignee=me")).body).toMatchObject({ items: [{ inbox_item_id }] });
    expect((await admin.get("/api/inbox?assignee=me")).body).toMatchObject({ items: [] });
    expect((await admin.get("/api/inbox?assignee=none")).body).toMatchObject({ items: [] });
    expect((await admin.post("/api/task/answer", answer(session_id))).body.error).toMatchObject({ code: "claimed" });
    clock.mockImplementation(() => now() + claimMs);
    expect((await admin.get("/api/inbox?assignee=none")).body).toMatchObject({ items: [{ inbox_item_id }] });
    expect((await claim(admin)).body).toMatchObject({ results: [{ success: true }] });
    expect((await mei.post("/api/task/answer", answer(session_id, { take_over: true }))).status).toBe(200);
    expect((await admin.get(`/api/audit?session_id=${session_id}`)).body).toMatchObject({ chain: { intact: true } });
  });

  test("assigning goes to the delegate of someone who is away, and only to who may answer", async () => {
    const server = await started();
    const admin = await setUp(server);
    const [mei, kenji, viewer] = [
      await join(server, admin, "Mei"),
      await join(server, admin, "Kenji"),
      await join(server, admin, "Vera", "viewer"),
    ];
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await mei.post("/api/me", { out_of_office_until: tomorrow, delegate_id: kenji.person.id })).status).toBe(
      200,
    );
    const { inbox_item_id, session_id } = await ask(await agentKey(server, admin));
    const assign = (person_id: string | null) =>
      admin.post("/api/inbox/assign", { inbox_item_ids: [inbox_item_id], person_id });
    expect((await assign(viewer.person.id)).body).toMatchObject({ results: [{ error: { code: "forbidden" } }] });
    expect((await assign(mei.person.id)).body).toMatchObject({ results: [{ ask: { assignee: { name: "Kenji" } } }] });
    const record = (await admin.get(`/api/audit?session_id=${session_id}`)).body as unknown as { events: object[] };
    expect(record.events.at(-1)).toMatchObject({
      action: "question.assigned",
      after: { assignee: { name: "Kenji" }, delegated_by: { name: "Mei" } },
    });
    expect((await kenji.get("/api/inbox?assignee=me")).body).toMatchObject({ items: [{ inbox_item_id }] });
    expect((await assign(null)).body).toMatchObject({ results: [{ ask: { assignee: null } }] });
    const asked = await ask(await agentKey(server, admin, "other"), { requested_assignee: "kenji@example.com" });
    expect((await kenji.get("/api/inbox?assignee=me")).body).toMatchObject({
      items: [{ inbox_item_id: asked.inbox_item_id }],
    });
    const { events } = (await admin.get(`/api/audit?session_id=${asked.session_id}`)).body as unknown as {
      events: Array<{ action: string; after: object }>;
    };
    expect(events[0]).toMatchObject({
      action: "ask.created",
      after: { requested_assignee: "kenji@example.com", assignee: { name: "Kenji" } },
    });
  });

  test("whom an agent asks for may be unknown, or out of the space: it is asked, and agent and card are told", async () => {
    const server = await started();
    const admin = await setUp(server);
    const [mei] = [await join(server, admin, "Mei"), await join(server, admin, "Vera", "viewer")];
    const [otto] = [await join(server, admin, "Otto")];
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "builder", space);
    const wishes = ["nobody@example.com", otto.person.id, "Vera@example.com", "otto@example.com"];
    for (const requested_assignee of wishes) {
      const asked = await key.post("/api/asks", { ...CHOICE, requested_assignee });
      expect(asked.status).toBe(201);
      const { ask } = asked.body as unknown as { ask: { session_id: string; tool_use_id: string; input: object } };
      expect(ask).toMatchObject({
        assignee: null,
        requested_assignee,
        notification_status: { note: "assignee_unavailable", assigned_to: null },
      });
      // What the agent sent stays as it was.
      expect(ask.input).not.toHaveProperty("requested_assignee");
      const { body } = await mei.get(`/api/sessions/${ask.session_id}`);
      expect(body).toMatchObject({ pending: [{ requested_assignee }] });
    }
    const met = await key.post("/api/asks", { ...CHOICE, requested_assignee: " MEI@example.com" });
    expect(met.body).toMatchObject({
      ask: {
        assignee: { name: "Mei" },
        requested_assignee: null,
        notification_status: { note: null, assigned_to: "Mei" },
      },
    });
    // Once it is assigned, there is nothing left to note.
    const { items } = (await mei.get("/api/inbox?assignee=none")).body as unknown as {
      items: Array<{ inbox_item_id: string; session_id: string; tool_use_id: string }>;
    };
    expect(items).toHaveLength(wishes.length);
    const [item] = items;
    await mei.post("/api/inbox/assign", { inbox_item_ids: [item?.inbox_item_id], person_id: mei.person.id });
    expect((await key.get(`/api/asks/${item?.tool_use_id}?session_id=${item?.session_id}`)).body).toMatchObject({
      ask: { notification_status: { note: null, assigned_to: "Mei" } },
    });
  });

  test("while nobody has an account, there is nobody to ask for", async () => {
    const server = await started();
    const { body } = await caller(server).post("/api/asks", { ...CHOICE, requested_assignee: "mei@example.com" });
    expect(body).toMatchObject({ ask: { requested_assignee: null, notification_status: { note: null } } });
  });

  test("a space may want a second person", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space_id = await newSpace(admin, "Production", { open: true, requires_second_person: true });
    const { session_id } = await ask(await agentKey(server, mei, "deployer", space_id));
    const key = await personalKey(server, admin);
    for (const caller of [mei, key])
      expect((await caller.post("/api/task/answer", answer(session_id))).body.error).toMatchObject({
        code: "second_person_required",
      });
    expect((await mei.post("/api/task/reply", { session_id, tool_use_id: "t", text: "yes" })).status).toBe(403);
    expect((await admin.post("/api/task/answer", answer(session_id))).status).toBe(200);
  });

  test("disabling a person, changing a password and ending sessions shut everything else out", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const key = await personalKey(server, mei);
    const second = await caller(server).post("/api/auth/sign-in", { login: "mei@example.com", password: PASSWORD });
    const phone = caller(server, browserHeaders(second));
    expect((await phone.get("/api/me/auth-sessions")).body).toMatchObject({ sessions: [{}, {}] });
    expect(
      (await mei.post("/api/me/password", { current: "not this one", password: "another long password" })).status,
    ).toBe(400);
    expect((await mei.post("/api/me/password", { current: PASSWORD, password: "another long password" })).status).toBe(
      200,
    );
    expect((await phone.get("/api/inbox")).status).toBe(401);
    expect((await mei.get("/api/inbox")).status).toBe(200);
    expect((await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" })).status).toBe(200);
    expect((await mei.get("/api/inbox")).status).toBe(401);
    expect((await key.get("/api/inbox")).status).toBe(401);
    expect((await admin.post(`/api/people/${admin.person.id}`, { role: "member" })).body.error).toMatchObject({
      code: "invalid_request",
    });
    const reset = await admin.post(`/api/people/${admin.person.id}/reset-link`);
    const { url } = reset.body as unknown as { url: string };
    for (let n = 0; n < 3; n++)
      expect((await caller(server).post("/api/auth/link", { token: tokenIn(url) })).body).toMatchObject({
        kind: "reset",
        name: "Ada",
      });
    const resets = ["first new password", "second new password"].map((password) =>
      caller(server).post("/api/auth/reset", { token: tokenIn(url), password }),
    );
    expect((await Promise.all(resets)).map(({ status }) => status).sort()).toEqual([200, 410]);
    expect((await admin.get("/api/inbox")).status).toBe(401);
  });

  test("a device is let in by a person, once, and guesses are slowed down", async () => {
    const server = await started();
    const admin = await setUp(server);
    const program = caller(server);
    const started_ = await program.post("/api/auth/device", {
      purpose: "agent",
      machine: "laptop",
      agent: "claude-code",
    });
    const { device_code, user_code } = started_.body as unknown as { device_code: string; user_code: string };
    expect(user_code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    const poll = () => program.post("/api/auth/device/token", { device_code });
    expect((await poll()).body).toMatchObject({ status: "pending" });
    expect((await program.post("/api/auth/device/approve", { user_code, allow: true })).status).toBe(401);
    expect(
      (await admin.post("/api/auth/device/show", { user_code: user_code.toLowerCase().replace("-", "") })).body,
    ).toMatchObject({ machine: "laptop", purpose: "agent" });
    expect((await admin.post("/api/auth/device/approve", { user_code, allow: true })).status).toBe(200);
    const polls = await Promise.all([poll(), poll(), poll()]);
    expect(polls.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const allowed = polls.find(({ status }) => status === 200)?.body as unknown as { secret: string; name: string };
    expect(allowed).toMatchObject({ status: "allowed", kind: "agent", name: "claude-code" });
    const agent = caller(server, { authorization: `Bearer ${allowed.secret}` });
    const { session_id } = await ask(agent);
    expect((await agent.post("/api/task/answer", answer(session_id))).status).toBe(403);
    const guesses: number[] = [];
    for (let n = 0; n < 12; n++)
      guesses.push((await admin.post("/api/auth/device/show", { user_code: `AAAA-${1000 + n}` })).status);
    expect(guesses.slice(0, 5)).toEqual([410, 410, 410, 410, 410]);
    expect(guesses.slice(6)).toContain(429);
  });

  test("what happens to people, keys and spaces is in the audit, for admins", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const key = await agentKey(server, admin);
    await admin.post(`/api/keys/${key.key.id}/revoke`);
    expect((await mei.get("/api/audit?session_id=parley")).status).toBe(404);
    expect((await admin.get("/api/sessions")).body).toMatchObject({ sessions: [] });
    await vi.waitFor(async () => {
      const { body } = await admin.get("/api/audit?session_id=parley&whole=true");
      const { events, chain } = body as unknown as {
        events: Array<{ action: string; actor: { name: string } }>;
        chain: { events: number; sealed: number; intact: boolean };
      };
      expect(events.map(({ action }) => action)).toEqual([
        "team.begun",
        "team.recorded",
        "person.joined",
        "invitation.created",
        "person.joined",
        "key.created",
        "key.revoked",
      ]);
      expect(chain).toMatchObject({ intact: true, events: 7, sealed: 7 });
      expect(JSON.stringify(events)).not.toMatch(/ott_[\w-]{40}|parley_agent_[0-9A-Za-z]{5}|argon2/);
    }, PATIENCE);
  });

  test("refused sign-ins and decisions are in the audit with their address, and a flood is one event", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const nobody = caller(server);
    const wrong = (login: string) => nobody.post("/api/auth/sign-in", { login, password: "a wrong password" });
    for (let n = 0; n < 7; n++) await wrong("ada@example.com");
    for (let n = 0; n < 30; n++) await wrong(`typed-by-mistake-${n}`);
    await nobody.post("/api/auth/reset", { token: "ott_unknown_unknown_unknown", password: PASSWORD });
    await server.auth.refusals.flush();
    const { session_id } = await ask(await agentKey(server, admin));
    expect((await mei.post("/api/task/answer", answer(session_id))).status).toBe(200);
    const eventsOf = async (who: typeof admin, id: string) => {
      const { body } = await who.get(`/api/audit?session_id=${id}`);
      return (body as unknown as { events: Array<{ action: string; actor: object; after: object }> }).events;
    };
    const refused = (await eventsOf(admin, "parley")).filter(({ action }) => action === "sign_in.refused");
    expect(refused).toHaveLength(1);
    const lines = refused.flatMap(
      ({ after }) => (after as { refused: Array<Record<string, string | number | null>> }).refused,
    );
    // Guesses are refused as wrong or, while a pause lasts, as too many.
    const attempts = (method: string, login: string | null) =>
      lines
        .filter((line) => line.method === method && line.login === login && line.address === "127.0.0.1")
        .reduce((sum, line) => sum + Number(line.attempts), 0);
    expect([attempts("password", "ada@example.com"), attempts("password", null), attempts("reset", null)]).toEqual([
      7, 30, 1,
    ]);
    expect(lines.length).toBeLessThan(6);
    const decided = (await eventsOf(admin, session_id)).find(({ action }) => action === "question.answered");
    expect(decided?.actor).toMatchObject({ name: "Mei", address: "127.0.0.1" });
    const seen = (await eventsOf(mei, session_id)).find(({ action }) => action === "question.answered");
    expect(seen?.actor).toMatchObject({ name: "Mei" });
    expect(seen?.actor).not.toHaveProperty("address");
  });

  test("refused keys, tokens and device codes are in the audit with their address, and nothing is read again for them", async () => {
    const server = await started();
    const admin = await setUp(server);
    const created = await admin.post("/api/keys", { kind: "agent", name: "ci", agent: "ci" });
    const { key, secret } = created.body as unknown as { key: { id: string }; secret: string };
    await admin.post(`/api/keys/${key.id}/revoke`);
    const { db } = server.auth.ctx;
    const version = await readTeamVersion(db);
    const bearer = (token: string, path: string, init = {}) =>
      fetch(server.url + path, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      });
    for (const path of ["/api/inbox", "/api/me"]) expect((await bearer(secret, path)).status).toBe(401);
    expect((await bearer(secret, "/mcp", { method: "POST", body: "{}" })).status).toBe(401);
    expect((await bearer("a".repeat(43), "/api/inbox")).status).toBe(401);
    for (let n = 0; n < 30; n++) await bearer(`parley_agent_${n}`, "/api/inbox");
    await caller(server).post("/api/auth/device/token", { device_code: "ott_unknown_unknown_unknown" });
    await admin.post("/api/auth/device/show", { user_code: "BBBB-BBBB" });
    await server.auth.refusals.flush();
    expect(await readTeamVersion(db)).toBe(version);
    const { body } = await admin.get("/api/audit?session_id=parley");
    const refusals = (body as unknown as { events: Array<{ action: string; after: { refused: object[] } }> }).events
      .filter(({ action }) => action.endsWith(".refused"))
      .map(({ action, after }) => [action, after.refused]);
    const where = { address: "127.0.0.1" };
    expect(refusals).toEqual([
      [
        "key.refused",
        [
          expect.objectContaining({ method: "key", key: key.id, attempts: 3, ...where }),
          expect.objectContaining({ method: "key", key: null, attempts: 31, ...where }),
        ],
      ],
      [
        "device.refused",
        [
          expect.objectContaining({ method: "device", reason: "token_invalid", login: null, ...where }),
          expect.objectContaining({ method: "code", reason: "token_invalid", login: "ada@example.com", ...where }),
        ],
      ],
    ]);
  });

  test("admins, also with a personal key, export the audit of everything and resume it", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const program = await personalKey(server, admin);
    const { session_id } = await ask(await agentKey(server, admin));
    expect((await mei.get("/api/audit/export")).status).toBe(403);
    expect((await admin.get("/api/audit/export?after=9000")).status).toBe(400);
    const exported = async (after = "") => {
      const reply = await fetch(`${server.url}/api/audit/export${after}`, { headers: program.headers });
      expect(reply.status).toBe(200);
      const lines = (await reply.text()).split("\n").filter(Boolean);
      return lines.map((line) => JSON.parse(line) as { position: string; session_id: string; action: string });
    };
    await vi.waitFor(async () => {
      const actions = (await exported()).map(({ session_id: id, action }) => `${id} ${action}`);
      expect(actions).toContain("parley key.created");
      expect(actions).toContain(`${session_id} ask.created`);
    }, PATIENCE);
    const all = await exported();
    expect(new Set(all.map(({ position }) => position)).size).toBe(all.length);
    for (const [index, { position }] of all.entries())
      expect(await exported(`?after=${position}`)).toEqual(all.slice(index + 1));
  });

  test("only admins start the agent that works on this machine", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    expect((await mei.post("/api/sessions", { agent: "claude" })).status).toBe(403);
    expect((await mei.post("/api/sessions", { agent: "demo" })).status).toBe(201);
    expect((await admin.post("/api/sessions", { agent: "claude" })).status).toBe(403);
    await admin.post("/api/team", { built_in_agents: true });
    expect((await admin.post("/api/sessions", { agent: "claude" })).status).toBe(201);
  });

  test("an agent's key has its limit on every door, and a retry gets its question", async () => {
    const server = await started({ limits: { maxPerMinute: 3, maxOpen: 0 } });
    const admin = await setUp(server);
    const [agent, other] = [await agentKey(server, admin), await agentKey(server, admin, "other")];
    const tool = async (headers: Record<string, string>, question: object) => {
      const params = { name: "ask_user_question", arguments: { ...CHOICE, ...question } };
      const reply = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        signal: AbortSignal.timeout(120_000),
      });
      return reply.text();
    };
    const { session_id } = await ask(agent, { session_key: "run" });
    await ask(agent, { tool_use_id: "u", session_id });
    await ask(agent, { idempotency_key: "k", tool_use_id: undefined });
    const refused = await agent.post("/api/asks", CHOICE);
    expect([refused.status, refused.body.error?.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.body.error?.message).toMatch(/3 times in a minute.*Ask again in \d+ s/);
    expect(await tool(agent.headers, {})).toMatch(/rate_limited.*3 times in a minute/);
    for (const again of [
      { ...QUESTION, session_key: "run" },
      { ...QUESTION, tool_use_id: "u", session_id },
      { ...CHOICE, idempotency_key: "k" },
    ])
      expect((await agent.post("/api/asks", again)).status).toBe(201);
    // What another key and a person ask is not counted, and a person is not limited.
    await ask(other);
    for (let n = 0; n < 5; n++) await ask(admin);
    expect((await admin.get("/api/inbox")).body).toMatchObject({ counts: { open: 9 } });
  });

  test("tools need a key, and a person's key calls them without the right to answer", async () => {
    const server = await started();
    const admin = await setUp(server);
    const [agent, personal] = [await agentKey(server, admin), await personalKey(server, admin)];
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_answer", arguments: { session_id: "s", tool_use_id: "t" } },
    };
    const call = (headers: Record<string, string>) =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body),
      });
    const refused = await call({});
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(
      /^Bearer realm="Parley", error="invalid_token", error_description="[\x20-\x7e]+"$/,
    );
    expect((await call({ authorization: "Bearer parley_agent_wrong" })).status).toBe(401);
    for (const key of [agent, personal]) expect(await (await call(key.headers)).text()).toContain("session_not_found");
    expect(
      (await fetch(`${server.url}/register`, { method: "POST" }).then((reply) => reply.json())).error_description,
    ).toContain("/connect");
  });

  test("programs on this machine may ask without a key, where that is allowed", async () => {
    const server = await started({ auth: { ...SETTINGS, allowKeyless: true } });
    const admin = await setUp(server);
    const { session_id } = await ask(await agentKey(server, admin));
    const program = caller(server);
    const { session_id: own } = await ask(program);
    expect((await program.get(`/api/asks/t?session_id=${own}`)).status).toBe(200);
    expect((await program.get(`/api/asks/t?session_id=${session_id}`)).status).toBe(404);
    expect((await program.post("/api/task/answer", answer(own))).status).toBe(403);
    expect((await program.get("/api/people")).status).toBe(403);
  });

  test("a proxy that signs people in proves itself by the secret", async () => {
    const proxy = { userHeader: "x-forwarded-user", secret: "s".repeat(40) };
    const server = await started({ auth: { ...SETTINGS, proxy } });
    await setUp(server);
    const as = (headers: Record<string, string>) =>
      caller(server, { "x-forwarded-user": "ada@example.com", ...headers }).get("/api/inbox");
    expect((await as({})).status).toBe(401);
    expect((await as({ "x-parley-proxy-secret": "wrong" })).status).toBe(401);
    expect((await as({ "x-parley-proxy-secret": proxy.secret })).status).toBe(200);
    expect((await as({ "x-parley-proxy-secret": proxy.secret, "x-forwarded-user": "eve@example.com" })).status).toBe(
      401,
    );
  });

  test("the inbox of a socket shows what its person may see", async () => {
    const server = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space_id = await newSpace(admin, "Payments");
    const watching = async ({ headers }: typeof mei) => {
      const client = await new TestClient(server.url, {}, { extraHeaders: headers }).connected();
      onTestFinished(() => void client.socket.disconnect());
      expect(await client.send("inbox.subscribe", {})).toMatchObject({ ok: true });
      return client;
    };
    const [adas, meis] = [await watching(admin), await watching(mei)];
    const hidden = await ask(await agentKey(server, admin, "payer", space_id));
    const shown = await ask(await agentKey(server, admin, "builder"));
    const seen = (client: TestClient) =>
      client.envelopes.flatMap(({ type, payload }) =>
        type === "inbox.changed" ? [(payload as { item: { session_id: string } }).item.session_id] : [],
      );
    await vi.waitFor(() => expect(seen(adas)).toEqual([hidden.session_id, shown.session_id]), PATIENCE);
    await vi.waitFor(() => expect(seen(meis)).toEqual([shown.session_id]), PATIENCE);
    // Each gets the counts of what they see, without reading the inbox.
    const counts = (client: TestClient) =>
      client.envelopes.flatMap(({ type, payload }) => (type === "inbox.changed" ? [payload.counts] : [])).at(-1);
    expect(counts(adas)).toEqual({ open: 2, snoozed: 0, mine: 0, unassigned: 2 });
    expect(counts(meis)).toEqual({ open: 1, snoozed: 0, mine: 0, unassigned: 1 });
    await mei.post("/api/inbox/claim", { inbox_item_ids: [shown.inbox_item_id] });
    await vi.waitFor(() => expect(counts(meis)).toEqual({ open: 1, snoozed: 0, mine: 1, unassigned: 0 }), PATIENCE);
    await vi.waitFor(() => expect(counts(adas)).toEqual({ open: 2, snoozed: 0, mine: 0, unassigned: 1 }), PATIENCE);
    expect(await meis.send("inbox.subscribe", {})).toMatchObject({
      counts: { open: 1, snoozed: 0, mine: 1, unassigned: 0 },
    });
    expect(await meis.send("conversation.subscribe", { conversation_id: hidden.session_id })).toMatchObject({
      error: { code: "SESSION_NOT_FOUND" },
    });
    // When the membership ends, so does what it showed.
    await admin.post(`/api/spaces/${space_id}`, { members: [mei.person.id] });
    expect(await meis.send("conversation.subscribe", { conversation_id: hidden.session_id })).toMatchObject({
      ok: true,
    });
    await admin.post(`/api/spaces/${space_id}`, { members: [] });
    await server.hub.cancel(byAgent(), { conversation_id: hidden.session_id, tool_use_id: "t" }, "x").catch(() => {});
    await vi.waitFor(() => expect(server.connections().readers).toBe(0), PATIENCE);
  });
});
