import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { listenForPages } from "./hub-socket.ts";
import { PageProcess } from "./page-process.ts";
import { servePages } from "./pages.ts";
import { socketFetch } from "./socket-fetch.ts";
import { TEST_SETTINGS, testProgram } from "./test-page-process.ts";
import { VISITOR_HEADER, type Visitor, Visitors } from "./visitor.ts";

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
const visitorWith = async (headers?: Record<string, string>) => {
  const { body } = (await (await page("/hub?path=/visitor", headers)).json()) as { body: Record<string, unknown> };
  return body;
};
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

test.each([
  ["the folder of their sockets", () => rmSync(dirname(pageProcess.hubSocket), { recursive: true })],
  ["the socket of the hub", () => rmSync(pageProcess.hubSocket)],
  ["the socket of the pages", () => rmSync(pageProcess.pagesSocket)],
])("pages come back after %s was removed", async (_what, remove) => {
  const before = dirname(pageProcess.hubSocket);
  exits.length = 0;
  remove();
  await expect.poll(() => dirname(pageProcess.hubSocket), { timeout: 120_000 }).not.toBe(before);
  await expect.poll(async () => (await page("/hub?path=/visitor")).status, { timeout: 120_000 }).toBe(200);
  expect(await visitorWith()).toMatchObject({ success: true });
  expect(exits).toEqual([expect.stringContaining("was removed")]);
  expect(existsSync(before)).toBe(false);
  exits.length = 0;
});

test("the page process learns who visits, and nobody can forge it", async () => {
  const local = { success: true, me: { mode: "open", person: null, key: null } };
  expect(await visitorWith()).toMatchObject(local);
  const forged = encodeURIComponent(JSON.stringify({ actor: { name: "root" }, address: "10.0.0.1" }));
  for (const name of ["x-parley-visitor", "X-Parley-Visitor", "X-PARLEY-VISITOR"])
    expect(await visitorWith({ [name]: forged })).toMatchObject(local);
});

test("the name of a visitor is worth nothing once the page is there", async () => {
  const { headers } = await echo("/");
  const name = headers[VISITOR_HEADER];
  expect(name).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(async () => (await readAs("/api/inbox", name)).status).toBe(401);
});

test("a visitor of any number of spaces gets their page", async () => {
  const spaces = Array.from({ length: 2_000 }, (_, n) => ({ id: `spc_${n}`.padEnd(30, "x"), name: `space ${n}` }));
  const visitors = new Visitors();
  const folder = mkdtempSync(join(tmpdir(), "parley-visitor-"));
  const socketPath = join(folder, "hub");
  const { hub } = server;
  const listening = await listenForPages(socketPath, visitors, { hub, clock: Date.now, onInternal: () => {} });
  const actor = { kind: "person", name: "Ada", surface: "browser", rights: ["read"] } as const;
  const visitor = { actor, address: "", me: { mode: "team", spaces } } as unknown as Visitor;
  await visitors.during(visitor, async (name) => {
    const client = createClient({ fetch: socketFetch(socketPath), headers: () => ({ [VISITOR_HEADER]: name }) });
    expect((await client.get<{ me: { spaces: unknown[] } }>("/visitor")).me.spaces).toHaveLength(2_000);
  });
  // Pages only read, and only as those who may.
  await visitors.during({ ...visitor, actor: { ...actor, rights: ["answer"] } }, async (name) => {
    const client = createClient({ fetch: socketFetch(socketPath), headers: () => ({ [VISITOR_HEADER]: name }) });
    await expect(client.get("/inbox-item/x")).rejects.toMatchObject({ code: "forbidden" });
  });
  listening.close();
  rmSync(folder, { recursive: true });
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
  expect(await readAs("/api/inbox", "unknown")).toMatchObject({ status: 401 });
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
