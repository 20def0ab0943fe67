import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute } from "../../db/test-sql.ts";
import { buildCli, KEY, type Ran, run, sit, start } from "../test-cli.ts";
import { browserOf, PASSWORD, type TestTeam, testTeam } from "../test-team.ts";

let database: TestDatabase;
let team: TestTeam;
let home: string;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
  team = await testTeam(database.url, { version });
});
afterAll(async () => {
  await team.stop();
  await database.drop();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "parley-login-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = (more: Record<string, string> = {}) => ({ HOME: home, PARLEY_URL: team.url, ...more });
const parley = (args: string[], more?: Record<string, string>): Promise<Ran> => run(args, { env: env(more) });
const keysFile = () => join(home, ".config/parley/keys.json");
const keys = () => JSON.parse(readFileSync(keysFile(), "utf8")).hubs[team.url];
const QUESTION =
  '{"questions":[{"question":"Ship it?","header":"Ship","multiSelect":false,"options":[{"label":"Yes","description":"Now"},{"label":"No","description":"Not yet"}]}]}';

/** Every command that talks to Parley, and the kind of caller it needs. */
const COMMANDS = {
  agent: [
    ["ask", QUESTION],
    ["sessions"],
    ["show", "conv_1"],
    ["skills"],
    ["export", "conv_1"],
    ["import", "conversation.jsonl"],
    ["key"],
    ["whoami"],
  ],
  person: [
    ["inbox"],
    ["answer"],
    ["answer", "--reply", "Yes"],
    ["extend", "one", "+15m"],
    ["watch"],
    ["claim", "one"],
    ["release", "one"],
    ["assign", "one", "--to", "ana@example.com"],
    ["keys"],
    ["keys", "create", "--agent", "ci"],
    ["keys", "revoke", "key_1"],
    ["invite"],
    ["people"],
  ],
};

test("without a key, every command ends with 5 and one sentence", async () => {
  writeFileSync(join(home, "conversation.jsonl"), "{}\n");
  for (const [who, commands] of Object.entries(COMMANDS)) {
    for (const args of commands) {
      const { code, stdout, stderr } = await run(args, { env: env(), cwd: home });
      expect([args, code, args[0] === "whoami" ? "" : stdout]).toEqual([args, 5, ""]);
      expect(stderr).toBe(
        who === "agent"
          ? `Not signed in to ${team.url}. Run: parley login, or set PARLEY_KEY.\n`
          : `This is for people who are signed in to ${team.url}. At a terminal, run: parley login --answer\n`,
      );
    }
  }
});

test("a wrong key is refused in a sentence, and so is one that was revoked", async () => {
  const { key, secret } = await team.ana.call("createKey", { body: { kind: "agent", name: "ci", agent: "ci" } });
  expect((await parley(["sessions"], { PARLEY_KEY: secret })).code).toBe(0);
  expect(await parley(["inbox"], { PARLEY_KEY: secret })).toMatchObject({ code: 5, stderr: /for people/ });
  await team.ana.call("revokeKey", { params: { id: key.id } });
  for (const PARLEY_KEY of [secret, "parley_agent_nonsense", "nonsense"]) {
    for (const args of [["sessions"], ["ask", QUESTION], ["whoami"]])
      expect(await parley(args, { PARLEY_KEY })).toMatchObject({
        code: 5,
        stderr: `PARLEY_KEY does not work at ${team.url}: it is wrong, has expired, or was revoked.\n`,
      });
  }
  expect(await parley(["sessions"], { PARLEY_KEY: "two words" })).toMatchObject({
    code: 5,
    stderr: "PARLEY_KEY is not a Parley key.\n",
  });
});

test("a machine that is let in gets a key that only its person can read, and that cannot answer", async () => {
  const { code, stdout, stderr } = await team.login([], { HOME: home });
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^To let this machine in, open http:\S+\/device and enter the code [A-Z0-9]{4}-[A-Z0-9]{4}\n/);
  expect(stderr).toContain(`Agents on this machine now ask as ${hostname()}.`);
  expect(statSync(keysFile()).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, ".config/parley")).mode & 0o777).toBe(0o700);
  const { key } = keys().agent;
  expect(key).toMatch(/^parley_agent_/);
  expect(stderr).not.toContain(key);

  const asking = start(["ask", QUESTION], { env: env() });
  await asking.says("waiting for an answer");
  const [item] = (await team.ana.call("inbox", { query: {} })).items;
  expect(item).toMatchObject({ agent: hostname(), question: "Ship it?" });
  const refused = await fetch(`${team.url}/api/task/answer`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ session_id: item?.session_id, tool_use_id: item?.tool_use_id, answers: {} }),
  });
  expect(refused.status).toBe(403);
  expect((await parley(["answer"])).code).toBe(5);
  const { session_id = "", tool_use_id = "" } = item ?? {};
  await team.ana.call("reply", { body: { session_id, tool_use_id, text: "Tomorrow" } });
  expect(await asking.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Tomorrow") });

  expect((await parley(["key"])).stdout).toBe(`${JSON.stringify({ Authorization: `Bearer ${key}` })}\n`);
  expect((await parley(["key", "--raw"])).stdout).toBe(`${key}\n`);
  expect((await parley(["whoami"])).stdout).toBe(
    `Parley at ${team.url}: people sign in.\nAgents here are ${hostname()}, in the space Everyone. They may ask, read, and report what a person decided in the agent's own terminal.\n`,
  );
  expect((await parley(["login"])).stderr).toContain("This machine is already signed in to");
  const elsewhere = await run(["sessions"], { env: { HOME: home } });
  expect(elsewhere).toMatchObject({ code: 0, stdout: expect.stringContaining(session_id) });

  const out = await parley(["logout"]);
  expect(out.stderr).toMatch(
    /^Signed out of \S+\.\nThis machine's key still works elsewhere\. .*: parley keys revoke key_/,
  );
  expect((await parley(["sessions"])).code).toBe(5);
  expect((await parley(["logout"])).stderr).toBe(`Nothing is stored for ${team.url}.\n`);
});

