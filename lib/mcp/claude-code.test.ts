import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type McpServerConfig, query } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRestClient, type RestClient } from "../../scripts/chaos/kit/rest-client.ts";
import { buildServer, type ServerProgram } from "../../scripts/chaos/kit/server-program.ts";
import { agentKey, firstAccount, type Keyed, type Member, setupToken } from "../../scripts/chaos/kit/team.ts";
import type { ServerProcess } from "../../scripts/throwaway/server.ts";
import { buildCli } from "../cli/test-cli.ts";
import { createClient } from "../client.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type Block, startModel, type TestModel } from "../test-model.ts";

// Claude Code as its makers ship it, with Parley as one of its MCP servers and a scripted model.

const PARLEY = join(import.meta.dirname, "../../bin/parley.mjs");
const QUESTIONS = {
  questions: [
    { question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
  ],
};
const call = (name: string, input: Record<string, unknown>): Block => ({
  type: "tool_use",
  name: `mcp__parley__${name}`,
  input,
});

describe("Claude Code, over MCP", () => {
  let database: TestDatabase;
  let program: ServerProgram;
  let server: ServerProcess;
  let model: TestModel;
  let home: string;
  /** What a person's browser sends, where people sign in. */
  let person: Record<string, string>;
  beforeAll(async () => {
    await buildCli();
    program = await buildServer();
  });
  beforeEach(async () => {
    database = await testDatabase("sqlite");
    [server, model] = await Promise.all([program.start({ databaseUrl: database.url }), startModel()]);
    home = mkdtempSync(join(tmpdir(), "parley-claude-"));
    person = {};
  });
  afterEach(async () => {
    await server.stop("SIGKILL");
    await model.stop();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  const url = () => `http://127.0.0.1:${server.port}`;
  const rest = () => createClient({ url: url(), headers: () => person });
  const overHttp = (): McpServerConfig => ({ type: "http", url: `${url()}/mcp` });
  const overStdio = (): McpServerConfig => ({
    command: process.execPath,
    args: [PARLEY, "mcp"],
    env: { PARLEY_URL: url() },
  });

  /** Claude Code until it is done, and what it said last. */
  async function run(
    parley: McpServerConfig | string,
    more: Record<string, string> = {},
    { project = home, abortController = new AbortController() } = {},
  ): Promise<string> {
    const own = { HOME: project, CLAUDE_CONFIG_DIR: join(project, ".claude") };
    const env = { ...model.env, ...more, ...own, PATH: process.env.PATH };
    const servers = typeof parley === "string" ? { extraArgs: { "mcp-config": parley } } : { mcpServers: { parley } };
    const options = {
      cwd: project,
      abortController,
      env,
      ...servers,
      allowedTools: ["mcp__parley"],
      settingSources: [],
    };
    for await (const message of query({ prompt: "set it up", options }))
      if (message.type === "result") return message.subtype === "success" ? message.result : message.subtype;
    return "it ended without a result";
  }

  async function opened() {
    for (;;) {
      const [item] = (await rest().call("inbox", {})).items;
      if (item) return item;
      await sleep(20);
    }
  }

  const answered = async (value: string) => {
    const { session_id, tool_use_id } = await opened();
    await rest().call("answer", { body: { session_id, tool_use_id, answers: { "0": value } } });
    return { session_id, tool_use_id };
  };

  test.each([
    ["HTTP", overHttp],
    ["the command `parley mcp`", overStdio],
  ])("asks through %s, waits, and reads the answer", async (_door, connection) => {
    model.say([call("ask_user_question", QUESTIONS)], [{ type: "text", text: "It will be SQLite." }]);
    const ran = run(connection());
    const item = await opened();
    expect(item.agent).toBe("Claude Code");
    // The id of its own call: a repeated call would find the same question.
    expect(item.tool_use_id).toMatch(/^toolu_/);
    await answered("1");
    expect(await ran).toBe("It will be SQLite.");
    expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="SQLite"');
  });

  test.each([
    ["HTTP", overHttp],
    ["the command `parley mcp`", overStdio],
  ])("two projects ask the same words through %s, and the first is killed: two cards", async (_door, connection) => {
    const asked = () => call("ask_user_question", QUESTIONS);
    model.say([asked()], [asked()], [{ type: "text", text: "Then PostgreSQL." }]);
    const abortController = new AbortController();
    const first = run(connection(), {}, { abortController }).catch(() => "killed");
    const { session_id, tool_use_id } = await opened();
    abortController.abort();
    expect(await first).toBe("killed");
    const project = join(home, "other");
    mkdirSync(project);
    const second = run(connection(), {}, { project });
    await expect.poll(async () => (await rest().call("inbox", {})).items, { timeout: 240_000 }).toHaveLength(2);
    await rest().call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
    await answered("2");
    expect(await second).toBe("Then PostgreSQL.");
    expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="PostgreSQL"');
  });

  test("kill -9 of Parley while it waits: the call fails, the question stays, and wait_for_answer brings the answer", async () => {
    model.say([call("ask_user_question", QUESTIONS)]);
    const ran = run(overHttp());
    const { session_id, tool_use_id } = await opened();
    const { port } = server;
    await server.stop("SIGKILL");
    const restarted = program.start({ databaseUrl: database.url, env: { PORT: String(port) } });
    const again = restarted.then(() => [call("wait_for_answer", { session_id, tool_use_id })]);
    model.say(again, [{ type: "text", text: "Then PostgreSQL." }]);
    server = await restarted;
    await answered("2");
    expect(await ran).toBe("Then PostgreSQL.");
    expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="PostgreSQL"');
    expect((await rest().call("readSession", { params: { id: session_id } })).current_round).toBe(1);
    expect((await rest().call("inbox", { query: { status: "all" } })).items).toHaveLength(1);
  });

  test("kill -9 of Parley while it waits through `parley mcp`: the same call gets the answer", async () => {
    model.say([call("ask_user_question", QUESTIONS)], [{ type: "text", text: "Then PostgreSQL." }]);
    const ran = run(overStdio());
    await opened();
    const { port } = server;
    await server.stop("SIGKILL");
    server = await program.start({ databaseUrl: database.url, env: { PORT: String(port) } });
    await answered("2");
    expect(await ran).toBe("Then PostgreSQL.");
    expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="PostgreSQL"');
    expect((await rest().call("inbox", { query: { status: "all" } })).items).toHaveLength(1);
  });

  test("gives up on a call through `parley mcp`, asks again, and gets what was answered meanwhile", async () => {
    const waiting = async () => (await (await fetch(`${url()}/metrics`)).text()).includes("parley_waiting_calls 1");
    const gaveUp = async () => {
      while (model.requests.length < 2 || (await waiting())) await sleep(20);
    };
    const second = gaveUp()
      .then(() => answered("2"))
      .then(() => [call("ask_user_question", QUESTIONS)]);
    model.say([call("ask_user_question", QUESTIONS)], second, [{ type: "text", text: "PostgreSQL, then." }]);
    expect(await run(overStdio(), { MCP_TOOL_TIMEOUT: "1500" })).toBe("PostgreSQL, then.");
    expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="PostgreSQL"');
    expect((await rest().call("inbox", { query: { status: "all" } })).items).toHaveLength(1);
  });

  describe("where people sign in", () => {
    let key: Keyed;
    let admin: Member;
    let client: RestClient;
    beforeEach(async () => {
      client = createRestClient(() => server.port);
      admin = await firstAccount(client, await setupToken(database.url));
      key = await agentKey(client, admin, "claude-on-laptop");
      person = admin.headers;
    });
    afterEach(() => client.close());

    const configFile = (more: object) => {
      const file = join(home, "mcp.json");
      writeFileSync(file, JSON.stringify({ mcpServers: { parley: { type: "http", url: `${url()}/mcp`, ...more } } }));
      return file;
    };
    const FROM_ENVIRONMENT = { headers: { Authorization: "Bearer $".concat("{PARLEY_KEY}") } };

    test.each(["the command `parley mcp`", "a header from the environment", "a helper"])(
      "asks with %s, and nothing else of it can answer",
      async (way) => {
        const helper = join(home, "helper.sh");
        writeFileSync(helper, `#!/bin/sh\necho '${JSON.stringify({ Authorization: key.headers.authorization })}'\n`);
        chmodSync(helper, 0o700);
        const [command, args] = [process.execPath, [PARLEY, "mcp", "--url", url()]];
        // As `parley connect claude-code` writes it: the process inherits the environment of Claude Code.
        const overCommand = JSON.stringify({ mcpServers: { parley: { type: "stdio", command, args } } });
        const overHttp = () => configFile(way === "a helper" ? { headersHelper: helper } : FROM_ENVIRONMENT);
        const config = way.startsWith("the command") ? overCommand : overHttp();
        model.say([call("ask_user_question", QUESTIONS)], [{ type: "text", text: "It will be SQLite." }]);
        const ran = run(config, { PARLEY_KEY: key.secret });
        const item = await opened();
        // The name is that of the key, whatever the program calls itself.
        expect(item.agent).toBe("claude-on-laptop");
        const { session_id, tool_use_id } = item;
        const body = { session_id, tool_use_id, answers: { "0": "1" } };
        expect((await client.call("POST", "/api/task/answer", body, key.headers)).status).toBe(403);
        await answered("1");
        expect(await ran).toBe("It will be SQLite.");
        expect(JSON.parse(model.lastTold()).message).toContain('"Which database?"="SQLite"');
        const { ask } = await rest().call("readAsk", { params: { tool_use_id }, query: { session_id } });
        expect(ask.result?.decided_by).toMatchObject({ name: "ada", provenance: "sign_in" });
      },
    );

    test.each(["a wrong key", "no key", "a revoked key"])("with %s it has no tools, and asks nothing", async (what) => {
      if (what === "a revoked key")
        await client.call("POST", `/api/keys/${key.key_id}/revoke`, undefined, admin.headers);
      const config = configFile(what === "no key" ? {} : FROM_ENVIRONMENT);
      model.say([call("ask_user_question", QUESTIONS)], [{ type: "text", text: "I could not ask." }]);
      // Two characters more than any key has, so that it is never the key itself.
      const secret = what === "a wrong key" ? `${key.secret}xx` : key.secret;
      expect(await run(config, { PARLEY_KEY: secret })).toBe("I could not ask.");
      expect(model.lastTold()).toMatch(/No such tool|not available|not connected/i);
      expect((await rest().call("inbox", { query: { status: "all" } })).items).toEqual([]);
    });
  });
});
