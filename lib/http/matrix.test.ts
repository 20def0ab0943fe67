import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readTables } from "../../scripts/chaos/kit/tables.ts";
import type { Agent } from "../agents/agent.ts";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { TOOL_NAMES } from "../domain/shapes/shapes.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { rightsOfTool, toolList } from "../mcp/tools.ts";
import { PageProcess } from "../pages/page-process.ts";
import { PAGE_ACCESS } from "../pages/page-rights.ts";
import { servePages } from "../pages/pages.ts";
import { TEST_SETTINGS, testProgram } from "../pages/test-page-process.ts";
import type { Needs, Right } from "../protocol/actor.ts";
import { type ClientCommand, ClientCommands, COMMAND_ACCESS } from "../protocol/events.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import type { Operation } from "../protocol/operation.ts";
import { OPERATIONS, type OperationId } from "../protocol/operations.ts";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import type { Role } from "../protocol/people.ts";
import { TEAM_RECORD } from "../protocol/space.ts";
import { TestClient } from "../realtime/test-client.ts";
import { type TestServer, testServer } from "./test-server.ts";
import {
  agentKey,
  askIn,
  browserHeaders,
  caller,
  eventsOf,
  join,
  newSpace,
  PASSWORD,
  personalKey,
  setUp,
  type TestCaller,
  type TestReply,
  tokenIn,
} from "./test-team.ts";

// Every entry point × every kind of caller × every target. One table says what each caller may do, and everything else
// follows: unknown callers get 401, callers without the right 403, and callers who may not see the target 404, as if it did
// not exist. A refusal changes nothing. An entry point without a row does not compile, or fails here.

const CALLERS = [
  "nobody",
  "expired",
  "cookieAlone",
  "tokenAlone",
  "viewer",
  "outsider",
  "member",
  "admin",
  "ownKey",
  "otherKey",
  "revokedKey",
  "personalKey",
  "keyless",
] as const;
type Who = (typeof CALLERS)[number];
/**
 * Asked by the agent `ownKey`, by the person `member` themself, by an agent in a space of nobody, and by the built-in agent
 * that the admin started; the record of the team; and a conversation that does not exist.
 */
const TARGETS = ["own", "person", "hidden", "claude", "record", "unknown"] as const;
type TargetName = (typeof TARGETS)[number];

/** What each caller may do; null if they are not known. */
const RIGHTS: Record<Who, readonly Right[] | null> = {
  nobody: null,
  expired: null,
  cookieAlone: null,
  tokenAlone: null,
  revokedKey: null,
  viewer: ["read", "account", "notify"],
  outsider: ["ask", "answer", "read", "account", "notify"],
  member: ["ask", "answer", "read", "account", "notify"],
  admin: ["ask", "answer", "read", "account", "notify", "run", "observe", "manage"],
  ownKey: ["ask", "read", "report"],
  otherKey: ["ask", "read"],
  personalKey: ["ask", "answer", "read"],
  keyless: ["ask", "read", "report"],
};
/** Who sees each conversation, and whose question it is. */
const SEES: Record<TargetName, readonly Who[]> = {
  own: ["member", "admin", "ownKey", "personalKey"],
  person: ["member", "admin", "personalKey"],
  hidden: ["admin"],
  claude: ["member", "admin", "personalKey"],
  record: ["admin"],
  unknown: [],
};
const ASKED: Record<TargetName, readonly Who[]> = {
  own: ["ownKey"],
  person: ["member", "personalKey"],
  hidden: [],
  claude: [],
  record: [],
  unknown: [],
};
/** Who may run agents on Parley's machine. */
const RUNNERS: readonly Who[] = ["admin"];

type Target = { session_id: string; tool_use_id: string; inbox_item_id: string; key_id?: string };
type Does = "changes" | "steers";
type Row = {
  /** The body to send; a function of what is tried, if it is tried on a conversation. */
  body?: (target: Target) => unknown;
  path?: (target: Target) => string;
  /** The target: a conversation, a key of `member`, something else whose id does not exist, or nothing in particular. */
  about: "conversation" | "key" | "other" | "nothing";
  /** What it does with a conversation: nobody changes the record, and only runners make an agent on this machine act. */
  does?: Does;
  /** Only whoever asked may do it. */
  byAsker?: true;
  /** Only the owner of the key may do it. */
  byOwner?: true;
  /** Where it is tried, if not on every conversation or key. */
  on?: readonly TargetName[];
  /** It would end something that later tests need, so only callers who are refused try. */
  onlyRefused?: true;
};

/** `own` is a key of an agent, `person` a personal one. */
const KEYS: readonly TargetName[] = ["own", "person", "unknown"];
const triedOn = ({ about, on }: Row): readonly TargetName[] =>
  on ?? (about === "conversation" ? TARGETS : about === "key" ? KEYS : ["own"]);

const ofSession = ({ session_id }: Target) => session_id;
const onAsk =
  (more: object = {}) =>
  ({ session_id, tool_use_id }: Target) => ({ session_id, tool_use_id, ...more });
const onQuestion =
  (more: object = {}) =>
  ({ session_id }: Target) => ({ session_id, question_id: "t", ...more });
