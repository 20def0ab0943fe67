import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import {
  browserHeaders,
  caller,
  cookieIn,
  join,
  PASSWORD,
  personalKey,
  setUp,
  type TestCaller,
  tokenIn,
} from "../http/test-team.ts";
import { teamProblemsIn } from "../hub/audit/test-record.ts";
import { TestClient } from "../realtime/test-client.ts";
import { atTheMachine } from "./at-the-machine.ts";
import { TestAuthenticator } from "./test-authenticator.ts";

type Options = { challenge: string; rpId: string };
const HELD_BACK = { status: 401, body: { error: { code: "unauthorized", details: { reason: "strong_sign_in" } } } };

async function begin(server: TestServer, path: string, by: TestCaller = caller(server)) {
  const reply = await by.post(path);
  const cookie = [by.headers.cookie, cookieIn(reply)].filter(Boolean).join("; ");
  const { options } = reply.body as unknown as { options: Options };
  return { status: reply.status, options, browser: caller(server, { ...by.headers, cookie }) };
}

async function addPasskey(server: TestServer, by: TestCaller): Promise<{ status: number; device: TestAuthenticator }> {
  const device = new TestAuthenticator(server.auth.ctx.publicUrl());
  const { status, options, browser } = await begin(server, "/api/me/passkeys/options", by);
  if (status !== 200) return { status, device };
  const credential = device.create(options);
  return { status: (await browser.post("/api/me/passkeys", { credential, name: "Laptop" })).status, device };
}

async function withPasskey(server: TestServer, device: TestAuthenticator): Promise<TestCaller> {
  const { options, browser } = await begin(server, "/api/auth/passkey/options");
  return caller(server, browserHeaders(await browser.post("/api/auth/passkey", { credential: device.get(options) })));
}

async function withPassword(server: TestServer, login: string): Promise<TestCaller> {
  return caller(server, browserHeaders(await caller(server).post("/api/auth/sign-in", { login, password: PASSWORD })));
}

/** Lets a terminal in from this person's browser. */
async function terminalOf(server: TestServer, by: TestCaller): Promise<TestCaller> {
  const device = await caller(server).post("/api/auth/device", { purpose: "terminal", machine: "laptop" });
  const { device_code, user_code } = device.body as unknown as { device_code: string; user_code: string };
  await by.post("/api/auth/device/approve", { user_code, allow: true });
  const { body } = await caller(server).post("/api/auth/device/token", { device_code });
  return caller(server, { authorization: `Bearer ${(body as unknown as { secret: string }).secret}` });
}

