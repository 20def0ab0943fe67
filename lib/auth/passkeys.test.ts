import { describe, expect, onTestFinished, test } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import {
  agentKey,
  browserHeaders,
  caller,
  cookieIn,
  join,
  PASSWORD,
  setUp,
  type TestCaller,
  type TestReply,
  tokenIn,
} from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { TestAuthenticator } from "./test-authenticator.ts";

type Options = { challenge: string; rpId: string };
const optionsIn = (reply: TestReply) => (reply.body as unknown as { options: Options }).options;
const errorOf = ({ status, body }: TestReply) => [status, body.error?.code];

/** A browser on the sign-in page: it has a challenge, and the cookie that ties the challenge to it. */
async function atSignIn(server: TestServer) {
  const reply = await caller(server).post("/api/auth/passkey/options");
  const browser = caller(server, browserHeaders(reply));
  return {
    options: optionsIn(reply),
    signIn: (credential: object) => browser.post("/api/auth/passkey", { credential }),
  };
}

/** Begins to add a passkey, in a browser that is signed in. */
async function atAdding(server: TestServer, person: TestCaller) {
  const reply = await person.post("/api/me/passkeys/options");
  const browser = caller(server, { ...person.headers, cookie: `${person.headers.cookie}; ${cookieIn(reply)}` });
  return {
    options: optionsIn(reply),
    cookie: cookieIn(reply),
    add: (credential: object) => browser.post("/api/me/passkeys", { credential, name: "Laptop" }),
  };
}

async function add(server: TestServer, person: TestCaller): Promise<TestAuthenticator> {
  const device = new TestAuthenticator(server.auth.ctx.publicUrl());
  const adding = await atAdding(server, person);
  expect((await adding.add(device.create(adding.options))).status).toBe(201);
  return device;
}