const inSession = (path: string) => (target: Target) => path.replace("{id}", ofSession(target)).replace("{n}", "1");
const plain = { about: "nothing" } as const;
const items =
  (more: object = {}) =>
  ({ inbox_item_id }: Target) => ({ inbox_item_ids: [inbox_item_id], ...more });

/** One row for each operation: the compiler finds those that have none. */
const ROWS: Record<OperationId, Row> = {
  createSession: { ...plain, body: () => ({}) },
  listSessions: plain,
  readSession: { about: "conversation", path: inSession("/api/sessions/{id}") },
  readMessages: { about: "conversation", path: inSession("/api/sessions/{id}/messages") },
  sendMessage: {
    about: "conversation",
    does: "steers",
    path: inSession("/api/sessions/{id}/messages"),
    body: () => ({ text: "hi" }),
  },
  interrupt: { about: "conversation", does: "changes", path: inSession("/api/sessions/{id}/interrupt") },
  events: { about: "conversation", path: inSession("/api/sessions/{id}/events") },
  closeSession: { about: "conversation", does: "changes", path: inSession("/api/sessions/{id}/close") },
  allowMore: { about: "conversation", does: "steers", path: inSession("/api/sessions/{id}/allow-more") },
  continueSession: { about: "conversation", does: "steers", path: inSession("/api/sessions/{id}/rounds/{n}/continue") },
  exportSession: { about: "conversation", path: inSession("/api/sessions/{id}/export") },
  importSession: { ...plain, body: () => ({ type: "user", message: { role: "user", content: "hi" } }) },
  ask: {
    about: "conversation",
    does: "changes",
    body: ({ session_id }) => ({ session_id, ...CHOICE, tool_use_id: "again" }),
  },
  readAsk: {
    about: "conversation",
    path: ({ session_id, tool_use_id }) => `/api/asks/${tool_use_id}?session_id=${session_id}`,
  },
  report: {
    about: "conversation",
    path: ({ tool_use_id }) => `/api/asks/${tool_use_id}/report`,
    body: ({ session_id }) => ({ session_id, answers: ["A"] }),
    does: "changes",
    byAsker: true,
  },
  answer: { about: "conversation", does: "steers", body: onQuestion({ answer: "a" }) },
  answerMany: { ...plain, body: (target) => ({ answers: [onQuestion({ answer: "a" })(target)] }) },
  answerSimilar: {
    about: "conversation",
    does: "steers",
    body: ({ session_id, tool_use_id, inbox_item_id }) => ({
      session_id,
      tool_use_id,
      answers: { t: "a" },
      inbox_item_ids: [inbox_item_id],
    }),
  },
  reply: { about: "conversation", does: "steers", body: onAsk({ text: "no" }) },
  // Only the agent that asked can report; a person who sees the question has no right to.
  reportDecision: { about: "conversation", does: "changes", body: onAsk({ answers: { t: "a" } }) },
  // Long enough that no deadline passes during the other tests.
  extend: { about: "conversation", does: "changes", body: onAsk({ timeout_s: 86_400 }) },
  // An agent cancels its own question only.
  cancel: { about: "conversation", does: "changes", body: onAsk({ reason: "x" }) },
  reopen: { about: "conversation", does: "steers", body: onAsk() },
  resume: { about: "conversation", does: "steers", body: onAsk() },
  readDraft: {
    about: "conversation",
    path: ({ session_id, tool_use_id }) => `/api/me/drafts?session_id=${session_id}&tool_use_id=${tool_use_id}`,
  },
  saveDraft: { about: "conversation", body: onAsk({ value: { a: 1 } }) },
  claim: { ...plain, body: items() },
  release: { ...plain, body: items() },
  assign: { ...plain, body: items({ person_id: null }) },
  snooze: { ...plain, body: items({ until: null }) },
  skills: plain,
  inbox: plain,
  exportInbox: { ...plain, path: () => "/api/inbox/export" },
  insights: plain,
  exportInsights: { ...plain, path: () => "/api/insights/export?table=by_agent" },
  find: plain,
  audit: { about: "conversation", path: ({ session_id }) => `/api/audit?session_id=${session_id}` },
  exportAudit: { ...plain, path: () => "/api/audit/export" },
  me: plain,
  updateMe: { ...plain, body: () => ({ time_zone: null }) },
  changePassword: { ...plain, body: () => ({ password: "another good password" }), onlyRefused: true },
  readLink: { ...plain, body: () => ({ token: "ott_unknown_unknown_unknown" }) },
  firstPasskeyOptions: { ...plain, body: () => ({ token: "ott_unknown_unknown_unknown", name: "E", login: "eve" }) },
  setUp: {
    ...plain,
    body: () => ({ token: "ott_unknown_unknown_unknown", name: "E", login: "eve", password: PASSWORD }),
  },
  signIn: { ...plain, body: () => ({ login: "nobody-here", password: "wrong" }) },
  signOut: { ...plain, onlyRefused: true },
  startOidc: { ...plain, body: () => ({}) },
  finishOidc: { ...plain, body: () => ({ url: "http://localhost/?code=x" }) },
  passkeyOptions: { ...plain },
  passkeySignIn: { ...plain, body: () => ({ credential: { id: "x" } }) },
  acceptInvitation: { ...plain, body: () => ({ token: "ott_unknown_unknown_unknown", name: "E", password: PASSWORD }) },
  resetPassword: { ...plain, body: () => ({ token: "ott_unknown_unknown_unknown", password: PASSWORD }) },
  startDevice: { ...plain, body: () => ({ purpose: "agent", machine: "m" }), onlyRefused: true },
  pollDevice: { ...plain, body: () => ({ device_code: "ott_unknown_unknown_unknown" }) },
  readDevice: { ...plain, body: () => ({ user_code: "AAAA-AAAA" }), onlyRefused: true },
  decideDevice: { ...plain, body: () => ({ user_code: "AAAA-AAAA", allow: true }), onlyRefused: true },
  confirmOptions: plain,
  confirm: { ...plain, body: () => ({ password: PASSWORD }) },
  listAuthSessions: plain,
  endAuthSessions: { ...plain, body: () => ({}), onlyRefused: true },
  listPasskeys: plain,
  newPasskeyOptions: plain,
  addPasskey: { ...plain, body: () => ({ credential: { id: "x" }, name: "x" }) },
  removePasskey: { about: "other", body: () => ({ id: "x" }) },
  listPeople: plain,
  updatePerson: { about: "other", path: () => "/api/people/per_unknown", body: () => ({ name: "x" }) },
  createResetLink: { about: "other", path: () => "/api/people/per_unknown/reset-link" },
  listInvitations: plain,
  createInvitation: { ...plain, body: () => ({}) },
  revokeInvitation: { about: "other", path: () => "/api/invitations/ott_unknown/revoke" },
  listSpaces: plain,
  createSpace: { ...plain, body: () => ({ name: `Space ${Math.random()}` }) },
  updateSpace: { about: "other", path: () => "/api/spaces/spc_unknown", body: () => ({ open: true }) },
  readTeam: plain,
  updateTeam: { ...plain, body: () => ({ built_in_agents: true }) },
  listKeys: plain,
  createKey: { ...plain, body: () => ({ kind: "personal", name: "x" }) },
  rotateKey: { about: "key", byOwner: true, path: ({ key_id }) => `/api/keys/${key_id}/rotate` },
  // Nobody changes a personal key.
  updateKey: {
    about: "key",
    on: ["own", "unknown"],
    path: ({ key_id }) => `/api/keys/${key_id}`,
    body: () => ({ can_report: true }),
  },
  revokeKey: { about: "key", path: ({ key_id }) => `/api/keys/${key_id}/revoke` },
  listChannels: plain,
  // Questions would be sent there during the other tests.
  addChannel: {
    ...plain,
    body: () => ({ target: { kind: "ntfy", url: "https://ntfy.example.com/topic" } }),
    onlyRefused: true,
  },
  setWish: { about: "other", path: () => "/api/me/spaces/spc_unknown", body: () => ({ notify: "none" }) },
  listSpaceChannels: { about: "other", path: () => "/api/spaces/spc_unknown/channels" },
  addSpaceChannel: {
    about: "other",
    path: () => "/api/spaces/spc_unknown/channels",
    body: () => ({ target: { kind: "ntfy", url: "https://ntfy.example.com/topic" } }),
  },
  testChannel: { about: "other", path: () => "/api/channels/chn_unknown/test" },
  confirmChannel: {
    about: "other",
    path: () => "/api/channels/chn_unknown/confirm",
    body: () => ({ code: "WXYZ-2345" }),
  },
  removeChannel: { about: "other", path: () => "/api/channels/chn_unknown/remove" },
  // Items that the caller may not see are ignored.
  markSeen: { ...plain, body: items() },
  listNotifications: {
    about: "conversation",
    path: ({ inbox_item_id }) => `/api/notifications?inbox_item_id=${inbox_item_id}`,
  },
  replayNotification: { about: "other", path: () => "/api/notifications/ntf_unknown/replay" },
};

