import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join as pathOf } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { dumpDatabase } from "../../scripts/chaos/kit/tables.ts";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import { TestClient } from "../realtime/test-client.ts";
import { testServer } from "./test-server.ts";
import {
  agentKey,
  browserHeaders,
  caller,
  cookieIn,
  join,
  newSpace,
  PASSWORD,
  personalKey,
  setUp,
  tokenIn,
} from "./test-team.ts";

// A stolen database or backup must not contain a single secret.

const tokenOf = (cookie = "") => cookie.split("; ").map((pair) => pair.slice(pair.indexOf("=") + 1));

describe.each(DATABASES)("a stolen database (%s)", (kind) => {
  test("holds none of the secrets of a team", async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url);
    onTestFinished(server.stop);
    const secrets = new Map<string, string>();
    const keep = (what: string, ...values: string[]) => {
      for (const [index, value] of values.entries()) secrets.set(`${what} ${index}`, value);
    };
    const body = <Body>(reply: { body: unknown }) => reply.body as Body;

    keep("set-up link", tokenIn(await server.auth.setupLink()));
    const admin = await setUp(server);
    const invited = body<{ url: string }>(await admin.post("/api/invitations", { login: "mei@example.com" }));
    keep("invitation", tokenIn(invited.url));
    const unused = body<{ url: string }>(await admin.post("/api/invitations", {}));
    keep("invitation that nobody used", tokenIn(unused.url));
    const accepted = await caller(server).post("/api/auth/accept", {
      token: tokenIn(invited.url),
      name: "Mei",
      password: "the password of Mei",
    });
    const mei = caller(server, browserHeaders(accepted));
    const kenji = await join(server, admin, "Kenji");
    keep("passwords", PASSWORD, "the password of Mei");
    keep("sessions", ...[admin, mei, kenji].flatMap(({ headers }) => tokenOf(headers.cookie)));
    keep("page secrets", ...[admin, mei, kenji].map(({ headers }) => headers[PAGE_SECRET_HEADER] ?? ""));
    const again = await caller(server).post("/api/auth/sign-in", { login: "kenji@example.com", password: PASSWORD });
    keep("another session", ...tokenOf(cookieIn(again)));
    const space = await newSpace(admin, "Payments");
    const [agent, personal] = [await agentKey(server, admin, "payer", space), await personalKey(server, mei)];
    const rotated = body<{ secret: string }>(await admin.post(`/api/keys/${agent.key.id}/rotate`));
    keep("keys", agent.secret, personal.secret, rotated.secret);
    for (const purpose of ["agent", "terminal"]) {
      const device = body<{ device_code: string; user_code: string }>(
        await caller(server).post("/api/auth/device", { purpose, machine: "laptop" }),
      );
      keep(`device code of ${purpose}`, device.device_code);
      await admin.post("/api/auth/device/approve", { user_code: device.user_code, allow: true });
      const { secret } = body<{ secret: string }>(
        await caller(server).post("/api/auth/device/token", { device_code: device.device_code }),
      );
      keep(`secret of ${purpose}`, secret);
    }
    const reset = body<{ url: string }>(await admin.post(`/api/people/${kenji.person.id}/reset-link`));
    keep("reset link", tokenIn(reset.url));
    const renewed = await caller(server).post("/api/auth/reset", {
      token: tokenIn(reset.url),
      password: "the new password of Kenji",
    });
    keep("after the reset", "the new password of Kenji", ...tokenOf(cookieIn(renewed)));
    const passkey = await caller(server).post("/api/auth/passkey/options");
    keep("sign-in under way", ...tokenOf(cookieIn(passkey)));
    await mei.post("/api/me/password", { current: "the password of Mei", password: "changed by Mei herself" });
    keep("changed password", "changed by Mei herself");

    // The secrets are used at every door, also where they do not belong.
    const payer = caller(server, { authorization: `Bearer ${rotated.secret}` });
    const asked = body<{ ask: { session_id: string } }>(await payer.post("/api/asks", { tool_use_id: "t", ...CHOICE }));
    const { session_id } = asked.ask;
    await admin.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    await caller(server).get(`/api/inbox?key=${personal.secret}&token=${rotated.secret}`);
    const socket = await new TestClient(server.url, {}, { auth: { key: rotated.secret } }).connected();
    socket.close();
    await server.stop();

    expect([...secrets.values()].filter((secret) => secret.length < 12)).toEqual([]);
    expect(secrets.size).toBeGreaterThan(18);
    const dump = await dumpDatabase(database.url);
    // The dump is whole: it has what people call themselves, and the hashes.
    for (const known of ["kenji@example.com", "$argon2id$", "payer key", session_id]) expect(dump).toContain(known);
    const found = [...secrets].filter(([, secret]) => dump.includes(secret)).map(([what]) => what);
    expect(found).toEqual([]);
    if (kind === "postgresql") return;
    // Not even in pages that were freed, nor in the files next to it.
    const folder = dirname(database.url.slice("file:".length));
    const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
    const bytes = files.map(({ name }) => readFileSync(pathOf(folder, name), "latin1")).join("\n");
    expect([...secrets].filter(([, secret]) => bytes.includes(secret)).map(([what]) => what)).toEqual([]);
  });
});

test("a key or a session in a URL lets nobody in", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const server = await testServer(database.url);
  onTestFinished(server.stop);
  const admin = await setUp(server);
  const secrets = [(await agentKey(server, admin)).secret, (await personalKey(server, admin)).secret];
  const [session = ""] = tokenOf(admin.headers.cookie);
  for (const name of ["key", "token", "api_key", "access_token", "authorization"])
    for (const secret of [...secrets, session]) {
      const about = `${name}=${secret.slice(0, 15)}`;
      const query = `${name}=${secret}`;
      for (const path of ["/api/inbox", "/api/sessions", "/metrics", "/mcp"])
        expect([about, path, (await caller(server).get(`${path}?${query}`)).status]).toEqual([about, path, 401]);
      expect((await caller(server).post(`/api/asks?${query}`, { question: "?" })).status).toBe(401);
      const socket = new TestClient(server.url, { [name]: secret });
      onTestFinished(() => socket.close());
      await expect(socket.connected()).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });
    }
});

test("no other user of the machine can read the files, whatever the umask was", async () => {
  const root = mkdtempSync(pathOf(tmpdir(), "parley-files-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = pathOf(root, "data");
  const path = pathOf(folder, "parley.db");
  for (const start of ["first", "again"]) {
    const server = await testServer(`file:${path}`);
    if (start === "first") await setUp(server);
    const modes = readdirSync(folder).map((name) => [name, statSync(pathOf(folder, name)).mode & 0o777]);
    expect(modes).toEqual(modes.map(([name]) => [name, 0o600]));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await server.stop();
    // As older versions left them.
    chmodSync(folder, 0o755);
    chmodSync(path, 0o644);
  }
});