describe.each(ABOVE_SQL)("a passkey or the identity provider, if the team requires it (%s)", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(async () => {
      expect(await teamProblemsIn(server.auth.ctx.db)).toEqual([]);
      await server.stop();
      expect(server.errors).toEqual([]);
    });
    const ada = await setUp(server);
    const mei = await join(server, ada, "Mei");
    const require = (by: TestCaller, strong_sign_in: string) => by.post("/api/team", { strong_sign_in });
    return { server, database, ada, mei, require };
  };

  test("whoever turns it on meets it; sessions with only a password lose everything at once", async () => {
    const { server, ada, mei, require } = await started();
    expect((await require(mei, "everyone")).status).toBe(403);
    expect((await require(ada, "admins")).body.error).toMatchObject({ code: "forbidden" });
    const { device } = await addPasskey(server, ada);
    const strong = await withPasskey(server, device);
    const key = await personalKey(server, ada);
    const weakTerminal = await terminalOf(server, ada);
    const strongTerminal = await terminalOf(server, strong);
    const socket = await new TestClient(server.url, {}, { extraHeaders: ada.headers }).connected();
    expect((await require(strong, "admins")).body).toMatchObject({ team: { strong_sign_in: "admins" } });

    for (const held of [ada, weakTerminal]) {
      for (const path of ["/api/inbox", "/api/people", "/api/me/passkeys", "/api/keys", "/metrics"])
        expect([path, await held.get(path)]).toMatchObject([path, HELD_BACK]);
      expect(await held.post("/api/asks", {})).toMatchObject(HELD_BACK);
      expect(await require(held, "off")).toMatchObject(HELD_BACK);
      expect((await held.get("/api/me")).body).toMatchObject({
        person: { name: "Ada" },
        rights: ["enrol"],
        spaces: [],
      });
    }
    await vi.waitFor(() => expect(socket.socket.connected).toBe(false), { timeout: 60_000 });
    const tools = { method: "POST", headers: { ...ada.headers, "content-type": "application/json" }, body: "{}" };
    expect((await fetch(`${server.url}/mcp`, tools)).status).toBe(401);
    // Others, and sessions and terminals with more than a password, go on.
    for (const free of [mei, strong, strongTerminal, key]) expect((await free.get("/api/inbox")).status).toBe(200);
    expect((await strongTerminal.get("/api/people")).status).toBe(200);

    expect((await require(strong, "everyone")).status).toBe(200);
    expect(await mei.get("/api/inbox")).toMatchObject(HELD_BACK);
    expect((await require(strong, "off")).status).toBe(200);
    for (const free of [ada, mei, weakTerminal]) expect((await free.get("/api/inbox")).status).toBe(200);
    const { body } = await strong.get("/api/audit?session_id=parley");
    const { events } = body as unknown as { events: Array<{ action: string; after: object }> };
    expect(events.filter(({ action }) => action === "team.changed").map(({ after }) => after)).toMatchObject(
      ["admins", "everyone", "off"].map((strong_sign_in) => ({ strong_sign_in })),
    );
  });

  test("a password is enough to get a first passkey, never to get another one", async () => {
    const { server, ada, mei, require } = await started();
    const { device } = await addPasskey(server, ada);
    const strong = await withPasskey(server, device);
    await require(strong, "everyone");
    // Mei has nothing better yet: her new passkey lifts the session that she made it in.
    const meis = await addPasskey(server, mei);
    expect([meis.status, (await mei.get("/api/inbox")).status]).toEqual([201, 200]);
    // Whoever knows her password gets no further, but her passkey does.
    const thief = await withPassword(server, "mei@example.com");
    expect((await addPasskey(server, thief)).status).toBe(403);
    expect(await thief.post("/api/me/passkeys/remove", { id: meis.device.id })).toMatchObject(HELD_BACK);
    expect(await thief.post("/api/me/password", { current: PASSWORD, password: "another good one" })).toMatchObject(
      HELD_BACK,
    );
    const { options, browser } = await begin(server, "/api/auth/confirm/options", thief);
    expect((await thief.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(200);
    expect(await thief.get("/api/inbox")).toMatchObject(HELD_BACK);
    expect((await browser.post("/api/auth/confirm", { credential: meis.device.get(options) })).status).toBe(200);
    expect((await thief.get("/api/inbox")).status).toBe(200);
    // She has lost it: a reset link, which an admin made, lets her add one.
    const { url } = (await strong.post(`/api/people/${mei.person.id}/reset-link`)).body as unknown as { url: string };
    const reset = await caller(server).post("/api/auth/reset", { token: tokenIn(url), password: PASSWORD });
    const again = caller(server, browserHeaders(reset));
    expect(await again.get("/api/inbox")).toMatchObject(HELD_BACK);
    expect((await addPasskey(server, again)).status).toBe(201);
    expect((await again.get("/api/inbox")).status).toBe(200);
  });

  test("someone at the console can turn it off, whatever has been lost", async () => {
    const { server, database, ada, require } = await started();
    const { device } = await addPasskey(server, ada);
    await require(await withPasskey(server, device), "everyone");
    expect(await ada.get("/api/inbox")).toMatchObject(HELD_BACK);
    const db = await database.open();
    const machine = await atTheMachine({ db, publicUrl: server.url, isReachable: false, name: "root" });
    await machine.set({ strong_sign_in: "off" });
    await vi.waitFor(async () => expect((await ada.get("/api/inbox")).status).toBe(200), { timeout: 60_000 });
  });
});