const COMMANDS_DO: Partial<Record<ClientCommand, Does>> = {
  "user.message": "steers",
  "user.input_response": "steers",
  "user.input_reply": "steers",
  "user.input_cancel": "changes",
  "user.interrupt": "changes",
};

/** The agent on Parley's machine: asks, and waits for its answer. */
const claude: Agent = {
  name: "claude",
  about: "Works on this machine.",
  run: async (run) => void (await run.ask({ tool_use_id: "t", ...CHOICE })),
};

/** What refuses a caller: their status, or undefined if they are let through. */
function refusalOf(
  needs: Needs,
  who: Who,
  about: Row["about"],
  target: TargetName,
  row?: Pick<Row, "does" | "byAsker" | "byOwner">,
): number | undefined {
  if (needs === "anyone") return who === "revokedKey" || who === "tokenAlone" ? 401 : undefined;
  const rights = RIGHTS[who];
  if (rights === null) return 401;
  if (!needs.some((right) => rights.includes(right))) return 403;
  // No agent answers, or lifts its own limit.
  if (row?.does === "steers" && !rights.includes("answer")) return 403;
  if (about !== "conversation" && about !== "key") return undefined;
  if (!SEES[target].includes(who)) return 404;
  if (row?.byOwner && who !== "member") return 403;
  if (target === "record" && row?.does) return 403;
  if (target === "claude" && row?.does === "steers" && !RUNNERS.includes(who)) return 403;
  return row?.byAsker && !ASKED[target].includes(who) ? 403 : undefined;
}