test("nobody is let in who is refused, or whose code has expired", async () => {
  const refused = start(["login", "--agent", "ci"], { env: env() });
  await team.decide(refused, false);
  expect(await refused.ended).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("Not signed in: the request was refused.\n"),
  });
  const late = start(["login"], { env: env() });
  await late.says("enter the code");
  await execute(await database.open(), "update one_time_token set expires_at = 1 where kind = 'device'", []);
  expect(await late.ended).toMatchObject({ code: 5, stderr: expect.stringContaining("the code has expired") });
  expect(existsSync(keysFile())).toBe(false);
});

test("a person signs in at the terminal when a command needs one, and answers, claims and manages there", async () => {
  const { secret } = await team.ana.call("createKey", { body: { kind: "agent", name: "ci", agent: "ci" } });
  const asking = start(["ask", QUESTION], { env: env({ PARLEY_KEY: secret }) });
  await asking.says("waiting for an answer");

  const person = sit(["answer", "--once"], { env: env() });
  await person.sees("enter the code");
  const user_code = /enter the code\s+(\S+)/.exec(person.screen())?.[1] ?? "";
  await team.ana.call("decideDevice", { body: { user_code, allow: true } });
  await person.sees("Ship it?");
  expect(person.screen()).toContain("Signed in as Ana, until ");
  await person.press(KEY.enter);
  expect((await person.ended).code).toBe(0);
  expect(await asking.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Yes") });
  expect(keys()).toMatchObject({ person: { name: "Ana", expires_at: expect.any(String) } });
  expect(keys().agent).toBeUndefined();

  // From now on no terminal is needed, and PARLEY_KEY of an agent in the same shell is not in the way.
  const more = { PARLEY_KEY: secret };
  expect(await parley(["inbox"], more)).toMatchObject({ code: 0, stderr: "Nothing is pending.\n" });
  expect((await parley(["people"])).stdout).toMatch(/^NAME +LOGIN +ROLE +ACTIVE\nAna +ana@example.com +admin/);
  expect((await parley(["whoami"])).stdout).toContain("You are Ana (ana@example.com), admin, until ");
  const second = start(["ask", QUESTION], { env: env(more) });
  await second.says("waiting for an answer");
  const [item] = JSON.parse((await parley(["inbox", "--json"])).stdout);
  expect(await parley(["claim", item.tool_use_id])).toMatchObject({ code: 0, stderr: "Claimed: ci · Ship it?\n" });
  expect((await parley(["release", item.session_id])).code).toBe(0);
  expect((await parley(["assign", item.inbox_item_id, "--to", "ana@example.com"])).stderr).toBe(
    "Assigned to Ana: ci · Ship it?\n",
  );
  expect(await parley(["assign", item.inbox_item_id, "--to", "bo"])).toMatchObject({ code: 1 });
  expect((await parley(["claim", "nothing"])).stderr).toBe("Nothing is pending under nothing.\n");

  const link = await parley(["invite", "bo@example.com", "--role", "viewer"]);
  expect(link).toMatchObject({ code: 0, stderr: expect.stringContaining("makes bo@example.com a viewer.") });
  const token = link.stdout.trim().split("#")[1];
  await browserOf(team.url, "accept", { token, name: "Bo", password: PASSWORD });
  expect((await parley(["people"])).stdout).toMatch(/\nBo +bo@example.com +viewer/);

  const created = await parley(["keys", "create", "--agent", "nightly", "--space", "everyone", "--days", "7"]);
  expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^parley_agent_\w+\n$/)]);
  const { key } = JSON.parse((await parley(["keys", "create", "--personal", "mine", "--json"])).stdout);
  expect((await parley(["keys"])).stdout).toMatch(/\nworks +personal +mine +Ana +never +\w{4} +key_/);
  expect(await parley(["keys", "revoke", key.id])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Revoked: mine/),
  });
  for (const args of [
    ["keys", "create"],
    ["keys", "create", "--agent", "a", "--days", "no"],
    ["keys", "drop"],
    ["invite", "--role", "boss"],
  ])
    expect((await parley(args)).code).toBe(1);

  // The session ends on the server too.
  const { token: session } = keys().person;
  expect((await parley(["logout"])).stderr).toBe(`Signed out of ${team.url}.\n`);
  const reply = await fetch(`${team.url}/api/inbox`, { headers: { authorization: `Bearer ${session}` } });
  expect(reply.status).toBe(401);
  second.child.kill();
  await second.ended;
});

