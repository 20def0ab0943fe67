import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, inTerminal, KEY, run } from "../test-cli.ts";

const PROGRAM = join(import.meta.dirname, "../../../bin/parley.mjs");

const SKILL = ".claude/skills/ask-through-parley/SKILL.md";

let folder: string;
beforeAll(buildCli);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-connect-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ HOME: join(folder, "home") });
const connect = (...options: string[]) => run(["connect", "claude-code", ...options], { env: env(), cwd: folder });
const at = (file: string) => join(folder, file);
const write = (file: string, text: string) => {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
};
const json = (file: string) => JSON.parse(readFileSync(at(file), "utf8"));

const OTHERS = `{
    "model": "opus", "env": {"TOKEN": "canary-1"}, "permissions": {"allow": [ "Bash(ls)" ]},
    "hooks": {
        "PermissionRequest": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }
        ]
    }
}`;

test("adds its hook and server to existing settings once, and removes exactly those", async () => {
  write(".claude/settings.json", OTHERS);
  write(".mcp.json", '{"mcpServers":{"other":{"command":"x","env":{"KEY":"canary-2"}}}}');
  const before = [".claude/settings.json", ".mcp.json"].map((file) => readFileSync(at(file), "utf8"));
  const done = await connect("--yes");
  expect(done.code).toBe(0);
  expect(done.stdout).not.toContain("canary");
  expect(done.stderr).toMatch(
    /claude -p.* connect with --user, or start it with: claude -p --allowedTools mcp__parley/,
  );
  expect(readFileSync(at(SKILL), "utf8")).toBe(readFileSync(join(PROGRAM, "../..", SKILL), "utf8"));
  expect(done.stdout).toContain("+ The skill ask-through-parley");
  const { hooks, model, permissions } = json(".claude/settings.json");
  expect(model).toBe("opus");
  expect(permissions).toEqual({ allow: ["Bash(ls)", "mcp__parley"] });
  expect(hooks.PostToolUse).toMatchObject([{ matcher: "AskUserQuestion", hooks: [{ async: true }] }]);
  expect(hooks.PermissionRequest).toMatchObject([
    { matcher: "Bash" },
    { matcher: "AskUserQuestion", hooks: [{ type: "command", command: expect.stringContaining(" hook claude-code") }] },
  ]);
  expect(json(".mcp.json").mcpServers).toEqual({
    other: { command: "x", env: { KEY: "canary-2" } },
    parley: { type: "stdio", command: process.execPath, args: [PROGRAM, "mcp"] },
  });
  const after = readFileSync(at(".claude/settings.json"), "utf8");
  expect(await connect("--yes")).toEqual({ code: 0, stdout: "", stderr: "Claude Code is already connected.\n" });
  expect(readFileSync(at(".claude/settings.json"), "utf8")).toBe(after);
  expect((await connect("--undo", "--yes")).code).toBe(0);
  expect([".claude/settings.json", ".mcp.json"].map((file) => readFileSync(at(file), "utf8"))).toEqual(before);
  expect(existsSync(at(SKILL))).toBe(false);
  expect((await connect("--undo", "--yes")).stderr).toBe("Claude Code is not connected here.\n");
});

test("a skill that someone changed stays as it is", async () => {
  write(SKILL, "own words");
  await connect("--yes");
  await connect("--undo", "--yes");
  expect(readFileSync(at(SKILL), "utf8")).toBe("own words");
});

test("entries of an older version are updated, and removed completely", async () => {
  const hook = { type: "command", command: "exec parley hook claude-code", timeout: 1_814_400 };
  const older = { hooks: { PermissionRequest: [{ matcher: "AskUserQuestion", hooks: [hook] }] } };
  write(".claude/settings.json", JSON.stringify(older, null, 2));
  const headers = { Authorization: "Bearer $".concat("{PARLEY_KEY}") };
  const overHttp = { type: "http", url: "http://localhost:3000/mcp", headers };
  write(".mcp.json", JSON.stringify({ mcpServers: { parley: overHttp } }));
  expect((await connect("--yes")).code).toBe(0);
  expect(json(".mcp.json").mcpServers.parley.args).toEqual([PROGRAM, "mcp"]);
  const { hooks, permissions } = json(".claude/settings.json");
  expect([hooks.PermissionRequest.length, hooks.PostToolUse.length, permissions.allow]).toEqual([
    1,
    1,
    ["mcp__parley"],
  ]);
  await connect("--undo", "--yes");
  expect([existsSync(at(".claude/settings.json")), existsSync(at(".mcp.json"))]).toEqual([false, false]);
});

