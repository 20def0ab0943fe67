import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { TestClient } from "../realtime/test-client.ts";
import { testServer } from "./test-server.ts";
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
} from "./test-team.ts";

// Two nodes on one PostgreSQL: whatever one lets in or shuts out, the other does too.

/** Longer than a slow machine needs; a revocation itself may take five seconds. */
const PATIENCE = { timeout: 120_000, interval: 50 };

async function twoNodes() {
  const database = await testDatabase("postgresql");
  onTestFinished(database.drop);
  const nodes = [await testServer(database.url), await testServer(database.url)] as const;
  for (const node of nodes) onTestFinished(node.stop);
  return nodes;
}

test("who signs in on one node is signed in on the other, and who is shut out on one is shut out on both", async () => {
  const [one, two] = await twoNodes();
  const admin = await setUp(one);
  const there = (headers: Record<string, string>) => caller(two, headers);
  await vi.waitFor(async () => expect((await there(admin.headers).get("/api/inbox")).status).toBe(200), PATIENCE);
  const key = await agentKey(one, admin);
  await vi.waitFor(async () => expect((await there(key.headers).get("/api/sessions")).status).toBe(200), PATIENCE);
  const asked = await there(key.headers).post("/api/asks", { tool_use_id: "t", ...CHOICE });
  const { session_id } = askIn(asked);
  const waiting = there(key.headers).get(`/api/asks/t?session_id=${session_id}&wait=50`);
  const socket = await new TestClient(two.url, {}, { auth: { key: key.secret } }).connected();
  onTestFinished(() => void socket.socket.disconnect());
  await vi.waitFor(() => expect(two.hub.waiting()).toBe(1), PATIENCE);
  await admin.post(`/api/keys/${key.key.id}/revoke`);
  await vi.waitFor(async () => expect((await there(key.headers).get("/api/sessions")).status).toBe(401), PATIENCE);
  expect((await waiting).status).toBe(401);
  await vi.waitFor(() => expect(socket.socket.connected).toBe(false), PATIENCE);
  const mei = await join(one, admin, "Mei");
  await vi.waitFor(async () => expect((await there(mei.headers).get("/api/inbox")).status).toBe(200), PATIENCE);
  const again = await there({}).post("/api/auth/sign-in", { login: "mei@example.com", password: PASSWORD });
  expect((await caller(one, browserHeaders(again)).get("/api/inbox")).status).toBe(200);
  await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" });
  await vi.waitFor(async () => expect((await there(mei.headers).get("/api/inbox")).status).toBe(401), PATIENCE);
});

