import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { TestClient } from "../realtime/test-client.ts";
import { testServer } from "./test-server.ts";
import { agentKey, caller, join, setUp } from "./test-team.ts";

// Everyone shares one proxy address: known callers are counted separately, and no address grants any rights.

const LIMIT = 30;

async function behindProxy(rateLimit = LIMIT) {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const server = await testServer(database.url, {
    publicUrl: "https://parley.example.com",
    trustedProxies: ["127.0.0.1"],
    rateLimit,
    socketsPerClient: 2,
  });
  onTestFinished(server.stop);
  const admin = await setUp(server);
  return { server, admin, mei: await join(server, admin, "Mei") };
}

test("who uses up their rate slows nobody else down behind the same proxy, and strangers slow down nobody who is known", async () => {
  const { server, admin, mei } = await behindProxy();
  const key = await agentKey(server, admin);
  const nobody = caller(server);
  const forged = caller(server, { authorization: "Bearer parley_agent_made_up" });
  const statuses = async (who: typeof nobody) => {
    const replies = await Promise.all(Array.from({ length: LIMIT + 5 }, () => who.get("/api/inbox")));
    return new Set(replies.map(({ status }) => status));
  };
  expect(await statuses(mei)).toEqual(new Set([200, 429]));
  expect((await mei.get("/api/inbox")).status).toBe(429);
  expect((await admin.get("/api/inbox")).status).toBe(200);
  expect((await key.get("/api/sessions")).status).toBe(200);
  expect(await statuses(forged)).toEqual(new Set([401, 429]));
  expect((await nobody.get("/api/inbox")).status).toBe(429);
  expect((await admin.get("/api/inbox")).status).toBe(200);
  expect((await key.get("/api/sessions")).status).toBe(200);
  // Another address, as the proxy names it, is another stranger.
  expect((await caller(server, { "x-forwarded-for": "203.0.113.9" }).get("/api/inbox")).status).toBe(401);
});

test("a forged address changes no right", async () => {
  const { server, mei } = await behindProxy(0);
  const addresses = ["127.0.0.1", "::1", "10.0.0.1", "localhost", "127.0.0.1, 127.0.0.1"];
  const headers = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip"];
  for (const header of headers)
    for (const address of addresses) {
      const value = header === "forwarded" ? `for="${address}"` : address;
      const stranger = caller(server, { [header]: value });
      const statuses = [await stranger.get("/api/inbox"), await stranger.post("/api/asks", { question: "?" })];
      expect([header, value, ...statuses.map(({ status }) => status)]).toEqual([header, value, 401, 401]);
    }
  expect((await caller(server, { ...mei.headers, "x-forwarded-for": "127.0.0.1" }).get("/metrics")).status).toBe(403);
});

test("sockets are counted by person, too", async () => {
  const { server, admin, mei } = await behindProxy();
  const open = async ({ headers }: typeof mei) => {
    const client = new TestClient(server.url, {}, { extraHeaders: headers });
    onTestFinished(() => client.close());
    return client.connected().then(
      () => "open",
      (error: { data?: { code?: string } }) => error.data?.code,
    );
  };
  expect([await open(mei), await open(mei), await open(mei)]).toEqual(["open", "open", "RATE_LIMITED"]);
  expect(await open(admin)).toBe("open");
});