describe.each(ABOVE_SQL)("passkeys (%s)", (kind) => {
  const fresh = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(async () => {
      await server.stop();
      expect(server.errors).toEqual([]);
    });
    return server;
  };
  const started = async () => {
    const server = await fresh();
    return { server, ada: await setUp(server) };
  };

  test("one is enough for the first account, which then has no password", async () => {
    const server = await fresh();
    const device = new TestAuthenticator(server.auth.ctx.publicUrl());
    const account = { token: tokenIn(await server.auth.setupLink()), name: "Ada", login: "ada@example.com" };
    const begun = await caller(server).post("/api/auth/setup/passkey", account);
    const browser = caller(server, browserHeaders(begun));
    const passkey = { credential: device.create(optionsIn(begun)), name: "Laptop" };
    const both = await browser.post("/api/auth/setup", { ...account, passkey, password: PASSWORD });
    expect(errorOf(both)).toEqual([400, "invalid_request"]);
    expect(errorOf(await browser.post("/api/auth/setup", account))).toEqual([400, "invalid_request"]);
    const made = await browser.post("/api/auth/setup", { ...account, passkey });
    expect(made.body).toMatchObject({ person: { name: "Ada", role: "admin" } });
    const ada = caller(server, browserHeaders(made));
    expect((await ada.get("/api/me/auth-sessions")).body).toMatchObject({ sessions: [{ method: "passkey" }] });
    expect((await ada.get("/api/me/passkeys")).body).toMatchObject({ passkeys: [{ id: device.id, name: "Laptop" }] });
    expect((await server.auth.ctx.directory.personByLogin(account.login))?.password_hash).toBeNull();
    expect(
      errorOf(await caller(server).post("/api/auth/sign-in", { login: account.login, password: PASSWORD })),
    ).toEqual([401, "unauthorized"]);
    const page = await atSignIn(server);
    expect((await page.signIn(device.get(page.options))).status).toBe(200);
    // The link and the challenge are used up.
    expect(errorOf(await browser.post("/api/auth/setup", { ...account, passkey }))).toEqual([410, "token_invalid"]);
    expect(errorOf(await caller(server).post("/api/auth/setup/passkey", account))).toEqual([410, "token_invalid"]);
  });

  test("for the first account, none is accepted without the link, or from another site or challenge", async () => {
    const server = await fresh();
    const device = new TestAuthenticator(server.auth.ctx.publicUrl());
    const account = { token: tokenIn(await server.auth.setupLink()), name: "Ada", login: "ada@example.com" };
    const wrong = { ...account, token: "ott_unknown_unknown_unknown" };
    expect(errorOf(await caller(server).post("/api/auth/setup/passkey", wrong))).toEqual([410, "token_invalid"]);
    const attempt = async (given: object, make = (options: Options): object => device.create(options)) => {
      const begun = await caller(server).post("/api/auth/setup/passkey", account);
      const passkey = { credential: make(optionsIn(begun)), name: "Laptop" };
      const browser = caller(server, browserHeaders(begun));
      return errorOf(await browser.post("/api/auth/setup", { ...account, passkey, ...given }));
    };
    expect(await attempt({ token: wrong.token })).toEqual([410, "token_invalid"]);
    const evil = (options: Options) => device.create(options, { origin: "https://evil.example" });
    expect(await attempt({}, evil)).toEqual([400, "invalid_request"]);
    const unseen = (options: Options) => device.create(options, { isVerified: false });
    expect(await attempt({}, unseen)).toEqual([400, "invalid_request"]);
    const replayed = (options: Options) => device.create({ ...options, challenge: "b3RoZXI" });
    expect(await attempt({}, replayed)).toEqual([400, "invalid_request"]);
    // Without the browser's cookie there is no challenge.
    const passkey = { credential: device.create({ challenge: "b3RoZXI", rpId: "localhost" }), name: "Laptop" };
    expect(errorOf(await caller(server).post("/api/auth/setup", { ...account, passkey }))).toEqual([
      410,
      "token_invalid",
    ]);
    expect(server.auth.ctx.directory.people).toEqual([]);
    // None of it has used up the link.
    expect((await caller(server).post("/api/auth/setup", { ...account, password: PASSWORD })).status).toBe(200);
  });

  test("one is added, signs in and decides, and no longer works once it is removed", async () => {
    const { server, ada } = await started();
    const device = await add(server, ada);
    expect((await ada.get("/api/me/passkeys")).body).toMatchObject({
      passkeys: [{ id: device.id, name: "Laptop", used_at: null }],
    });
    const page = await atSignIn(server);
    const signedIn = await page.signIn(device.get(page.options));
    expect(signedIn.body).toMatchObject({ person: { id: ada.person.id } });
    const again = caller(server, browserHeaders(signedIn));
    expect((await again.get("/api/me/passkeys")).body).toMatchObject({ passkeys: [{ used_at: expect.any(String) }] });

    const agent = await agentKey(server, ada);
    const asked = await agent.post("/api/asks", { tool_use_id: "t", ...CHOICE });
    const { session_id } = (asked.body as unknown as { ask: { session_id: string } }).ask;
    await again.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    expect((await ada.get(`/api/asks/t?session_id=${session_id}`)).body).toMatchObject({
      ask: { result: { decided_by: { id: ada.person.id, provenance: "passkey" } } },
    });

    const mei = await join(server, ada, "Mei");
    expect((await mei.post("/api/me/passkeys/remove", { id: device.id })).status).toBe(404);
    expect((await again.post("/api/me/passkeys/remove", { id: device.id })).status).toBe(200);
    const later = await atSignIn(server);
    expect(errorOf(await later.signIn(device.get(later.options)))).toEqual([401, "unauthorized"]);
  });

  test("signed for another address, for another site or without its person, none is accepted", async () => {
    const { server, ada } = await started();
    const device = await add(server, ada);
    const other = new TestAuthenticator(server.auth.ctx.publicUrl());
    for (const oddity of [
      { origin: server.url },
      { origin: "https://parley.example.com" },
      { rpId: "parley.example.com" },
      { isVerified: false },
    ]) {
      const page = await atSignIn(server);
      expect(errorOf(await page.signIn(device.get(page.options, oddity)))).toEqual([401, "unauthorized"]);
      const adding = await atAdding(server, ada);
      expect(errorOf(await adding.add(other.create(adding.options, oddity)))).toEqual([400, "invalid_request"]);
    }
    const page = await atSignIn(server);
    expect(errorOf(await page.signIn({ ...other.get(page.options), id: device.id, rawId: device.id }))).toEqual([
      401,
      "unauthorized",
    ]);
    const adding = await atAdding(server, ada);
    expect(errorOf(await adding.add(device.create(adding.options)))).toEqual([400, "invalid_request"]);
    for (const broken of [{ id: device.id }, { id: "" }, { ...device.get(page.options), response: 7 }]) {
      const next = await atSignIn(server);
      expect((await next.signIn(broken)).status).toBe(401);
    }
  });

  test("what was signed once works once, also if it is sent many times at once", async () => {
    const { server, ada } = await started();
    const device = await add(server, ada);
    const page = await atSignIn(server);
    const signed = device.get(page.options);
    const replies = await Promise.all(Array.from({ length: 10 }, () => page.signIn(signed)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 410)]);
    expect(errorOf(await page.signIn(signed))).toEqual([410, "token_invalid"]);
    expect(errorOf(await page.signIn(device.get(page.options)))).toEqual([410, "token_invalid"]);
    const later = await atSignIn(server);
    expect(errorOf(await later.signIn(signed))).toEqual([401, "unauthorized"]);
    const adding = await atAdding(server, ada);
    const made = new TestAuthenticator(server.auth.ctx.publicUrl()).create(adding.options);
    expect([(await adding.add(made)).status, (await adding.add(made)).status]).toEqual([201, 410]);
  });

  test("a copy whose counter is behind is refused", async () => {
    const { server, ada } = await started();
    const device = await add(server, ada);
    const attempt = async (counter: number) => {
      const page = await atSignIn(server);
      return (await page.signIn(device.get(page.options, { counter }))).status;
    };
    const statuses = [await attempt(5), await attempt(5), await attempt(4), await attempt(0), await attempt(6)];
    expect(statuses).toEqual([200, 401, 401, 401, 200]);
  });

  test("someone who is disabled cannot sign in until they are enabled again", async () => {
    const { server, ada } = await started();
    const mei = await join(server, ada, "Mei");
    const device = await add(server, mei);
    const attempt = async () => {
      const page = await atSignIn(server);
      return (await page.signIn(device.get(page.options))).status;
    };
    const become = async (status: string) =>
      expect((await ada.post(`/api/people/${mei.person.id}`, { status })).status).toBe(200);
    await become("disabled");
    expect(await attempt()).toBe(401);
    await become("active");
    expect(await attempt()).toBe(200);
  });

  test("a challenge is of use only to the browser and the person that it was made for", async () => {
    const { server, ada } = await started();
    const device = await add(server, ada);
    const [here, elsewhere] = [await atSignIn(server), await atSignIn(server)];
    expect(errorOf(await elsewhere.signIn(device.get(here.options)))).toEqual([401, "unauthorized"]);
    const credential = device.get(here.options);
    expect(errorOf(await caller(server).post("/api/auth/passkey", { credential }))).toEqual([410, "token_invalid"]);

    const mei = await join(server, ada, "Mei");
    const fresh = new TestAuthenticator(server.auth.ctx.publicUrl());
    const begun = await atAdding(server, ada);
    const asMei = caller(server, { ...mei.headers, cookie: `${mei.headers.cookie}; ${begun.cookie}` });
    const theirs = await asMei.post("/api/me/passkeys", { credential: fresh.create(begun.options), name: "Mine" });
    expect(errorOf(theirs)).toEqual([410, "token_invalid"]);
    const nobody = caller(server, { cookie: begun.cookie });
    const used = await nobody.post("/api/auth/passkey", { credential: device.get(begun.options) });
    expect(errorOf(used)).toEqual([410, "token_invalid"]);
    // None of it has used up what belongs to someone else.
    expect((await here.signIn(credential)).status).toBe(200);
    expect((await begun.add(fresh.create(begun.options))).status).toBe(201);
  });

  test("passkeys are offered only under the name that they work for", async () => {
    const { server } = await started();
    const { port } = new URL(server.url);
    const me = async (name: string) => (await caller({ url: `http://${name}:${port}` }).get("/api/me")).body;
    expect(await me("localhost")).toMatchObject({ ways: { passkey: true } });
    expect(await me("127.0.0.1")).toMatchObject({ ways: { passkey: false } });
  });
});