test("files that it created are removed; a new address replaces its own entry, and entries of others stay", async () => {
  expect((await connect("--yes")).code).toBe(0);
  const moved = { ...env(), PARLEY_URL: "http://hub.example:8080/" };
  expect((await run(["connect", "claude-code", "--yes"], { env: moved, cwd: folder })).code).toBe(0);
  const [only, ...more] = json(".claude/settings.json").hooks.PermissionRequest;
  expect(more).toEqual([]);
  expect(only.hooks[0].command).toMatch(/ hook claude-code --url http:\/\/hub\.example:8080$/);
  expect(json(".mcp.json").mcpServers.parley.args.slice(1)).toEqual(["mcp", "--url", "http://hub.example:8080"]);
  await connect("--undo", "--yes");
  expect([existsSync(at(".claude/settings.json")), existsSync(at(".mcp.json"))]).toEqual([false, false]);
  const own = '{"mcpServers":{"parley":{"command":"parley","args":["mcp"]}}}';
  write(".mcp.json", own);
  await connect("--yes");
  await connect("--undo", "--yes");
  expect(readFileSync(at(".mcp.json"), "utf8")).toBe(own);
});

test("for all projects of a person: in Claude Code's own file, through symlinks, with its permissions", async () => {
  write("dotfiles/claude.json", '{"mcpServers": {}, "oauthAccount": "canary"}\n');
  chmodSync(at("dotfiles/claude.json"), 0o600);
  mkdirSync(at("home"));
  symlinkSync(at("dotfiles/claude.json"), at("home/.claude.json"));
  const { code, stdout } = await connect("--user", "--yes");
  expect([code, stdout.includes("canary")]).toEqual([0, false]);
  expect(json("dotfiles/claude.json").mcpServers.parley.type).toBe("stdio");
  expect(statSync(at("dotfiles/claude.json")).mode & 0o777).toBe(0o600);
  expect(json("home/.claude/settings.json").hooks.PermissionRequest).toHaveLength(1);
  const elsewhere = { ...env(), CLAUDE_CONFIG_DIR: at("config") };
  await run(["connect", "claude-code", "--user", "--yes"], { env: elsewhere, cwd: folder });
  expect(json("config/.claude.json").mcpServers.parley.type).toBe("stdio");
  expect(existsSync(at("config/settings.json"))).toBe(true);
});

test("leaves a file alone that it cannot read; --print changes nothing; without a terminal the answer is no", async () => {
  for (const broken of ['{"hooks": ', "[]", '{"hooks": []}', '{"hooks":{"PermissionRequest":{}}} // comment']) {
    write(".claude/settings.json", broken);
    const { code, stderr } = await connect("--yes");
    expect([code, stderr]).toEqual([
      1,
      ".claude/settings.json is not the JSON that Claude Code expects. Nothing was changed.\n",
    ]);
    expect(readFileSync(at(".claude/settings.json"), "utf8")).toBe(broken);
  }
  write(".claude/settings.json", OTHERS);
  const printed = await connect("--print");
  expect(printed).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout).toMatch(/^\+ .*"matcher": "AskUserQuestion"/m);
  expect(await connect()).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
  expect(readFileSync(at(".claude/settings.json"), "utf8")).toBe(OTHERS);
  expect(existsSync(at(".mcp.json"))).toBe(false);
  expect((await run(["connect", "emacs"])).code).toBe(1);
});

test("asks the person at the terminal", async () => {
  const command = `exec ${process.execPath} ${PROGRAM} connect claude-code`;
  for (const [keys, code] of [
    [["2", KEY.enter], 2],
    [[KEY.enter], 0],
  ] as const) {
    const person = inTerminal(command, { ...env(), PATH: "/usr/bin:/bin" }, folder);
    await person.sees("Make these changes?");
    await person.press(...keys);
    expect((await person.ended).code).toBe(code);
    expect(existsSync(at(".mcp.json"))).toBe(code === 0);
  }
});
