import { existsSync } from "node:fs";
import { request } from "node:http";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { PageProcess } from "./page-process.ts";
import { servePages } from "./pages.ts";
import { TEST_SETTINGS, testProgram } from "./test-page-process.ts";
import { VISITOR_HEADER } from "./visitor.ts";

const { program, remove } = testProgram();
const exits: string[] = [];
let database: TestDatabase;
let pageProcess: PageProcess;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  const onExit = (reason: string) => exits.push(reason);
  pageProcess = new PageProcess({ program, settings: TEST_SETTINGS, env: {}, onExit, restartMs: 1 });
  pageProcess.start();
  server = await testServer(database.url, {
    development: true,
    pages: (options) => servePages(pageProcess, options),
  });
  await pageProcess.firstStart;
});
afterAll(async () => {
  const folder = dirname(pageProcess.hubSocket);
  await server.stop();
  expect(existsSync(folder)).toBe(false);
  await database.drop();
  remove();
  expect(server.errors).toEqual([]);
});

type Echo = { pid: number; url: string; headers: Record<string, string> };
const page = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
const echo = async (path: string, headers?: Record<string, string>) =>
  (await (await page(path, headers)).json()) as Echo;
const visitorIn = ({ headers }: Echo) => JSON.parse(decodeURIComponent(headers[VISITOR_HEADER] ?? ""));
const readAs = async (path: string, as?: string) => {
  const query = new URLSearchParams({ path, ...(as !== undefined && { as }) });
  return (await (await page(`/hub?${query}`)).json()) as { status: number; body: Record<string, unknown> };
};
const isUpAgain = () => expect.poll(async () => (await page("/")).status).toBe(200);

/** Asks, and answers while a call waits. */
async function roundTrip(): Promise<string> {
  const client = createClient({ url: server.url });
  const { ask } = await client.call("ask", { body: { question: "Which?", options: ["a", "b"] } });
  const { session_id, tool_use_id } = ask;
  const waiting = client.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: 30 } });
  await expect.poll(() => server.hub.waiting()).toBeGreaterThan(0);
  await client.call("answer", { body: { session_id, question_id: tool_use_id, answer: "a" } });
  return (await waiting).ask.status;
}

test("a page reaches the visitor with the headers of the page process and those of the listener", async () => {
  const reply = await page("/some/page?q=1", { "accept-language": "ja", cookie: "theme=dark" });
  expect(reply.status).toBe(200);
  const policy = reply.headers.get("content-security-policy") ?? "";
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    "x-page": "yes",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
  });
  expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(/^parley-browser-/), "a=1", "b=2"]);
  const { url, headers } = (await reply.json()) as Echo;
  expect(url).toBe("/some/page?q=1");
  // The nonce of the reply is the one that the page is rendered with.
  expect(policy).toMatch(/'nonce-[\w+/=]+'/);
  expect(headers).toMatchObject({
    "accept-language": "ja",
    cookie: "theme=dark",
    host: new URL(server.url).host,
    "content-security-policy": policy,
  });
});

test("the page process learns who visits, and nobody can forge it", async () => {
  const local = {
    actor: { kind: "person", name: "local", surface: "browser", rights: ["read"] },
    address: "127.0.0.1",
    me: { mode: "open", person: null, key: null },
  };
  expect(visitorIn(await echo("/"))).toMatchObject(local);
  const forged = encodeURIComponent(JSON.stringify({ actor: { name: "root" }, address: "10.0.0.1" }));
  for (const name of ["x-parley-visitor", "X-Parley-Visitor", "X-PARLEY-VISITOR"]) {
    expect(visitorIn(await echo("/", { [name]: forged }))).toMatchObject(local);
  }
  const named = visitorIn(await echo("/", { "x-parley-name": encodeURIComponent("王 小明") }));
  expect(named.actor.name).toBe("王 小明");
});

