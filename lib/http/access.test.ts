import { expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { testDatabase } from "../db/test-databases.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { testServer } from "./test-server.ts";
import {
  agentKey,
  askIn,
  caller,
  join,
  newSpace,
  personalKey,
  setUp,
  type TestCaller,
  type TestReply,
} from "./test-team.ts";

// What a caller may do with a conversation that they see: who may make an agent work on Parley's machine, and whose
// questions an agent may report on.

const sessionIn = ({ body }: TestReply) => (body as unknown as { session_id: string }).session_id;

/** A team with an agent called `claude`, which notes what it was told and asks once before it ends. */
async function withClaude() {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const told: string[] = [];
  const claude: Agent = {
    name: "claude",
    about: "Works on this machine.",
    run: async (run) => {
      told.push(run.message);
      if (!run.message.startsWith("ask")) return;
      const { outcome, answers } = await run.ask({ ...CHOICE, question_id: "may", tool_use_id: "may_permission" });
      told.push(`${outcome} ${answers[0]?.option_ids}`);
    },
  };
  const server = await testServer(database.url, { agents: [claude] });
  onTestFinished(server.stop);
  const admin = await setUp(server);
  const member = await join(server, admin, "Mei");
  await admin.post("/api/team", { built_in_agents: true });
  const start = async (by: TestCaller) => by.post("/api/sessions", { agent: "claude" });
  return { server, admin, member, told, start };
}

test("only those who may run agents on this machine start or steer one, by any path", async () => {
  const { server, admin, member, told, start } = await withClaude();
  const key = await personalKey(server, member);
  const adminKey = await personalKey(server, admin);
  for (const by of [member, key, adminKey]) expect((await start(by)).status).toBe(403);
  // An ask creates no conversation of a built-in agent, no matter who asks.
  for (const by of [admin, member, key])
    expect((await by.post("/api/asks", { ...CHOICE, agent: "claude" })).status).toBe(400);
  // A key with that name is an agent of its owner, not the one on this machine.
  const namesake = await agentKey(server, member, "claude");
  const { session_id } = askIn(await namesake.post("/api/asks", CHOICE));
  const noted = await member.post(`/api/sessions/${session_id}/messages`, { text: "by a namesake" });
  expect([noted.status, noted.body.status]).toEqual([202, "noted"]);

  const session = sessionIn(await start(admin));
  const path = `/api/sessions/${session}`;
  for (const by of [member, key, adminKey])
    expect((await by.post(`${path}/messages`, { text: "by someone else" })).status).toBe(403);
  expect((await admin.post(`${path}/messages`, { text: "ask first" })).body.status).toBe("running");
  await vi.waitFor(async () =>
    expect((await admin.get(`/api/asks/may_permission?session_id=${session}`)).status).toBe(200),
  );
  const question = { session_id: session, question_id: "may" };
  for (const by of [member, key, adminKey]) {
    expect((await by.post("/api/task/answer", { ...question, answer: "a" })).status).toBe(403);
    expect(
      (await by.post("/api/task/reply", { session_id: session, tool_use_id: "may_permission", text: "go" })).status,
    ).toBe(403);
    expect((await by.post(`${path}/rounds/1/continue`)).status).toBe(403);
  }
  // Stopping an agent is for everyone who sees it.
  expect((await member.post(`${path}/interrupt`)).status).toBe(200);
  expect((await admin.post(`${path}/messages`, { text: "ask again" })).status).toBe(202);
  expect(told).not.toContain("by someone else");
  expect(told).not.toContain("by a namesake");
});

test("the agents on this machine are off until an admin turns them on, and stop once they are turned off", async () => {
  const { admin, member, start, told } = await withClaude();
  const set = (built_in_agents: boolean) => admin.post("/api/team", { built_in_agents });
  expect((await member.post("/api/team", { built_in_agents: true })).status).toBe(403);
  const session_id = sessionIn(await start(admin));
  const message = { text: "ask first" };
  const isOpen = async () => (await admin.get(`/api/asks/may_permission?session_id=${session_id}`)).body.ask;
  await admin.post(`/api/sessions/${session_id}/messages`, message);
  await vi.waitFor(async () => expect(await isOpen()).toMatchObject({ status: "pending" }));
  expect((await set(false)).body.team).toMatchObject({ built_in_agents: false });
  await vi.waitFor(async () => expect(await isOpen()).toMatchObject({ status: "cancelled" }));
  for (const refused of [await start(admin), await admin.post(`/api/sessions/${session_id}/messages`, message)])
    expect([refused.status, refused.body.error?.message]).toEqual([403, expect.stringContaining("turn it on")]);
  expect(told).toEqual(["ask first"]);
  const { body } = await admin.get("/api/audit?session_id=parley");
  const { events } = body as unknown as { events: Array<{ action: string; after: object }> };
  expect(events.filter(({ action }) => action === "team.changed").map(({ after }) => after)).toEqual([
    { built_in_agents: true },
    { built_in_agents: false },
  ]);
});

test("an agent reports only on its own questions, under its own name", async () => {
  const { server, admin, member } = await withClaude();
  const deployer = await agentKey(server, admin, "deployer");
  const other = await agentKey(server, admin, "other");
  const { session_id, tool_use_id } = askIn(await deployer.post("/api/asks", { ...CHOICE, tool_use_id: "t" }));
  await admin.post("/api/task/answer", { session_id, question_id: "t", answer: "b" });
  const report = { session_id, answers: ["A"] };
  for (const by of [member, admin]) expect((await by.post(`/api/asks/${tool_use_id}/report`, report)).status).toBe(403);
  expect((await other.post(`/api/asks/${tool_use_id}/report`, report)).status).toBe(404);
  expect((await deployer.post(`/api/asks/${tool_use_id}/report`, report)).status).toBe(200);
  const { body } = await admin.get(`/api/audit?session_id=${session_id}`);
  const { events } = body as unknown as { events: Array<{ action: string; actor: object }> };
  expect(events.find(({ action }) => action === "question.answered_elsewhere")?.actor).toMatchObject({
    kind: "agent",
    name: "deployer",
    provenance: "reported",
    id: deployer.key.id,
  });
});

test("nobody writes into the record of the team, or stops it", async () => {
  const { admin, member, server } = await withClaude();
  expect((await admin.get("/api/sessions/parley")).status).toBe(200);
  for (const [path, body] of [
    ["messages", { text: "x" }],
    ["interrupt", undefined],
    ["close", undefined],
    ["allow-more", undefined],
  ] as const) {
    expect((await admin.post(`/api/sessions/parley/${path}`, body)).status).toBe(403);
    expect((await member.post(`/api/sessions/parley/${path}`, body)).status).toBe(404);
  }
  const key = await agentKey(server, admin);
  expect((await key.post("/api/asks", { ...CHOICE, session_id: "parley" })).status).toBe(404);
  expect((await admin.post("/api/asks", { ...CHOICE, session_id: "parley" })).status).toBe(403);
});

test("in a space that requires a second person, who starts a built-in agent owns its questions", async () => {
  const { server, admin, member } = await withClaude();
  const space_id = await newSpace(admin, "Payments", { requires_second_person: true, members: [member.person.id] });
  const second = await join(server, admin, "Ben", "admin");
  const session_id = sessionIn(await admin.post("/api/sessions", { agent: "claude", space_id }));
  await admin.post(`/api/sessions/${session_id}/messages`, { text: "ask first" });
  const answered = { session_id, question_id: "may", answer: "a" };
  await vi.waitFor(async () =>
    expect((await admin.get(`/api/asks/may_permission?session_id=${session_id}`)).status).toBe(200),
  );
  const refused = await admin.post("/api/task/answer", answered);
  expect([refused.status, refused.body.error?.code]).toEqual([403, "second_person_required"]);
  expect((await second.post("/api/task/answer", answered)).status).toBe(200);
});

test("in a space that requires a second person, no default settles a question", async () => {
  const { server, admin } = await withClaude();
  const space_id = await newSpace(admin, "Payments");
  const key = await agentKey(server, admin, "builder", space_id);
  const asked = { ...CHOICE, on_timeout: "default", timeout_s: 1 };
  const before = askIn(await key.post("/api/asks", asked));
  expect((await admin.post(`/api/spaces/${space_id}`, { requires_second_person: true })).status).toBe(200);
  const refused = await key.post("/api/asks", asked);
  expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining("second person")]);
  const settled = await key.get(`/api/asks/${before.tool_use_id}?session_id=${before.session_id}&wait=30`);
  const { ask } = settled.body as unknown as {
    ask: { status: string; result: { outcome: string; answers: unknown[]; decided_by: object } };
  };
  expect(ask.result).toMatchObject({ outcome: "timeout", decided_by: { kind: "system" } });
  expect(ask.result.answers).toEqual([]);
});

test("agents are not told of claims that have expired", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const server = await testServer(database.url, { claimMs: 1 });
  onTestFinished(server.stop);
  const admin = await setUp(server);
  const key = await agentKey(server, admin);
  const { session_id, tool_use_id, inbox_item_id } = askIn(await key.post("/api/asks", CHOICE));
  expect((await admin.post("/api/inbox/claim", { inbox_item_ids: [inbox_item_id] })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 10));
  const { body } = await caller(server, key.headers).get(`/api/asks/${tool_use_id}?session_id=${session_id}`);
  const { ask } = body as unknown as { ask: { claim: unknown; notification_status: { claimed_by: string | null } } };
  expect([ask.claim, ask.notification_status.claimed_by]).toEqual([null, null]);
});
