import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { AUDIT_KEY } from "../../hub/test-hub.ts";
import { buildCli, KEY, run, sit } from "../test-cli.ts";
import { browserOf, firstAccount, PASSWORD } from "../test-team.ts";

beforeAll(buildCli);

describe.each(ABOVE_SQL)("beside a running server on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url, { audit: { key: AUDIT_KEY.secret, file: undefined } });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const env = () => ({ DATABASE_URL: database.url, PORT: new URL(server.url).port });
  const parley = (...args: string[]) => run(args, { env: env() });
  const modeIs = (mode: string) =>
    expect.poll(async () => (await (await fetch(`${server.url}/api/me`)).json()).mode).toBe(mode);
  const tokenIn = (link: string) => link.trim().split("#")[1];

  test("the first account is created once, people are let in again, and the team ends and comes back", async () => {
    const [first, second] = [await parley("team"), await parley("team")];
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^http://localhost:${env().PORT}/setup#ott_[\\w-]{43}\n$`)),
      stderr: expect.stringContaining("It works once, for 24 hours"),
    });
    // The newest link is the only one that works, and it works once.
    await expect(firstAccount(server, first.stdout)).rejects.toThrow("410");
    const ana = await firstAccount(server, second.stdout);
    await expect(firstAccount(server, second.stdout)).rejects.toThrow("410");
    const late = await parley("team");
    expect([late.code, late.stdout]).toEqual([1, ""]);
    expect(late.stderr).toMatch(/^Someone has an account here already: .* parley person reset LOGIN\n$/);

    const agents = () => ana.call("readTeam", {}).then(({ team }) => team.built_in_agents);
    expect([await agents(), (await parley("team", "--agents", "on")).code]).toEqual([false, 0]);
    await expect.poll(agents, { timeout: 20_000 }).toBe(true);
    expect((await parley("team", "--agents", "maybe")).code).toBe(1);
    expect((await parley("team", "--strong-sign-in", "maybe")).code).toBe(1);
    const { stderr } = await parley("team", "--strong-sign-in", "off");
    expect(stderr).toContain("in any way again");

    const { url } = await ana.call("createInvitation", { body: { login: "bo@example.com" } });
    const bo = await browserOf(server.url, "accept", { token: tokenIn(url), name: "Bo", password: PASSWORD });
    expect((await parley("person", "list")).stdout).toMatch(
      /\nAna +ana@example.com +admin +active.*\nBo +bo@example.com +member/,
    );

    const reset = await parley("person", "reset", "Bo@Example.com");
    expect(reset).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^With this link, Bo can set a new password\. It works once/),
    });
    await browserOf(server.url, "reset", { token: tokenIn(reset.stdout), password: "another long password" });
    await expect(bo.call("listKeys", {})).rejects.toThrow("session has ended");
    await browserOf(server.url, "sign-in", { login: "bo@example.com", password: "another long password" });

    expect((await parley("person", "admin", "bo@example.com")).stderr).toBe("Bo is now an admin.\n");
    expect((await parley("person", "admin", "bo@example.com")).stderr).toBe("Bo is an admin already.\n");
    await expect
      .poll(async () => (await ana.call("listPeople", {})).people.map(({ role }) => role))
      .toEqual(["admin", "admin"]);
    for (const args of [["reset", "nobody"], ["admin", "nobody"], ["reset"], ["list", "x"], ["drop", "ana"], []])
      expect((await parley("person", ...args)).code).toBe(1);

    expect(await parley("team", "--off")).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
    expect((await ana.call("me", {})).mode).toBe("team");
    const off = await parley("team", "--off", "--yes");
    expect(off).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("To turn sign-in on again, run: parley team\n"),
    });
    await modeIs("open");
    expect((await parley("team", "--off", "--yes")).stderr).toBe(
      "Nobody has an account here, so there is nothing to turn off.\n",
    );
    expect((await parley("person", "reset", "ana@example.com")).code).toBe(1);

    const back = await firstAccount(server, (await parley("team")).stdout);
    const people = (await back.call("listPeople", {})).people.map(({ name, status }) => [name, status]);
    expect(people).toEqual([
      ["Ana", "active"],
      ["Bo", "disabled"],
    ]);
    await expect(ana.call("listKeys", {})).rejects.toThrow("session has ended");
    expect((await parley("person", "reset", "bo@example.com")).stderr).toMatch(/^Bo is disabled\./);

    const { events } = await back.call("audit", { query: { session_id: "parley" } });
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["person.joined", "person.reset_created", "person.changed", "team.ended"]),
    );
    expect(server.errors).toEqual([]);
    await server.stop();
    const verified = await run(["audit"], { env: { ...env(), AUDIT_KEY: AUDIT_KEY.secret } });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("no problem found") });
    server = await testServer(database.url, { audit: { key: AUDIT_KEY.secret, file: undefined } });
  });
});

test("works before the first start, under the address that people use; asks before it ends a team", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-team-"));
  const DATABASE_URL = `file:${join(folder, "data/parley.db")}`;
  try {
    const env = { DATABASE_URL, PUBLIC_URL: "https://parley.example.com/" };
    const link = await run(["team"], { env });
    expect(link.stdout).toMatch(/^https:\/\/parley\.example\.com\/setup#ott_/);
    const wrong = await run(["team"], { env: { DATABASE_URL, PUBLIC_URL: "http://parley.example.com" } });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("PUBLIC_URL is http") });

    const server = await testServer(DATABASE_URL);
    const ana = await firstAccount(server, link.stdout);
    for (const [keys, code, mode] of [
      [[KEY.enter], 2, "team"],
      [[KEY.down, KEY.enter], 0, "open"],
    ] as const) {
      const person = sit(["team", "--off"], { env: { DATABASE_URL } });
      await person.sees("Use Parley alone again?");
      await person.press(...keys);
      expect((await person.ended).code).toBe(code);
      await expect.poll(async () => (await ana.call("me", {})).mode).toBe(mode);
    }
    await server.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
