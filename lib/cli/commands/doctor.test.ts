import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, run } from "../test-cli.ts";

let database: TestDatabase;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
  server = await testServer(database.url, { version });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-doctor-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ PARLEY_URL: server.url, HOME: join(folder, "home") });
const doctor = (...options: string[]) => run(["doctor", ...options], { env: env(), cwd: folder });
const write = (file: string, content: unknown) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
};
const SECRETS = { headers: { Authorization: "canary" }, env: { TOKEN: "canary" } };

test("Parley is fine, and no agent is set up", async () => {
  const { code, stdout } = await doctor();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^✓ Parley: version \S+ at \S+\n✓ Database: reachable\n✓ Migrations: current\n✓ MCP: tools at/,
  );
  expect(stdout).toContain("✗ Agents: none is set up here. Claude Code: parley connect claude-code\n");
  const away = await run(["doctor"], { env: { PARLEY_URL: "http://127.0.0.1:1" }, cwd: folder });
  expect([away.code, away.stdout]).toEqual([4, expect.stringContaining("✗ Parley: cannot be reached at")]);
});

test("lists each agent, where it is set up and how it handles a long wait, and no secret from its files", async () => {
  const http = { type: "http", url: `${server.url}/mcp`, ...SECRETS };
  const stdio = { command: "parley", args: ["mcp"], ...SECRETS };
  expect((await run(["connect", "claude-code", "--yes"], { env: env(), cwd: folder })).code).toBe(0);
  write("home/.claude.json", {
    mcpServers: { people: http },
    projects: { [folder]: { mcpServers: { parley: stdio } } },
  });
  write(".cursor/mcp.json", { mcpServers: { other: { command: "canary" }, parley: stdio } });
  write(".vscode/mcp.json", { servers: { parley: http } });
  write(
    "home/.codex/config.toml",
    '[mcp_servers.x]\ntoken = "canary"\n[mcp_servers.parley]\ncommand = "parley"\ntool_timeout_sec = 90\n[y]\n',
  );
  write("home/.config/Claude/claude_desktop_config.json", { mcpServers: { parley: stdio } });
  write("opencode.json", { mcp: { parley: { type: "remote", url: `${server.url}/mcp` } } });
  const { code, stdout } = await doctor();
  expect([code, stdout.includes("canary")]).toEqual([0, false]);
  const home = join(folder, "home");
  const patient = "waits as long as it takes";
  for (const line of [
    "Claude Code: asks in its terminal and here at once; the first answer counts (hook in .claude/settings.json)",
    `Claude Code, MCP: stdio (.mcp.json): ${patient}`,
    `Claude Code, MCP: stdio (${home}/.claude.json): ${patient}`,
    `Claude Code, MCP: HTTP (${home}/.claude.json): ${patient}: Parley reports progress`,
    "Cursor: stdio (.cursor/mcp.json): may give up after about a minute",
    "VS Code: HTTP (.vscode/mcp.json): may give up",
    `Codex: stdio (${home}/.codex/config.toml): gives up after 90 s (tool_timeout_sec)`,
    `Claude Desktop: stdio (${home}/.config/Claude/claude_desktop_config.json): gives up after about 60 s`,
    "OpenCode: HTTP (opencode.json): may give up",
  ]) {
    expect(stdout).toContain(`✓ ${line}`);
  }
  expect(JSON.parse((await doctor("--json")).stdout)).toContainEqual(
    expect.objectContaining({ name: "Claude Desktop", ok: true }),
  );
});

test("reports Claude Code's time limit, which of several applies, and where it is set", async () => {
  write(".mcp.json", { mcpServers: { parley: { type: "http", url: `${server.url}/mcp` } } });
  write("home/.claude/settings.json", { env: { MCP_TOOL_TIMEOUT: "120000" } });
  expect((await doctor()).stdout).toContain(
    `gives up after 120 s (MCP_TOOL_TIMEOUT in ${folder}/home/.claude/settings.json)`,
  );
  write(".mcp.json", { mcpServers: { parley: { type: "http", url: `${server.url}/mcp`, timeout: 30_000 } } });
  expect((await doctor()).stdout).toContain("gives up after 30 s (timeout of this server)");
  write(".claude/settings.json", "{ broken");
  expect((await doctor()).stdout).toContain("✗ Claude Code: .claude/settings.json is not JSON\n");
});
