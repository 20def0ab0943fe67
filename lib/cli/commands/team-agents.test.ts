import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { buildCli, run, start } from "../test-cli.ts";
import { type TestTeam, testTeam } from "../test-team.ts";

let database: TestDatabase;
let team: TestTeam;
let folder: string;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  team = await testTeam(database.url, { limits: { maxDepth: 1 } });
});
afterAll(async () => {
  await team.stop();
  await database.drop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-agents-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = (more: Record<string, string> = {}) => ({ HOME: join(folder, "home"), PARLEY_URL: team.url, ...more });
const connect = (...options: string[]) =>
  run(["connect", "claude-code", "--yes", ...options], { env: env(), cwd: folder });
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const newKey = (agent: string, can_report = true) =>
  team.ana.call("createKey", { body: { kind: "agent", name: agent, agent, can_report } });
const agentOf = (secret: string) =>
  createClient({ url: team.url, headers: () => ({ authorization: `Bearer ${secret}` }) });
const ask = (session_key: string) => ({
  agent: "any",
  session_key,
  questions: [{ question: "Ship it?", header: "Ship", options: [{ label: "Yes" }, { label: "No" }] }],
});

test("connect writes the command that finds the key, and never a key; undo restores every character", async () => {
  const { secret } = await newKey("build-box");
  mkdirSync(join(folder, "home/.config/parley"), { recursive: true });
  const keys = { hubs: { [team.url]: { agent: { key: secret, name: "build-box" } } } };
  writeFileSync(join(folder, "home/.config/parley/keys.json"), JSON.stringify(keys), { mode: 0o600 });
  writeFileSync(join(folder, ".mcp.json"), '{"mcpServers":{"other":{"command":"x"}}}');
  writeFileSync(join(folder, "home/.claude.json"), '{ "theme": "dark" }\n');

  const project = await connect();
  expect([project.code, project.stderr]).toEqual([0, expect.not.stringContaining("needs a key")]);
  const user = await connect("--user");
  for (const file of [".mcp.json", "home/.claude.json"]) {
    const { type, command, args } = JSON.parse(read(file)).mcpServers.parley;
    expect([type, command, args.slice(-3)]).toEqual(["stdio", process.execPath, ["mcp", "--url", team.url]]);
    // As Claude Code starts it: with the key of this machine, and no other setting.
    const bridge = start(args.slice(1), { env: { HOME: join(folder, "home") } });
    bridge.child.stdin?.write(MESSAGE);
    await expect.poll(bridge.stdout, { timeout: 60_000 }).toContain("ask_user_question");
    bridge.child.stdin?.end();
    expect((await bridge.ended).code).toBe(0);
  }
  expect((await connect("--user")).stderr).toBe("Claude Code is already connected.\n");
  for (const text of [project.stdout, user.stdout, read(".mcp.json"), read("home/.claude.json")])
    expect(text).not.toContain("parley_agent_");

  // What Claude Code can run to get the headers of a server over HTTP.
  const printed = await run(["key", "--url", team.url], { env: { HOME: join(folder, "home") } });
  expect(JSON.parse(printed.stdout)).toEqual({ Authorization: `Bearer ${secret}` });

  expect([(await connect("--undo")).code, (await connect("--user", "--undo")).code]).toEqual([0, 0]);
  expect(read(".mcp.json")).toBe('{"mcpServers":{"other":{"command":"x"}}}');
  expect(read("home/.claude.json")).toBe('{ "theme": "dark" }\n');
  expect(existsSync(join(folder, ".claude/settings.json"))).toBe(false);
});

test("connect says what is missing, and leaves an entry with a key of someone's own alone", async () => {
  const own = `{"mcpServers":{"parley":{"type":"http","url":"${team.url}/mcp","headers":{"Authorization":"Bearer own"}}}}`;
  writeFileSync(join(folder, ".mcp.json"), own);
  const { code, stderr } = await connect();
  expect([code, stderr]).toEqual([0, expect.stringContaining("so this machine needs a key: parley login\n")]);
  await connect("--undo");
  expect(read(".mcp.json")).toBe(own);
  const { secret } = await newKey("passing");
  const withKey = { env: env({ PARLEY_KEY: secret }), cwd: folder };
  const told = await run(["connect", "claude-code", "--yes"], withKey);
  expect(told.stderr).toContain("Start Claude Code with PARLEY_KEY set");
  expect(told.stdout + told.stderr + read(".claude/settings.json")).not.toContain(secret);
});

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}\n';

test("the bridge passes the key on, and tells its agent what is wrong without one", async () => {
  const { secret, key } = await newKey("bridge");
  const list = async (more: Record<string, string>) => {
    const bridge = start(["mcp"], { env: env(more) });
    bridge.child.stdin?.write(MESSAGE);
    await expect.poll(bridge.stdout).toContain('"id":1');
    bridge.child.stdin?.end();
    return bridge.ended;
  };
  expect(await list({ PARLEY_KEY: secret })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("ask_user_question"),
  });
  const without = await list({});
  expect(without.code).toBe(5);
  expect(JSON.parse(without.stdout).error.message).toBe(
    `Not signed in to ${team.url}. Run: parley login, or set PARLEY_KEY.`,
  );
  await team.ana.call("revokeKey", { params: { id: key.id } });
  const revoked = await list({ PARLEY_KEY: secret });
  expect([revoked.code, JSON.parse(revoked.stdout).error.message]).toEqual([
    5,
    expect.stringContaining("PARLEY_KEY does not work"),
  ]);
});

