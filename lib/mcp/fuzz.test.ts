import { afterAll, beforeAll, expect, test } from "vitest";
import { BODIES } from "../../scripts/chaos/fuzz-bodies.ts";
import { bodyText, mutated } from "../../scripts/chaos/fuzz-mutate.ts";
import { createRandom, type Random } from "../../scripts/chaos/scenario.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { FIXED } from "../protocol/limits.ts";

const REQUESTS = 2_000;
const AT_ONCE = 8;

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url, {
    patience: { progressMs: 5, silentMs: 10 },
    limits: { maxDepth: 1_000_000 },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** An honest message of either era, before it is spoilt. */
function message(random: Random, session: string): { body: object; headers: Record<string, string> } {
  const { wait: _, ...ask } = BODIES.ask(random, {
    session,
    ask: undefined,
    target: { session_id: session, tool_use_id: "t" },
  });
  const of = { session_id: session, tool_use_id: "t" };
  const [name, input] = random.pick([
    ["ask_user_question", ask] as const,
    ["ask_user_question", ask] as const,
    ["get_answer", of] as const,
    ["wait_for_answer", of] as const,
    ["cancel_question", { ...of, reason: "no" }] as const,
  ]);
  const modern = random.chance(0.5);
  const version = modern ? "2026-07-28" : "2025-11-25";
  const method = random.pick(["tools/call", "tools/call", "tools/call", "tools/list", "initialize", "server/discover"]);
  const _meta = {
    ...(random.chance(0.3) && { "claudecode/toolUseId": `toolu_${random.id(3)}` }),
    ...(modern && {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    }),
  };
  const params = { _meta, ...(method === "tools/call" && { name, arguments: input }) };
  const body = { jsonrpc: "2.0", id: random.int(5), method, params };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(method === "tools/call" && { "mcp-name": name }),
  };
  return { body: random.chance(0.05) ? [body, body] : body, headers };
}

test("2,000 hostile bodies: each is answered, none breaks the server", async () => {
  const random = createRandom(20261116);
  const made = await fetch(`${server.url}/api/sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { session_id } = (await made.json()) as { session_id: string };
  const statuses = new Map<number, number>();
  const one = async () => {
    const { body, headers } = message(random, session_id);
    const spoilt = mutated(random, { method: "POST", path: "/mcp", body, headers });
    const text = bodyText(spoilt) ?? "";
    // The path stays: others have a test of their own.
    const sent = fetch(`${server.url}/mcp`, {
      method: ["TRACE", "GET", "HEAD"].includes(spoilt.method) ? "POST" : spoilt.method,
      headers: Object.fromEntries(Object.entries(spoilt.headers).filter(([key]) => key !== "expect")),
      body: text,
    });
    // What is too large is refused before it has been read, and the connection closed: the reply may not get through.
    const response = await (text.length > FIXED.bodyBytes ? sent.catch(() => undefined) : sent);
    if (!response) return;
    const reply = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    expect(response.status, `${text.slice(0, 500)}\n→ ${reply.slice(0, 500)}`).toBeLessThan(500);
  };
  for (let i = 0; i < REQUESTS; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, one));
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 10);
  expect(server.errors).toEqual([]);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});