test("the page process reads from the hub as the visitor, and can only read", async () => {
  const client = createClient({ url: server.url });
  const { ask } = await client.call("ask", { body: { question: "Which?", options: ["a", "b"] } });
  const inbox = await readAs("/api/inbox?limit=1");
  expect(inbox).toMatchObject({ status: 200, body: { success: true, counts: { open: expect.any(Number) } } });
  const thread = await readAs(`/thread/${ask.session_id}`);
  expect(thread).toMatchObject({
    status: 200,
    body: { state: { session_id: ask.session_id, pending: [{ tool_use_id: ask.tool_use_id }] }, page: { asks: [{}] } },
  });
  expect(await readAs("/thread/unknown")).toMatchObject({
    status: 404,
    body: { error: { code: "session_not_found" } },
  });
  expect(await readAs("/nothing")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  expect(await readAs("/api/inbox", "")).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
  const noRights = encodeURIComponent(JSON.stringify({ actor: { kind: "person", name: "x", rights: ["answer"] } }));
  expect(await readAs("/api/inbox", noRights)).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
});

test("a page of another origin cannot open the socket of hot reload", async () => {
  const upgrade = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const sent = request(`${server.url}/_next/hmr`, {
        headers: { connection: "upgrade", upgrade: "echo", ...headers },
      });
      sent.on("error", () => resolve("refused"));
      sent.on("upgrade", (_reply, socket, head) => {
        let text = head.toString();
        socket.on("data", (data) => {
          text += data;
          if (text.endsWith("hello")) socket.destroy();
        });
        socket.on("close", () => resolve(text));
        socket.write("hello");
      });
      sent.end();
    });
  expect(await upgrade({ origin: "http://evil.example" })).toBe("refused");
  const [headers = "", said] = (await upgrade({ "x-parley-visitor": "forged" })).split("\n");
  expect(said).toBe("hello");
  expect(JSON.parse(headers)).not.toHaveProperty("x-parley-visitor");
});

test("a page that is never rendered delays no answer, and no other page", async () => {
  const leaving = new AbortController();
  const stuck = fetch(`${server.url}/never`, { signal: leaving.signal });
  expect(await roundTrip()).toBe("answered");
  expect((await page("/")).status).toBe(200);
  leaving.abort();
  await expect(stuck).rejects.toThrow();
});

test("a page that renders forever delays no answer", async () => {
  const { pid } = await echo("/");
  const stuck = page("/endless");
  const other = page("/");
  expect(await roundTrip()).toBe("answered");
  // It renders to this moment: the next line could not end it otherwise.
  process.kill(pid, "SIGKILL");
  expect((await stuck).status).toBe(503);
  expect((await other).status).toBe(503);
  expect(await roundTrip()).toBe("answered");
  await isUpAgain();
  expect((await echo("/")).pid).not.toBe(pid);
});

test("after a crash the page says that it will be back, and it comes back; nothing else notices", async () => {
  const { pid } = await echo("/");
  const client = createClient({ url: server.url });
  const { ask } = await client.call("ask", { body: { question: "Which?", options: ["a", "b"] } });
  const { session_id, tool_use_id } = ask;
  const waiting = client.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: 30 } });
  await expect.poll(() => server.hub.waiting()).toBeGreaterThan(0);

  const reply = await page("/crash", { "accept-language": "zh-CN" });
  expect(reply.status).toBe(503);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    "retry-after": "2",
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "x-frame-options": "DENY",
  });
  const text = await reply.text();
  expect(text).toContain('<html lang="zh">');
  expect(text).toContain('<meta http-equiv="refresh" content="2">');
  await expect.poll(() => exits.at(-1)).toBe("exit code 7");

  await client.call("answer", { body: { session_id, question_id: tool_use_id, answer: "b" } });
  expect((await waiting).ask.status).toBe("answered");
  await isUpAgain();
  expect((await echo("/")).pid).not.toBe(pid);
});

test("a reply that breaks off does not look complete", async () => {
  await isUpAgain();
  const reply = await page("/half");
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
  await isUpAgain();
});
