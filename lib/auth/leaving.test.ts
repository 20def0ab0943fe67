import { describe, expect, onTestFinished, test } from "vitest";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import {
  agentKey,
  caller,
  join,
  keyOf,
  newSpace,
  PASSWORD,
  personalKey,
  setUp,
  type TestCaller,
  tokenIn,
} from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";

const QUESTION = { tool_use_id: "t", ...CHOICE };

describe.each(DATABASES)("leaving (%s)", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(async () => {
      await server.stop();
      expect(server.errors).toEqual([]);
    });
    const admin = await setUp(server);
    return { server, admin, nobody: caller(server) };
  };
  const linkFrom = async (from: TestCaller, path: string, body?: object) => {
    const reply = await from.post(path, body);
    expect(reply.status).toBe(201);
    return tokenIn((reply.body as unknown as { url: string }).url);
  };

  test.each([{ status: "disabled" }, { role: "member" }])("%o ends everything an admin holds", async (change) => {
    const { server, admin, nobody } = await started();
    const eve = await join(server, admin, "Eve", "admin");
    const keys = [await agentKey(server, eve), await personalKey(server, eve)];
    const invitation = await linkFrom(eve, "/api/invitations", { role: "admin" });
    const reset = await linkFrom(eve, `/api/people/${admin.person.id}/reset-link`);
    const own = await linkFrom(admin, `/api/people/${eve.person.id}/reset-link`);
    const device = await nobody.post("/api/auth/device", { purpose: "agent", machine: "laptop" });
    const { device_code, user_code } = device.body as unknown as { device_code: string; user_code: string };
    expect((await eve.post("/api/auth/device/approve", { user_code, allow: true })).status).toBe(200);
    for (const key of keys) expect((await key.get("/api/inbox")).status).toBe(200);

    expect((await admin.post(`/api/people/${eve.person.id}`, change)).status).toBe(200);
    const accepted = { token: invitation, name: "Eve again", login: "eve2@example.com", password: PASSWORD };
    expect((await nobody.post("/api/auth/accept", accepted)).status).toBe(410);
    for (const token of [reset, own])
      expect((await nobody.post("/api/auth/reset", { token, password: "taken over by Eve" })).status).toBe(410);
    expect((await nobody.post("/api/auth/device/token", { device_code })).status).toBe(410);
    for (const one of [eve, ...keys]) expect((await one.get("/api/inbox")).status).toBe(401);
    expect((await admin.get("/api/invitations")).body).toMatchObject({ invitations: [] });

    // They start with nothing if they come back.
    await admin.post(`/api/people/${eve.person.id}`, { status: "active", role: "admin" });
    for (const one of [eve, ...keys]) expect((await one.get("/api/inbox")).status).toBe(401);
    expect((await nobody.post("/api/auth/accept", accepted)).status).toBe(410);
    expect(server.auth.ctx.directory.people).toHaveLength(2);
  });

  test("a promotion or another name ends nothing", async () => {
    const { server, admin } = await started();
    const mei = await join(server, admin, "Mei", "member");
    const key = await agentKey(server, mei);
    await admin.post(`/api/people/${mei.person.id}`, { role: "admin", name: "Mei Lin" });
    for (const one of [mei, key]) expect((await one.get("/api/inbox")).status).toBe(200);
  });

  test("a newer reset link, or another password, ends the older links", async () => {
    const { server, admin, nobody } = await started();
    const mei = await join(server, admin, "Mei");
    const path = `/api/people/${mei.person.id}/reset-link`;
    const [first, second] = [await linkFrom(admin, path), await linkFrom(admin, path)];
    const reset = (token: string) => nobody.post("/api/auth/reset", { token, password: "a new long password" });
    expect((await reset(first)).status).toBe(410);
    expect((await mei.post("/api/me/password", { current: PASSWORD, password: "mei chose another" })).status).toBe(200);
    expect((await reset(second)).status).toBe(410);
    expect((await reset(await linkFrom(admin, path))).status).toBe(200);
  });

  test("an agent's key follows its owner's access to its space", async () => {
    const { server, admin } = await started();
    const mei = await join(server, admin, "Mei");
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, mei, "payer", space);
    expect((await key.post("/api/asks", QUESTION)).status).toBe(201);
    const refused = async () => {
      expect((await key.post("/api/asks", { ...QUESTION, tool_use_id: "u" })).status).toBe(401);
      expect((await key.get("/api/sessions")).status).toBe(401);
      expect((await mei.post(`/api/keys/${key.key.id}/rotate`)).status).toBe(403);
    };
    await admin.post(`/api/spaces/${space}`, { members: [] });
    await refused();
    await admin.post(`/api/spaces/${space}`, { members: [mei.person.id] });
    expect((await key.get("/api/sessions")).status).toBe(200);
  });

  test("a space's key survives a colleague, and a key can be given to another", async () => {
    const { server, admin } = await started();
    const [mei, kenji] = [await join(server, admin, "Mei"), await join(server, admin, "Kenji")];
    const responsible = [mei.person.id, kenji.person.id];
    const shared = await keyOf(server, mei, { kind: "agent", name: "Deploys", agent: "deployer", responsible });
    expect(shared.key).toMatchObject({ owner_id: null, responsible: [{ name: "Kenji" }, { name: "Mei" }] });
    const own = await agentKey(server, mei, "builder");
    const given = await agentKey(server, mei, "tester");
    const give = (by: TestCaller, key: { id: string }, body: object) => by.post(`/api/keys/${key.id}`, body);
    expect((await give(kenji, given.key, { owner_id: kenji.person.id })).status).toBe(404);
    expect((await give(mei, given.key, { owner_id: "per_nobody" })).status).toBe(400);
    expect((await give(mei, given.key, { owner_id: kenji.person.id })).body).toMatchObject({
      key: { id: given.key.id, owner_name: "Kenji" },
    });
    await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    for (const key of [shared, given]) expect((await key.get("/api/sessions")).status).toBe(200);
    expect((await own.get("/api/sessions")).status).toBe(401);
    // Without anyone responsible it waits for an admin, who names someone.
    await admin.post(`/api/people/${kenji.person.id}`, { role: "viewer" });
    expect((await shared.get("/api/sessions")).status).toBe(401);
    expect((await give(admin, shared.key, { responsible: [admin.person.id] })).status).toBe(200);
    expect((await shared.get("/api/sessions")).status).toBe(200);
  });

  test("nobody receives the secret of a colleague's key, and any admin can revoke it", async () => {
    const { server, admin } = await started();
    const mei = await join(server, admin, "Mei");
    for (const key of [await personalKey(server, mei), await agentKey(server, mei)]) {
      const path = `/api/keys/${key.key.id}`;
      expect((await admin.post(`${path}/rotate`)).body.error).toMatchObject({ code: "forbidden" });
      expect((await key.get("/api/inbox")).status).toBe(200);
      expect((await admin.post(`${path}/revoke`)).status).toBe(200);
      expect((await key.get("/api/inbox")).status).toBe(401);
    }
  });

  test("a name is on one line and visible, and one that two people have is shown with the login", async () => {
    const { server, admin } = await started();
    const mei = await join(server, admin, "Mei");
    for (const name of ["Ro\u200bot", "Mei\nand Ada", "\u3164", "\u2800", "Ada\u200d"])
      expect([name, (await mei.post("/api/me", { name })).status]).toEqual([name, 400]);
    for (const name of ["Zoë", "क्‍ष", "👩‍💻 Ada", "森 健司"])
      expect([name, (await mei.post("/api/me", { name })).status]).toEqual([name, 200]);
    expect((await mei.post("/api/me", { name: "ＡDA" })).status).toBe(200);
    const { ask } = (await mei.post("/api/asks", QUESTION)).body as unknown as { ask: { session_id: string } };
    await mei.post("/api/task/answer", { session_id: ask.session_id, question_id: "t", answer: "a" });
    expect((await admin.get(`/api/asks/t?session_id=${ask.session_id}`)).body).toMatchObject({
      ask: { result: { decided_by: { name: "ＡDA (mei@example.com)" } } },
    });
  });

  test("someone who has held a key is no second person for what it asks", async () => {
    const { server, admin } = await started();
    const mei = await join(server, admin, "Mei");
    const kenji = await join(server, admin, "Kenji");
    await admin.post("/api/spaces/spc_everyone", { requires_second_person: true });
    const key = await agentKey(server, mei);
    await mei.post(`/api/keys/${key.key.id}`, { owner_id: admin.person.id });
    const rotated = await admin.post(`/api/keys/${key.key.id}/rotate`);
    const { secret } = rotated.body as unknown as { secret: string };
    await admin.post(`/api/keys/${key.key.id}`, { owner_id: mei.person.id });
    const agent = caller(server, { authorization: `Bearer ${secret}` });
    const { ask } = (await agent.post("/api/asks", QUESTION)).body as unknown as { ask: { session_id: string } };
    const answer = { session_id: ask.session_id, question_id: "t", answer: "a" };
    for (const one of [admin, mei])
      expect((await one.post("/api/task/answer", answer)).body.error).toMatchObject({ code: "second_person_required" });
    expect((await kenji.post("/api/task/answer", answer)).status).toBe(200);
  });
});