test("a limit has its own exit code, and the sentence says when to ask again; a mistake has another", async () => {
  const other = await testDatabase("sqlite");
  const limited = await testTeam(other.url, { limits: { maxPerMinute: 1 } });
  const { secret } = await limited.ana.call("createKey", { body: { kind: "agent", name: "busy", agent: "busy" } });
  const env = { HOME: join(folder, "home"), PARLEY_URL: limited.url, PARLEY_KEY: secret };
  const first = start(["ask", '{"question":"First?"}'], { env });
  await first.says("waiting for an answer");
  const second = await run(["ask", '{"question":"Second?"}'], { env });
  expect([second.code, second.stdout, second.stderr]).toEqual([6, "", expect.stringMatching(/Ask again in \d+ s/)]);
  expect((await run(["ask", '{"question":""}'], { env })).code).toBe(1);
  first.child.kill("SIGINT");
  expect((await first.ended).code).toBe(2);
  await limited.stop();
  await other.drop();
});

test("the hook of Claude Code fails softly without a key: its dialog is open anyway", async () => {
  const transcript = join(folder, "transcript.jsonl");
  writeFileSync(transcript, "");
  const input = {
    hook_event_name: "PermissionRequest",
    tool_name: "AskUserQuestion",
    session_id: "one",
    transcript_path: transcript,
    cwd: folder,
    tool_use_id: "toolu_1",
    tool_input: ask("one"),
  };
  const options = { env: env(), input: JSON.stringify(input) };
  expect(await run(["hook", "claude-code", "--url", team.url], options)).toEqual({
    code: 0,
    stdout: "",
    stderr: `Not signed in to ${team.url}. Run: parley login, or set PARLEY_KEY.\n`,
  });
});