/** Calls a tool about a question. */
function callTool(
  { url }: TestServer,
  headers: Record<string, string>,
  name: string,
  { session_id, tool_use_id }: Target,
  signal?: AbortSignal,
): Promise<Response> {
  const input = { session_id, tool_use_id, reason: "x" };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
  const accept = "application/json, text/event-stream";
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  });
}

const fail = (error: unknown) => {
  throw error;
};

describe.each(DATABASES)("who may do what (%s)", (kind) => {
  const started = async (pages?: Parameters<typeof testServer>[1]) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, {
      ...pages,
      agents: [claude],
      limits: { maxPerMinute: 0, maxOpen: 0 },
      auth: {
        isReachable: false,
        passwordSignIn: true,
        allowKeyless: true,
        proxy: undefined,
        runners: ["admin"],
        oidc: undefined,
      },
    });
    onTestFinished(server.stop);
    const admin = await setUp(server);
    await admin.post("/api/team", { built_in_agents: true });
    const [viewer, outsider, member] = [
      await join(server, admin, "Vera", "viewer"),
      await join(server, admin, "Otto"),
      await join(server, admin, "Mei"),
    ];
    const space = await newSpace(admin, "Payments", { members: [member.person.id] });
    const secret = await newSpace(admin, "Secret");
    const own = await agentKey(server, admin, "builder", space, { can_report: true });
    const hidden = await agentKey(server, admin, "hidden", secret);
    const revoked = await agentKey(server, admin, "gone", space);
    await admin.post(`/api/keys/${revoked.key.id}/revoke`);
    const ended = await caller(server).post("/api/auth/sign-in", { login: "mei@example.com", password: PASSWORD });
    const expired = caller(server, browserHeaders(ended));
    await expired.post("/api/auth/sign-out");
    const { cookie = "" } = admin.headers;
    const callers: Record<Who, TestCaller> = {
      // A page without a session. Programs without a key may ask here, and are `keyless`.
      nobody: caller(server, { "sec-fetch-site": "same-origin" }),
      expired,
      // A program on another port of the host, which a browser sends the admin's cookie to.
      cookieAlone: caller(server, { cookie, "sec-fetch-site": "same-origin" }),
      tokenAlone: caller(server, { authorization: `Bearer ${cookie.split("=")[1]}` }),
      viewer,
      outsider,
      member,
      admin,
      ownKey: own,
      otherKey: await agentKey(server, admin, "tester", space),
      revokedKey: revoked,
      personalKey: await personalKey(server, member),
      keyless: caller(server),
    };
    const asked = async (by: TestCaller): Promise<Target> => {
      const { body } = await by.post("/api/asks", { tool_use_id: "t", ...CHOICE });
      return (body as unknown as { ask: Target }).ask;
    };
    /** In the same space. */
    const byPerson = async (): Promise<Target> => {
      const { body } = await member.post("/api/asks", { tool_use_id: "t", space_id: space, ...CHOICE });
      return (body as unknown as { ask: Target }).ask;
    };
    const byClaude = async (): Promise<Target> => {
      const { body } = await admin.post("/api/sessions", { agent: "claude", space_id: space });
      const { session_id } = body as unknown as Target;
      await admin.post(`/api/sessions/${session_id}/messages`, { text: "ask" });
      return vi.waitFor(async () => {
        const reply = await admin.get(`/api/asks/t?session_id=${session_id}`);
        expect(reply.status).toBe(200);
        return (reply.body as unknown as { ask: Target }).ask;
      }, 120_000);
    };
    const [agents, personal] = [await agentKey(server, member, "helper", space), await personalKey(server, member)];
    const nowhere = {
      session_id: "ses_unknown",
      tool_use_id: "t",
      inbox_item_id: "inb_unknown",
      key_id: "key_unknown",
    };
    const make: Record<TargetName, () => Target | Promise<Target>> = {
      own: async () => ({ ...(await asked(own)), key_id: agents.key.id }),
      person: async () => ({ ...(await byPerson()), key_id: personal.key.id }),
      hidden: () => asked(hidden),
      claude: byClaude,
      record: () => ({ ...nowhere, session_id: TEAM_RECORD }),
      unknown: () => nowhere,
    };
    const targets = async (names: readonly TargetName[] = TARGETS) => {
      const made = await Promise.all(names.map(async (name) => [name, await make[name]()] as const));
      return Object.fromEntries(made) as Record<TargetName, Target>;
    };
    return {
      server,
      database,
      callers,
      targets,
      spaceId: space,
      people: { member: member.person.id, admin: admin.person.id },
      keys: { ownKey: own.key.id },
    };
  };

  test("every REST operation", async () => {
    const { database, server, callers, targets } = await started();
    const wrong: string[] = [];
    for (const [id, operation] of Object.entries<Operation>(OPERATIONS) as Array<[OperationId, Operation]>) {
      const row = ROWS[id];
      const tried = triedOn(row);
      const on = await targets(tried);
      const call = async (who: Who, target: Target) => {
        const { method, path, bodyType } = operation;
        const stop = new AbortController();
        const sent = row.body?.(target);
        const type = bodyType === "jsonl" ? "application/x-ndjson" : "application/json";
        const reply = await fetch(server.url + (row.path?.(target) ?? path), {
          method: method.toUpperCase(),
          headers: { ...callers[who].headers, ...(sent !== undefined && { "content-type": type }) },
          ...(sent !== undefined && { body: JSON.stringify(sent) }),
          signal: stop.signal,
        });
        if (id !== "events") await reply.arrayBuffer();
        // The stream of events would not end automatically.
        stop.abort();
        return reply.status;
      };
      await atRest(server);
      expect([id, row.about === "conversation"]).toEqual([id, operation.resource === "conversation"]);
      const before = await readTables(database.url);
      const all = tried.flatMap((name) =>
        CALLERS.map((who) => ({ name, who, expected: refusalOf(operation.needs, who, row.about, name, row) })),
      );
      for (const { name, who, expected } of all.filter((one) => one.expected !== undefined)) {
        const status = await call(who, on[name]);
        if (status !== expected) wrong.push(`${id} by ${who} on ${name}: ${status} instead of ${expected}`);
      }
      await settled(server);
      wrong.push(...changes(id, before, await readTables(database.url)));
      if (row.onlyRefused) continue;
      for (const { name, who } of all.filter((one) => one.expected === undefined)) {
        const status = await call(who, on[name]);
        const refused =
          name === "record"
            ? [401, 403]
            : operation.needs === "anyone"
              ? [403, 404]
              : row.about === "other"
                ? [401, 403]
                : [401, 403, 404];
        // An identity provider is not set up, and nobody can sign in with what is sent here.
        const isFine = !refused.includes(status) || ["startOidc", "finishOidc"].includes(id);
        if (!isFine || status >= 500) wrong.push(`${id} by ${who} on ${name}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test("every agent name that a caller gives", async () => {
    const { server, callers } = await started();
    const wrong: string[] = [];
    // An admin's personal key runs no agent, though the admin may.
    const tried = { ...callers, adminKey: await personalKey(server, callers.admin) };
    const askers = CALLERS.filter((one) => RIGHTS[one]?.includes("ask"));
    for (const agent of ["claude", "other"])
      for (const who of [...askers, "adminKey"] as const) {
        const by = tried[who];
        const session = await by.post("/api/sessions", { agent });
        const asked = await by.post("/api/asks", { agent, ...CHOICE });
        // Keys have their own names; `keyless` has a key without one, and so never the built-in agent.
        const isKey = ["ownKey", "otherKey", "keyless"].includes(who);
        const expected = agent === "other" || isKey ? [201, 201] : [who === "admin" ? 201 : 403, 400];
        const got = [session.status, asked.status];
        if (String(got) !== String(expected)) wrong.push(`${agent} by ${who}: ${got} instead of ${expected}`);
        const { session_id } = (asked.body as unknown as { ask?: Target }).ask ?? {};
        if (session_id === undefined) continue;
        const sent = await callers.admin.post(`/api/sessions/${session_id}/messages`, { text: "go" });
        if (sent.body.status !== "noted") wrong.push(`a message to ${agent} by ${who}: ${JSON.stringify(sent.body)}`);
      }
    expect(wrong).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test("every wait, when access is lost meanwhile", async () => {
    const { server, callers, spaceId, people, keys } = await started();
    const { admin } = callers;
    const members = (ids: string[]) => admin.post(`/api/spaces/${spaceId}`, { members: ids });
    const { member } = people;
    /** How each caller loses access and gets it back, and what a request and a tool that wait end with. */
    const losses: Array<{ who: Who; lose: () => Promise<unknown>; regain?: () => Promise<unknown>; status: number }> = [
      { who: "member", lose: () => members([]), regain: () => members([member]), status: 404 },
      { who: "personalKey", lose: () => members([]), regain: () => members([member]), status: 404 },
      { who: "member", lose: () => admin.post(`/api/people/${member}`, { status: "disabled" }), status: 401 },
      { who: "ownKey", lose: () => admin.post(`/api/keys/${keys.ownKey}/revoke`), status: 401 },
    ];
    for (const { who, lose, regain, status } of losses) {
      const { headers, get } = callers[who];
      const asked = await Promise.all(
        ["request", "tool"].map((tool_use_id) => callers.ownKey.post("/api/asks", { tool_use_id, ...CHOICE })),
      );
      const [request, tool] = asked.map(({ body }) => (body as unknown as { ask: Target }).ask) as [Target, Target];
      const waiting = get(`/api/asks/request?session_id=${request.session_id}&wait=50`);
      const called = callTool(server, headers, "wait_for_answer", tool);
      const stream = await eventsOf(server, request.session_id, headers);
      await vi.waitFor(() => expect(server.hub.waiting()).toBe(2), 120_000);
      await vi.waitFor(() => expect(stream.text()).toContain("conversation.state"), 120_000);
      await lose();
      for (const { session_id, tool_use_id } of [request, tool]) {
        const answered = { session_id, tool_use_id, answers: { 0: "2" } };
        expect([who, (await admin.post("/api/task/answer", answered)).status]).toEqual([who, 200]);
      }
      expect([who, (await waiting).status]).toEqual([who, status]);
      expect(await (await called).text()).toMatch(status === 401 ? /unauthorized/ : /session_not_found/);
      await stream.ended;
      expect(stream.text()).not.toContain("question.answered");
      await regain?.();
    }
    expect(server.errors).toEqual([]);
  });

  test("everything that a person holds, once they lose access", async () => {
    const { server, callers, spaceId, people } = await started();
    const { admin, nobody } = callers;
    const members = (ids: string[]) => admin.post(`/api/spaces/${spaceId}`, { members: ids });
    const change = (body: object) => (id: string) => admin.post(`/api/people/${id}`, body);
    type Loss = { role: Role; lose: Array<(id: string) => Promise<unknown>>; left: string[] };
    /** Who loses access and how, and what still works afterwards. */
    const losses: Record<string, Loss> = {
      disabled: { role: "admin", lose: [change({ status: "disabled" })], left: [] },
      back: { role: "admin", lose: [change({ status: "disabled" }), change({ status: "active" })], left: [] },
      member: { role: "admin", lose: [change({ role: "member" })], left: [] },
      viewer: { role: "member", lose: [change({ role: "viewer" })], left: [] },
      outside: { role: "member", lose: [() => members([])], left: ["session", "personal key"] },
      // Without a loss, everything works: nothing above is refused for another reason.
      nothing: {
        role: "admin",
        lose: [],
        left: ["session", "personal key", "key of an agent", "new secret", "invitation", "reset link"],
      },
    };
    const works: Record<string, string[]> = {};
    for (const [name, { role, lose }] of Object.entries(losses)) {
      const eve = await join(server, admin, name, role);
      await members([eve.person.id]);
      const [own, key] = [await personalKey(server, eve), await agentKey(server, eve, "eves", spaceId)];
      const link = async (path: string, body?: object) => {
        const { url } = (await eve.post(path, body)).body as unknown as { url?: string };
        return url && tokenIn(url);
      };
      const invitation = await link("/api/invitations", { role: "admin" });
      const reset = await link(`/api/people/${people.member}/reset-link`);
      const uses: Record<string, () => Promise<TestReply>> = {
        session: () => eve.get("/api/inbox"),
        "personal key": () => own.get("/api/inbox"),
        "key of an agent": () => key.post("/api/asks", CHOICE),
        "new secret": () => eve.post(`/api/keys/${key.key.id}/rotate`),
        invitation: () =>
          nobody.post("/api/auth/accept", { token: invitation, name: "Eve", login: `${name}-2`, password: PASSWORD }),
        "reset link": () => nobody.post("/api/auth/reset", { token: reset, password: "taken over by Eve" }),
      };
      for (const one of lose) await one(eve.person.id);
      const left: string[] = [];
      for (const [what, use] of Object.entries(uses)) if ((await use()).status < 300) left.push(what);
      works[name] = left;
    }
    expect(works).toEqual(Object.fromEntries(Object.entries(losses).map(([name, { left }]) => [name, left])));
    expect(server.errors).toEqual([]);
  });

  test("every answer in a space that requires a second person", async () => {
    const { server, callers, targets, spaceId, people } = await started();
    const { admin, member } = callers;
    const key = await agentKey(server, member, "helper", spaceId);
    const on = await targets(["own", "person", "claude"]);
    await admin.post(`/api/spaces/${spaceId}`, { requires_second_person: true });
    // The admin has a key of the member's for a while, and so may know its secret.
    const give = (by: TestCaller, owner_id: string) => by.post(`/api/keys/${key.key.id}`, { owner_id });
    await give(member, people.admin);
    const { secret } = (await admin.post(`/api/keys/${key.key.id}/rotate`)).body as unknown as { secret: string };
    await give(admin, people.member);
    const helper = caller(server, { authorization: `Bearer ${secret}` });
    const held = askIn(await helper.post("/api/asks", { tool_use_id: "t", ...CHOICE }));
    const wrong: string[] = [];
    // The admin owns the key that asked `own`, and started `claude`. The member asked `person`. Both have had the key that
    // asked `held`. A personal key is nobody's second person.
    const seconds: Array<[string, Target, Who[]]> = [
      ["own", on.own, ["member"]],
      ["person", on.person, ["admin"]],
      ["claude", on.claude, []],
      ["held", held, []],
    ];
    for (const [name, { session_id }, second] of seconds) {
      const refused = (["admin", "member", "personalKey"] as const).filter((who) => !second.includes(who));
      for (const who of [...refused, ...second]) {
        const { status } = await callers[who].post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
        const expected = second.includes(who) ? 200 : 403;
        if (status !== expected) wrong.push(`answer by ${who} on ${name}: ${status} instead of ${expected}`);
      }
    }
    const byDefault = await helper.post("/api/asks", { ...CHOICE, on_timeout: "default", timeout_s: 60 });
    if (byDefault.status !== 400) wrong.push(`ask with a default: ${byDefault.status} instead of 400`);
    expect(wrong).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test("every socket command", async () => {
    const { server, database, callers, targets } = await started();
    const wrong: string[] = [];
    const sockets = new Map<Who, TestClient>();
    for (const who of CALLERS) {
      const client = new TestClient(server.url, {}, { extraHeaders: callers[who].headers });
      onTestFinished(() => void client.socket.disconnect());
      const known = await client.connected().then(
        () => true,
        (error: { data?: { code?: string } }) => {
          expect([who, error.data?.code]).toEqual([who, "UNAUTHORIZED"]);
          return false;
        },
      );
      // A socket carries no sign of a browser: without a cookie it is a program.
      expect([who, known]).toEqual([who, RIGHTS[who] !== null || who === "nobody"]);
      if (known && RIGHTS[who] !== null) sockets.set(who, client);
    }
    // The older dialect names no conversation: it finds its question in what the socket watches, which was checked before.
    const aboutNothing: ClientCommand[] = [
      "inbox.subscribe",
      "inbox.unsubscribe",
      "conversation.unsubscribe",
      "question_answer",
    ];
    for (const command of Object.keys(ClientCommands) as ClientCommand[]) {
      const on = await targets();
      const about = aboutNothing.includes(command) ? "nothing" : "conversation";
      const send = (client: TestClient, { session_id: conversation_id, tool_use_id }: Target) =>
        client.send(command, {
          conversation_id,
          tool_use_id,
          question_id: "t",
          text: "x",
          reason: "x",
          answer: "a",
          answers: { 0: "1" },
          state: "looking",
        });
      await atRest(server);
      const before = await readTables(database.url);
      const all = [...sockets].flatMap(([who, client]) =>
        TARGETS.map((name) => ({
          who,
          name,
          client,
          refusal: refusalOf(COMMAND_ACCESS[command].needs, who, about, name, { does: COMMANDS_DO[command] }),
        })),
      );
      for (const { who, name, client, refusal } of all.filter((one) => one.refusal !== undefined)) {
        const reply = await send(client, on[name]);
        const code = reply.ok ? "ok" : reply.error.code;
        const expected = refusal === 403 ? "FORBIDDEN" : "SESSION_NOT_FOUND";
        if (code !== expected) wrong.push(`${command} by ${who} on ${name}: ${code} instead of ${expected}`);
      }
      await settled(server);
      wrong.push(...changes(command, before, await readTables(database.url)));
      for (const { who, name, client } of all.filter((one) => one.refusal === undefined)) {
        const reply = await send(client, on[name]);
        if (
          !reply.ok &&
          ["FORBIDDEN", "SESSION_NOT_FOUND", "UNAUTHORIZED"].includes(reply.error.code) &&
          name !== "record"
        )
          wrong.push(`${command} by ${who} on ${name}: ${reply.error.code}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("every tool", async () => {
    const { server, database, callers, targets } = await started();
    const wrong: string[] = [];
    const call = async (who: Who, name: string, target: Target) => {
      // A tool that is let through may wait for an answer that never comes.
      const reply = await callTool(server, callers[who].headers, name, target, AbortSignal.timeout(120_000));
      return reply.status === 401 ? "unauthorized" : reply.text().catch(String);
    };
    const names = [...new Set([...toolList(DEFAULT_LIMITS).map(({ name }) => name), ...TOOL_NAMES])];
    /** Every tool call acts as an agent, so it has neither the right to answer nor that to read pages. */
    const toolRights = (who: Who): readonly Right[] | undefined =>
      RIGHTS[who]?.filter((right) => right === "ask" || right === "read");
    for (const name of names) {
      const on = await targets();
      const needs = rightsOfTool(name) ?? fail(new Error(`the tool ${name} declares no rights`));
      await atRest(server);
      const before = await readTables(database.url);
      for (const who of CALLERS.filter((one) => one !== "nobody"))
        for (const target of TARGETS) {
          const rights = toolRights(who);
          const isRefused = !rights || !needs.some((right) => rights.includes(right)) || !SEES[target].includes(who);
          if (!isRefused || name === "list_skills") continue;
          const text = await call(who, name, on[target]);
          const expected = !rights
            ? "unauthorized"
            : !needs.some((right) => rights.includes(right))
              ? "forbidden"
              : // A question without text is refused before anyone looks where it is asked.
                /session_not_found|invalid_request/;
          if (!new RegExp(expected).test(text)) wrong.push(`${name} by ${who} on ${target}: ${text.slice(0, 200)}`);
        }
      await settled(server);
      wrong.push(...changes(name, before, await readTables(database.url)));
    }
    expect(wrong).toEqual([]);
  });
});

test("every page, and every way around a page", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const { program, remove } = testProgram();
  onTestFinished(remove);
  const pageProcess = new PageProcess({ program, settings: TEST_SETTINGS, env: {}, onExit: () => {}, restartMs: 1 });
  pageProcess.start();
  const server = await testServer(database.url, { pages: (options) => servePages(pageProcess, options) });
  onTestFinished(server.stop);
  await pageProcess.firstStart;
  const admin = await setUp(server);
  const viewer = await join(server, admin, "Vera", "viewer");
  const nobody = caller(server);
  const pages = Object.entries(PAGE_ACCESS).map(([path, { needs }]) => [path.replace("{id}", "ses_1"), needs] as const);
  for (const [path, needs] of pages) {
    const reply = await nobody.get(path);
    if (needs === "anyone") expect([path, reply.status]).toEqual([path, 200]);
    else expect([path, reply.status, reply.headers.get("location")?.split("?")[0]]).toEqual([path, 303, "/sign-in"]);
    for (const person of [viewer, admin])
      expect([path, await rendered(server, path, person.headers)]).toEqual([path, true]);
  }
  // The cookie alone gets the same words everywhere, whoever it belongs to, and none of them from the page process.
  const { cookie = "" } = admin.headers;
  const locked = async (path: string, by: TestCaller) => {
    const reply = await fetch(server.url + path, { headers: { cookie: by.headers.cookie ?? "" } });
    expect([path, reply.status, reply.headers.get("x-page")]).toEqual([path, 200, null]);
    return (await reply.text()).replaceAll(/nonce="[^"]+"|data-sign-in="[^"]+"/g, "");
  };
  const words = await locked("/", viewer);
  for (const [path] of pages.filter(([, needs]) => needs !== "anyone"))
    expect([path, await locked(`${path}?q=1`, admin)]).toEqual([path, words]);
  const around: Array<[string, Record<string, string>?]> = [
    ["/conversations", { rsc: "1" }],
    ["/conversations?_rsc=abc"],
    ["/conversations.rsc"],
    ["/conversations.txt"],
    ["//conversations"],
    ["/%2e/conversations"],
    ["/_next/../conversations"],
    ["/_next/static/%2e%2e/conversations"],
    ["/_next/data/build/conversations.json"],
    ["/sign-in/../conversations"],
    ["/sign-in/%2e%2e/conversations"],
    ["/sign-in%2f..%2fconversations"],
    ["/sign-in//conversations"],
    ["/conversations", { "x-middleware-subrequest": "middleware" }],
    ["/conversations", { "x-parley-visitor": encodeURIComponent(JSON.stringify({ actor: { rights: ["read"] } })) }],
    ["/conversations", { "x-nextjs-data": "1" }],
    ["/conversations", { "x-now-route-matches": "1" }],
    ["/conversations", { "x-forwarded-for": "127.0.0.1" }],
    ["/unknown"],
  ];
  for (const [path, headers] of around) {
    const raw = await rawGet(server, path, headers);
    // Refused, or sent to sign in; never rendered.
    expect([path, headers, raw.status < 300]).toEqual([path, headers, false]);
    for (const [name, value] of Object.entries({ [PAGE_SECRET_HEADER]: "x".repeat(43), rsc: "1", accept: "text/html" }))
      expect([path, await rendered(server, path, { ...headers, cookie, [name]: value })]).toEqual([path, false]);
  }
  const away = await nobody.get("/conversations/x?next=//evil.example");
  expect(away.headers.get("location")).toBe(
    `/sign-in?next=${encodeURIComponent("/conversations/x?next=//evil.example")}`,
  );
  const inside = await nobody.get("/?item=inb_1&_rsc=abc");
  expect(inside.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent("/?item=inb_1")}`);
});

/** Sends the path as it is: `fetch` would tidy it up. */
async function rawGet(
  { url }: TestServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; isRendered: boolean }> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request({ host: "127.0.0.1", port, path, headers }, (reply) => {
      reply.resume();
      resolve({ status: reply.statusCode ?? 0, isRendered: reply.headers["x-page"] !== undefined });
    });
    sent.on("error", reject).end();
  });
}

/** Whether the page process saw the request. */
async function rendered(server: TestServer, path: string, headers: Record<string, string>): Promise<boolean> {
  return (await rawGet(server, path, headers)).isRendered;
}

/** Seals and deliveries follow a change; a refusal must not be blamed for them. */
async function settled({ hub }: TestServer): Promise<void> {
  await hub.recordDeliveries();
}

/** Nothing that earlier calls caused is still to be written: refused keys are recorded once a minute. */
async function atRest(server: TestServer): Promise<void> {
  await settled(server);
  await server.auth.refusals.flush();
}

/** What a refusal changed, except for effects of earlier changes: seals, last-seen times and notifications. */
function changes(entry: string, before: Awaited<ReturnType<typeof readTables>>, after: typeof before): string[] {
  const text = (tables: typeof before, name: keyof typeof before) =>
    tables[name]
      .map(({ active_at: _, used_at: __, seen_at: ___, seen_from: ____, notify_at: _____, ...row }) =>
        JSON.stringify(row),
      )
      .sort()
      .join("\n");
  const names = Object.keys(before) as Array<keyof typeof before>;
  return names
    .filter((name) => name !== "audit_seal" && text(before, name) !== text(after, name))
    .map((name) => `${entry} was refused but changed ${name}`);
}
