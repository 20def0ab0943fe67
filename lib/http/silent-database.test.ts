import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { StorageError } from "../db/errors.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type PostgresProxy, postgresProxy } from "../db/test-postgres-proxy.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import { TestClient } from "../realtime/test-client.ts";
import { type TestServer, testServer } from "./test-server.ts";
import { agentKey, caller, PASSWORD, setUp } from "./test-team.ts";

let database: TestDatabase;
let proxy: PostgresProxy;
let server: TestServer;
beforeEach(async () => {
  database = await testDatabase("postgresql");
  proxy = await postgresProxy(database.url);
  server = await testServer(proxy.url, { databaseTimeoutS: 6 });
});
afterEach(async () => {
  await server.stop();
  await proxy.close();
  await database.drop();
});

const health = async () => {
  const reply = await fetch(`${server.url}/health`);
  return { ...((await reply.json()) as object), code: reply.status };
};

test("a PostgreSQL that stops replying is reported as unreachable; when it is back, everything works again", async () => {
  const { hub } = server;
  const session_id = await hub.createConversation(byAgent(), {});
  await hub.ask(byAgent(), { conversation_id: session_id, tool_use_id: "before", ...CHOICE });
  expect(await health()).toMatchObject({ code: 200 });

  proxy.set("silent");
  const client = createClient({ url: server.url });
  const refused = { code: "storage_unavailable" };
  await Promise.all([
    expect(health()).resolves.toMatchObject({ code: 503, database: "unreachable" }),
    expect(client.call("ask", { body: { session_id, tool_use_id: "during", ...CHOICE } })).rejects.toMatchObject(
      refused,
    ),
    expect(hub.readConversation(byPerson(), session_id)).rejects.toMatchObject(refused),
  ]);

  proxy.set("up");
  await expect.poll(health).toMatchObject({ code: 200, database: "reachable" });
  // Some connections notice only now that they are dead: the call is refused, and may be repeated.
  const ask = async () => (await client.call("ask", { body: { session_id, tool_use_id: "after", ...CHOICE } })).ask;
  await expect.poll(ask).toMatchObject({ status: "pending" });
  const answered = await hub.answer(byPerson(), { conversation_id: session_id, question_id: "before", answer: "a" });
  expect(answered.status).toBe("answered");
});

test("where people sign in, every entry point says that a silent PostgreSQL is unavailable", async () => {
  const admin = await setUp(server);
  const { key, secret } = await agentKey(server, admin);
  const spare = await agentKey(server, admin, "spare");
  const stranger = caller(server);
  const callTool = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  proxy.set("silent");
  // Known callers are forgotten after some seconds; until then a read that needs no database may still be served.
  server.auth.ctx.credentials.forget();
  const refused = { status: 503, body: { error: { code: "storage_unavailable" } } };
  const agent = caller(server, { authorization: `Bearer ${secret}` });
  const socket = new TestClient(server.url, {}, { auth: { key: spare.secret } });
  const doors = {
    ask: agent.post("/api/asks", CHOICE),
    inbox: admin.get("/api/inbox"),
    answer: admin.post("/api/task/answer", { session_id: "s", question_id: "q", answer: "a" }),
    "event stream": admin.get("/api/sessions/s/events"),
    metrics: admin.get("/metrics"),
    "tool call": agent.post("/mcp", callTool),
    "sign in": stranger.post("/api/auth/sign-in", { login: "ada@example.com", password: PASSWORD }),
    "sign out": admin.post("/api/auth/sign-out"),
    "revoke a key": admin.post(`/api/keys/${key.id}/revoke`),
  };
  await expect(socket.connected()).rejects.toMatchObject({ data: { code: "STORAGE_UNAVAILABLE" } });
  const names = Object.keys(doors);
  const replies = await Promise.all(Object.values(doors));
  const said = replies.map(({ status, body }, index) => [
    names[index],
    { status, body: { error: { code: body.error?.code } } },
  ]);
  expect(said).toEqual(names.map((name) => [name, refused]));
  expect(server.errors.filter((error) => !(error instanceof StorageError))).toEqual([]);

  proxy.set("up");
  await expect.poll(async () => (await admin.get("/api/inbox")).status).toBe(200);
  // Nothing was stored: neither the session nor the key has ended.
  expect((await agent.get("/api/sessions")).status).toBe(200);
});

test("Parley stops even if the database does not reply and someone waits", async () => {
  const { hub } = server;
  const session_id = await hub.createConversation(byAgent(), {});
  await hub.ask(byAgent(), { conversation_id: session_id, tool_use_id: "t", ...CHOICE });
  const waiting = fetch(`${server.url}/api/asks/t?session_id=${session_id}&wait=50`);
  await expect.poll(() => hub.waiting()).toBe(1);
  proxy.set("silent");
  await server.stop();
  expect(await (await waiting).json()).toMatchObject({ ask: { status: "pending" } });
});