test("the hook asks and reports with the agent's key, and waits for a person to allow more", async () => {
  const { secret } = await newKey("laptop");
  const transcript_path = join(folder, "transcript.jsonl");
  const say = (entry: object) => appendFileSync(transcript_path, `${JSON.stringify(entry)}\n`);
  const about = { session_id: "long", transcript_path, cwd: folder, tool_name: "AskUserQuestion" };
  const { questions } = ask("long");
  const hook = (input: object) =>
    start(["hook", "claude-code", "--url", team.url], {
      env: env({ PARLEY_KEY: secret }),
      input: JSON.stringify({ ...about, tool_input: { questions }, ...input }),
    });
  const openItem = async () => {
    const { items } = await team.ana.call("inbox", { query: { agent: "laptop" } });
    return items.find(({ agent }) => agent === "laptop");
  };
  const allowMore = async () => {
    const { sessions } = await team.ana.call("listSessions", { query: { agent: "laptop" } });
    const id = sessions[0]?.session_id ?? "";
    const limits = async () => {
      const { messages } = await team.ana.call("readMessages", { params: { id }, query: {} });
      const events = messages.map(({ content }) => ("event" in content ? content.event : undefined));
      return events.filter((event) => event === "depth.limit").length;
    };
    await expect.poll(limits, { timeout: 20_000 }).toBeGreaterThan(known);
    known = await limits();
    await team.ana.call("allowMore", { params: { id } });
  };
  let known = 0;
  say({ type: "user", message: { content: "begin" } });
  for (const tool_use_id of ["t1", "t2"]) {
    const call = { type: "tool_use", id: tool_use_id, name: "AskUserQuestion", input: { questions } };
    say({ type: "assistant", message: { content: [call] } });
    const asking = hook({ hook_event_name: "PermissionRequest", tool_use_id });
    // One ask is the limit.
    if (tool_use_id !== "t1") await allowMore();
    await expect.poll(async () => (await openItem())?.tool_use_id).toBe(tool_use_id);
    const { session_id = "" } = (await openItem()) ?? {};
    await team.ana.call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
    expect((await asking.ended).stdout).toContain('"Ship it?":"Yes"');
    say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id, content: "Yes" }] } });
    // Claude Code went on with something else, and the record must say so.
    const answered = { questions, answers: { "Ship it?": "No" } };
    const reporting = hook({ hook_event_name: "PostToolUse", tool_use_id, tool_response: answered });
    expect(await reporting.ended).toMatchObject({ code: 0, stderr: "" });
    const { events } = await team.ana.call("audit", { query: { session_id } });
    expect(events.map(({ action }) => action)).toContain("question.answered_elsewhere");
  }
  // Answered at the terminal: reported, because Parley did not see it.
  say({
    type: "assistant",
    message: { content: [{ type: "tool_use", id: "t3", name: "AskUserQuestion", input: { questions } }] },
  });
  const third = hook({ hook_event_name: "PermissionRequest", tool_use_id: "t3" });
  await allowMore();
  await expect.poll(async () => (await openItem())?.tool_use_id).toBe("t3");
  const { session_id = "" } = (await openItem()) ?? {};
  const result = { type: "tool_result", tool_use_id: "t3", content: "Yes" };
  say({ type: "user", message: { content: [result] }, toolUseResult: { questions, answers: { "Ship it?": "Yes" } } });
  expect(await third.ended).toMatchObject({ code: 0, stdout: "" });
  const settled = await team.ana.call("readAsk", { params: { tool_use_id: "t3" }, query: { session_id } });
  expect(settled.ask.result).toMatchObject({ outcome: "answered", decided_by: { provenance: "reported" } });
});

test("no agent lifts its own limit, whether it may report or not", async () => {
  for (const can_report of [true, false]) {
    const agent = agentOf((await newKey(`mine-${can_report}`, can_report)).secret);
    const { session_id: id } = (await agent.call("ask", { body: ask(`thread-${can_report}`) })).ask;
    const second = () => agent.call("ask", { body: { ...ask(`thread-${can_report}`), idempotency_key: "two" } });
    await expect(second()).rejects.toMatchObject({ code: "recursive_limit_exceeded" });
    await expect(agent.call("allowMore", { params: { id } })).rejects.toMatchObject({ code: "forbidden" });
    await team.ana.call("allowMore", { params: { id } });
    expect(await second()).toMatchObject({ ask: { session_id: id } });
  }
});
