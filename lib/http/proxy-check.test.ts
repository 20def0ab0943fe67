import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { TestClient } from "../realtime/test-client.ts";
import { type TestServer, testServer } from "./test-server.ts";
import { personalKey, setUp } from "./test-team.ts";

const SIGNS = {
  forwarded: "for=192.0.2.1",
  "X-Forwarded-For": "192.0.2.1",
  "x-forwarded-host": "parley.example.com",
  "x-forwarded-proto": "https",
  "x-real-ip": "192.0.2.1",
  via: "1.1 proxy",
  "CF-Connecting-IP": "192.0.2.1",
  "cf-ray": "1",
  "Tailscale-User-Login": "ann@example.com",
};

let open: TestServer;
let proxied: TestServer;
const drops: Array<() => Promise<void>> = [];

beforeAll(async () => {
  const [one, other] = [await testDatabase("sqlite"), await testDatabase("sqlite")];
  drops.push(one.drop, other.drop);
  open = await testServer(one.url);
  proxied = await testServer(other.url, { publicUrl: "https://parley.example.com" });
});
afterAll(async () => {
  await open.stop();
  await proxied.stop();
  for (const drop of drops) await drop();
});

const status = ({ url }: TestServer, path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<number>((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });

/** The whole reply to a request as nginx sends it. */
const overHttp10 = ({ url }: TestServer, path: string, headers = "") =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", reject).on("close", () => resolve(text));
    socket.write(`GET ${path} HTTP/1.0\r\nHost: ${host}\r\n${headers}\r\n`);
  });

describe("without PUBLIC_URL", () => {
  test.each(Object.entries(SIGNS))("the header %s is refused everywhere", async (name, value) => {
    for (const path of ["/api/inbox", "/", "/health", "/metrics", "/mcp", "/socket.io/?EIO=4&transport=polling"]) {
      expect([path, await status(open, path, { [name]: value })]).toEqual([path, 403]);
    }
    expect(await status(open, "/api/task/answer", { [name]: value }, "POST")).toBe(403);
  });

  test("HTTP/1.0 is refused, and the reply says what to do", async () => {
    const reply = await overHttp10(open, "/api/inbox");
    expect(reply).toMatch(/^HTTP\/1\.1 403 /);
    expect(reply).toContain('"code":"forbidden"');
    expect(reply).toContain("Parley is behind a proxy (HTTP/1.0)");
    expect(reply).toContain("Create the first account with `npm run team` or `parley team`, and set PUBLIC_URL");
  });

  test("a socket through a proxy is refused", async () => {
    const client = new TestClient(open.url);
    const refused = (headers: Record<string, string>) => {
      client.socket.io.opts.extraHeaders = headers;
      return client.connected().then(
        () => "connected",
        () => "refused",
      );
    };
    client.socket.disconnect();
    client.socket.io.opts.transports = ["websocket"];
    const attempt = async (headers: Record<string, string>) => {
      const result = refused(headers);
      client.socket.connect();
      return result;
    };
    expect(await attempt({ "x-forwarded-for": "192.0.2.1" })).toBe("refused");
    expect(await attempt({})).toBe("connected");
    client.socket.disconnect();
  });

  test("headers that only look similar are accepted", async () => {
    const harmless = {
      "x-forward": "1",
      "x-real": "1",
      viaduct: "1",
      cfg: "1",
      tailscale: "1",
      "x-parley-name": "via",
    };
    expect(await status(open, "/api/inbox", harmless)).toBe(200);
  });
});

test("with an account, proxies are what people come through", async () => {
  const headers = { ...SIGNS, host: "parley.example.com" };
  // Not refused for the proxy, but because nobody has an account yet, and then because nobody signed in.
  expect(await status(proxied, "/api/inbox", headers)).toBe(401);
  const admin = await setUp(proxied);
  const key = await personalKey(proxied, admin);
  expect(await status(proxied, "/api/inbox", headers)).toBe(401);
  expect(await status(proxied, "/api/inbox", { ...headers, ...key.headers })).toBe(200);
  const lines = `X-Forwarded-For: 192.0.2.1\r\nAuthorization: ${key.headers.authorization}\r\n`;
  expect(await overHttp10(proxied, "/api/inbox", lines)).toMatch(/^HTTP\/1\.1 200 /);
});