test("watch shows what happens as a person, and says when the sign-in has ended", async () => {
  expect((await team.login(["--answer"], { HOME: home })).code).toBe(0);
  const { secret } = await team.ana.call("createKey", { body: { kind: "personal", name: "mine" } });
  const watching = start(["watch"], { env: env() });
  const watchingToo = start(["watch"], { env: env({ PARLEY_KEY: secret, HOME: join(home, "other") }) });
  const asking = start(["ask", QUESTION, "--agent", "deploy"], { env: env({ PARLEY_KEY: secret }) });
  await asking.says("waiting for an answer");
  await expect.poll(() => watching.stdout() + watchingToo.stdout()).toMatch(/Ship it\?[\s\S]*Ship it\?/);
  const { sessions } = await team.ana.call("listAuthSessions", {});
  const id = sessions.find(({ kind }) => kind === "terminal")?.id ?? "";
  await team.ana.call("endAuthSessions", { body: { id } });
  expect(await watching.ended).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(
      `Your sign-in at ${team.url} has ended. At a terminal, run: parley login --answer\n`,
    ),
  });
  for (const { child } of [watchingToo, asking]) child.kill();
});

test("what needs a recent sign-in says so, and works after another one, which replaces the first", async () => {
  expect((await team.login(["--answer"], { HOME: home })).code).toBe(0);
  const first = keys().person.token;
  await execute(team.auth.ctx.db, "update auth_session set confirmed_at = 0 where kind = 'terminal'");
  team.auth.ctx.credentials.forget();
  const create = ["keys", "create", "--personal", "mine"];
  expect(await parley(create)).toMatchObject({ code: 5, stderr: expect.stringContaining("`parley login --answer`") });
  const sitting = sit(create, { env: env() });
  await sitting.sees("enter the code");
  const user_code = /enter the code\s+([A-Z0-9-]{9})/.exec(sitting.screen())?.[1] ?? "";
  await team.ana.call("decideDevice", { body: { user_code, allow: true } });
  expect(await sitting.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^parley_personal_/) });
  const reply = await fetch(`${team.url}/api/inbox`, { headers: { authorization: `Bearer ${first}` } });
  expect([reply.status, keys().person.token === first]).toEqual([401, false]);
});

test("a key file that is not ours is never overwritten, and one that others can read is reported", async () => {
  mkdirSync(join(home, "xdg/parley"), { recursive: true });
  const file = join(home, "xdg/parley/keys.json");
  writeFileSync(file, "{ broken");
  const xdg = { XDG_CONFIG_HOME: join(home, "xdg") };
  expect(await parley(["sessions"], xdg)).toMatchObject({
    code: 1,
    stderr: `${file} cannot be understood. Remove it, and run: parley login\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("{ broken");
  const { secret } = await team.ana.call("createKey", { body: { kind: "agent", name: "ci", agent: "ci" } });
  writeFileSync(file, JSON.stringify({ hubs: { [team.url]: { agent: { key: secret, name: "ci" } } } }), {
    mode: 0o644,
  });
  const { code, stdout } = await parley(["doctor"], xdg);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`✗ Keys: others on this machine can read them. Run: chmod 600 ${file}`),
  ]);
  expect(stdout).toContain("✓ Sign-in: people sign in, and agents need a key\n✓ Key: ci, which may ask and read");
  expect(stdout).toContain("✓ Connection: on this machine (http)\n✓ Clock: agrees with that of Parley\n");
  expect(stdout).toContain("✓ MCP: tools at");
  expect(stdout).not.toContain(secret);
  const without = await parley(["doctor"]);
  expect(without).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ Key: Not signed in to") });
});
