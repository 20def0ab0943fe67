import { describe, expect, onTestFinished, test } from "vitest";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { caller, cookieIn, join, setUp, type TestCaller } from "../http/test-team.ts";
import { createAuthenticator } from "./test-authenticator.ts";

const ORIGIN = "https://parley.example.com";

describe.each(DATABASES)("passkeys (%s)", (kind) => {
  async function started() {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, { publicUrl: ORIGIN });
    onTestFinished(server.stop);
    const ada = await setUp(server);
    /** The options of a ceremony, and who continues it: the challenge is tied to the browser by a cookie. */
    const optionsFor = async (who: TestCaller, path: string) => {
      const reply = await who.post(path);
      const { options } = reply.body as unknown as { options: { challenge: string } };
      const cookie = [who.headers.cookie, cookieIn(reply)].filter(Boolean).join("; ");
      return { options, browser: caller(server, { cookie }) };
    };
    const authenticator = createAuthenticator();
    const add = async (who: TestCaller, given: Parameters<typeof authenticator.create>[1]) => {
      const { options, browser } = await optionsFor(who, "/api/me/passkeys/options");
      const credential = authenticator.create(options, given);
      return { reply: await browser.post("/api/me/passkeys", { name: "phone", credential }), browser, credential };
    };
    const signIn = async (given: Parameters<typeof authenticator.get>[1]) => {
      const { options, browser } = await optionsFor(caller(server), "/api/auth/passkey/options");
      const credential = authenticator.get(options, given);
      return { reply: await browser.post("/api/auth/passkey", { credential }), browser, credential };
    };
    return { server, ada, add, signIn, optionsFor, authenticator };
  }

  test("is added, signs in with its provenance, and removed", async () => {
    const { server, ada, add, signIn } = await started();
    const added = await add(ada, { origin: ORIGIN });
    expect(added.reply.body).toMatchObject({ passkey: { name: "phone", used_at: null } });
    const { reply } = await signIn({ origin: ORIGIN, counter: 1 });
    expect([reply.status, reply.body]).toMatchObject([200, { person: { name: "Ada" } }]);
    expect(reply.headers.getSetCookie().join()).toMatch(/__Host-parley=[\w-]{43};.*Secure/);
    const browser = caller(server, { cookie: cookieIn(reply) });
    const { session_id } = (await browser.post("/api/asks", { tool_use_id: "t", question: "Well?" })).body
      .ask as unknown as { session_id: string };
    expect(
      (await browser.post("/api/task/answer?ask=true", { session_id, question_id: "t", answer: "yes" })).body,
    ).toMatchObject({ ask: { result: { decided_by: { name: "Ada", provenance: "passkey" } } } });
    expect((await ada.get("/api/me/passkeys")).body).toMatchObject({ passkeys: [{ used_at: expect.any(String) }] });
    const { id } = added.credential;
    const mei = await join(server, ada, "Mei");
    expect((await mei.post("/api/me/passkeys/remove", { id })).status).toBe(404);
    expect((await ada.post("/api/me/passkeys/remove", { id })).status).toBe(200);
    expect((await signIn({ origin: ORIGIN, counter: 2 })).reply.status).toBe(401);
  });

  test("another origin, another challenge, a replay and a counter that goes backwards are refused", async () => {
    const { server, ada, add, signIn, optionsFor, authenticator } = await started();
    const lookalikes = ["https://parley.example.com.evil.test", "http://parley.example.com", "https://evil.test"];
    for (const origin of lookalikes) expect([origin, (await add(ada, { origin })).reply.status]).toEqual([origin, 400]);
    const challenge = Buffer.from("a challenge of somebody else's").toString("base64url");
    expect((await add(ada, { origin: ORIGIN, challenge })).reply.status).toBe(400);
    expect((await add(ada, { origin: ORIGIN, verified: false })).reply.status).toBe(400);
    expect((await add(ada, { origin: ORIGIN, counter: 5 })).reply.status).toBe(201);
    for (const origin of lookalikes)
      expect([origin, (await signIn({ origin, counter: 6 })).reply.status]).toEqual([origin, 401]);
    expect((await signIn({ origin: ORIGIN, counter: 6, challenge })).reply.status).toBe(401);
    expect((await signIn({ origin: ORIGIN, counter: 6, verified: false })).reply.status).toBe(401);
    const { reply, browser, credential } = await signIn({ origin: ORIGIN, counter: 6 });
    expect(reply.status).toBe(200);
    // The same proof once more, and in a browser that did not ask for it.
    expect((await browser.post("/api/auth/passkey", { credential })).status).toBe(410);
    expect((await caller(server).post("/api/auth/passkey", { credential })).status).toBe(410);
    for (const counter of [6, 5, 1])
      expect([counter, (await signIn({ origin: ORIGIN, counter })).reply.status]).toEqual([counter, 401]);
    expect((await signIn({ origin: ORIGIN, counter: 7 })).reply.status).toBe(200);
    // A challenge to sign in adds no passkey, and one to add a passkey signs nobody in.
    const { options, browser: stranger } = await optionsFor(caller(server), "/api/auth/passkey/options");
    const made = createAuthenticator().create(options, { origin: ORIGIN });
    const crossed = caller(server, { cookie: `${ada.headers.cookie}; ${stranger.headers.cookie}` });
    expect((await crossed.post("/api/me/passkeys", { name: "x", credential: made })).status).toBe(410);
    const adding = await optionsFor(ada, "/api/me/passkeys/options");
    const proof = authenticator.get(adding.options, { origin: ORIGIN, counter: 9 });
    expect((await adding.browser.post("/api/auth/passkey", { credential: proof })).status).toBe(410);
  });

  test("a disabled person's passkey signs nobody in, and nobody adds one for somebody else", async () => {
    const { server, ada, signIn, optionsFor, authenticator } = await started();
    const mei = await join(server, ada, "Mei");
    const asked = await optionsFor(mei, "/api/me/passkeys/options");
    const credential = authenticator.create(asked.options, { origin: ORIGIN });
    const flow = asked.browser.headers.cookie?.split("; ").find((pair) => pair.startsWith("parley-flow="));
    const other = caller(server, { cookie: `${ada.headers.cookie}; ${flow}` });
    expect((await other.post("/api/me/passkeys", { name: "x", credential })).status).toBe(410);
    expect((await asked.browser.post("/api/me/passkeys", { name: "x", credential })).status).toBe(201);
    expect((await signIn({ origin: ORIGIN, counter: 1 })).reply.body).toMatchObject({ person: { name: "Mei" } });
    await ada.post(`/api/people/${mei.person.id}`, { status: "disabled" });
    expect((await signIn({ origin: ORIGIN, counter: 2 })).reply.status).toBe(401);
  });
});