test("of fifty who claim one question on both nodes at once, one has it, and the audit says who", async () => {
  const [one, two] = await twoNodes();
  const admin = await setUp(one);
  const people = await Promise.all(Array.from({ length: 5 }, (_, n) => join(one, admin, `Person${n}`)));
  await vi.waitFor(
    async () => expect((await caller(two, people[4]?.headers).get("/api/inbox")).status).toBe(200),
    PATIENCE,
  );
  const asked = await (await agentKey(one, admin)).post("/api/asks", { tool_use_id: "t", ...CHOICE });
  const { session_id, inbox_item_id } = askIn(asked);
  const claims = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const person = people[n % people.length];
      return caller(n % 2 === 0 ? one : two, person?.headers).post("/api/inbox/claim", {
        inbox_item_ids: [inbox_item_id],
      });
    }),
  );
  const results = claims.map(
    ({ body }) =>
      (
        body as unknown as {
          results: Array<{ success: boolean; ask?: { claim: { by: { name: string } } }; error?: { code: string } }>;
        }
      ).results[0],
  );
  const winners = new Set(results.flatMap((result) => (result?.success ? [result.ask?.claim.by.name] : [])));
  expect(winners.size).toBe(1);
  expect(results.filter((result) => !result?.success).every((result) => result?.error?.code === "claimed")).toBe(true);
  const [winner] = [...winners];
  const { body } = await admin.get(`/api/audit?session_id=${session_id}`);
  const { events } = body as unknown as { events: Array<{ action: string; after: { claimed_by: { name: string } } }> };
  const claimed = events.filter(({ action }) => action === "question.claimed");
  expect(new Set(claimed.map(({ after }) => after.claimed_by.name))).toEqual(new Set([winner]));
  // The first answer wins, and a claim blocks everyone else unless they take it over.
  const answers = await Promise.all(
    people.map((person, n) =>
      caller(n % 2 === 0 ? one : two, person.headers).post("/api/task/answer", {
        session_id,
        question_id: "t",
        answer: "a",
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a new password and the end of an account end everything else on both nodes, waiting requests included", async () => {
  const [one, two] = await twoNodes();
  const admin = await setUp(one);
  const mei = await join(one, admin, "Mei");
  const signedIn = async () =>
    browserHeaders(await caller(one).post("/api/auth/sign-in", { login: "mei@example.com", password: PASSWORD }));
  const phone = await signedIn();
  const key = await personalKey(one, mei);
  const asked = await (await agentKey(one, admin)).post("/api/asks", { tool_use_id: "t", ...CHOICE });
  const { session_id } = askIn(asked);
  const path = `/api/asks/t?session_id=${session_id}`;
  const everywhere = (headers: Record<string, string>) => [caller(one, headers), caller(two, headers)];
  const statuses = async (headers: Record<string, string>) =>
    (await Promise.all(everywhere(headers).map((at) => at.get(path)))).map(({ status }) => status);
  const until = (headers: Record<string, string>, status: number) =>
    vi.waitFor(async () => expect(await statuses(headers)).toEqual([status, status]), PATIENCE);
  const waiting = (headers: Record<string, string>) => everywhere(headers).map((at) => at.get(`${path}&wait=50`));
  const socketOf = async (headers: Record<string, string>) => {
    const client = await new TestClient(two.url, {}, { extraHeaders: headers }).connected();
    onTestFinished(() => client.close());
    return client.socket;
  };
  for (const { headers } of [mei, { headers: phone }, key]) await until(headers, 200);

  const parked = waiting(phone);
  const [phones, own] = [await socketOf(phone), await socketOf(mei.headers)];
  await vi.waitFor(() => expect([one.hub.waiting(), two.hub.waiting()]).toEqual([1, 1]), PATIENCE);
  const changed = { current: PASSWORD, password: "another long password" };
  expect((await mei.post("/api/me/password", changed)).status).toBe(200);
  await until(phone, 401);
  expect((await Promise.all(parked)).map(({ status }) => status)).toEqual([401, 401]);
  await vi.waitFor(() => expect(phones.connected).toBe(false), PATIENCE);
  // The browser that changed it stays signed in, and the key still works.
  expect([own.connected, await statuses(mei.headers), await statuses(key.headers)]).toEqual([
    true,
    [200, 200],
    [200, 200],
  ]);

  const left = [...waiting(mei.headers), ...waiting(key.headers)];
  await vi.waitFor(() => expect([one.hub.waiting(), two.hub.waiting()]).toEqual([1, 1]), PATIENCE);
  expect((await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" })).status).toBe(200);
  await until(mei.headers, 401);
  await until(key.headers, 401);
  expect((await Promise.all(left)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  await vi.waitFor(() => expect(own.connected).toBe(false), PATIENCE);
  expect(await statuses(admin.headers)).toEqual([200, 200]);
});

test.each([
  ["a space", 404],
  ["their account", 401],
] as const)(
  "whoever loses %s on one node gets nothing more from another, which has not heard of it",
  async (lost, refused) => {
    const [one, two] = await twoNodes();
    const admin = await setUp(one);
    const mei = await join(one, admin, "Mei");
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(one, admin, "builder", space);
    const asked = await key.post("/api/asks", { tool_use_id: "t", ...CHOICE });
    const { session_id } = askIn(asked);
    const there = caller(two, mei.headers);
    const path = `/api/asks/t?session_id=${session_id}`;
    await vi.waitFor(async () => expect((await there.get(path)).status).toBe(200), PATIENCE);

    // The news gets lost, and the other node does not look for itself.
    one.auth.ctx.announce = () => {};
    two.auth.ctx.directory.stop();
    const waiting = there.get(`${path}&wait=50`);
    const stream = await eventsOf(two, session_id, mei.headers);
    const client = await new TestClient(two.url, {}, { extraHeaders: mei.headers }).connected();
    onTestFinished(() => client.close());
    await client.send("conversation.subscribe", { conversation_id: session_id, last_sequence: 0 });
    await client.send("inbox.subscribe", {});
    await vi.waitFor(() => expect(two.hub.waiting()).toBe(1), PATIENCE);
    await vi.waitFor(() => expect(stream.text()).toContain("conversation.state"), PATIENCE);

    if (lost === "a space") await admin.post(`/api/spaces/${space}`, { members: [] });
    else await admin.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    const answered = { session_id, question_id: "t", answer: "b" };
    expect((await caller(two, admin.headers).post("/api/task/answer", answered)).status).toBe(200);
    expect((await waiting).status).toBe(refused);
    await stream.ended;
    expect(stream.text()).not.toContain("question.answered");
    if (lost === "a space") {
      const again = await client.send("conversation.subscribe", { conversation_id: session_id, last_sequence: 0 });
      expect(again).toMatchObject({ ok: false, error: { code: "SESSION_NOT_FOUND" } });
    } else await vi.waitFor(() => expect(client.socket.connected).toBe(false), PATIENCE);
    expect(JSON.stringify(client.envelopes)).not.toMatch(/question\.answered|"status":"closed"/);
  },
);
