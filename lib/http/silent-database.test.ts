import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type PostgresProxy, postgresProxy } from "../db/test-postgres-proxy.ts";
import { byAgent, byPerson, CHOICE } from "../hub/test-hub.ts";
import { type TestServer, testServer } from "./test-server.ts";

let database: TestDatabase;
let proxy: PostgresProxy;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("postgresql");
  proxy = await postgresProxy(database.url);
  server = await testServer(proxy.url, { databaseTimeoutS: 6 });
});
afterAll(async () => {
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
