import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli } from "../test-cli.ts";

// Runs the examples of the README and its pages exactly as they are printed.

const root = join(import.meta.dirname, "../../..");
const PAGES = ["README.md", "docs/asking.md", "docs/clients.md", "docs/running.md", "docs/audit.md"];
const pages = PAGES.map((file) => readFileSync(join(root, file), "utf8")).join("\n");

let database: TestDatabase;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  folder = mkdtempSync(join(tmpdir(), "parley-readme-"));
  server = await testServer(database.url, { skillsFolder: join(folder, "skills") });
  symlinkSync(join(root, "bin/parley.mjs"), join(folder, "parley"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
  await database.drop();
});

const env = () => ({
  PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`,
  HOME: folder,
  PARLEY_URL: server.url,
});

function example(title: string, language: string, nth = 0): string {
  const section = pages.split(/^##+ /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  return (
    section
      .split("```")
      .filter((block) => block.startsWith(`${language}\n`))
      [nth]?.slice(language.length + 1) ?? ""
  );
}

async function shell(script: string, input: string): Promise<string> {
  const child = spawn("sh", ["-c", script], { env: { ...env(), NODE_ENV: "production" } });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await once(child, "close");
  return out;
}

async function pending(): Promise<void> {
  while ((await createClient({ url: server.url }).call("inbox", {})).counts.open === 0) await sleep(20);
}

test("a terminal", async () => {
  const asking = example("A terminal", "sh");
  const asked = shell(asking, "");
  await pending();
  await shell(example("A terminal", "sh", 1), "1\n");
  expect(JSON.parse(await asked)).toEqual(JSON.parse(example("A terminal", "json")));
});

test("any program, over REST", async () => {
  const here = (nth: number) =>
    example("Any program, over REST", "sh", nth).replaceAll("localhost:3000", new URL(server.url).host);
  const asked = shell(here(0), "");
  await pending();
  expect(JSON.parse(await shell(here(1), ""))).toMatchObject({ message: "Answer submitted, the task continues" });
  const documented = JSON.parse(example("Any program, over REST", "json"));
  expect(JSON.parse(await asked)).toMatchObject(documented);
});

test("shell commands to copy have no comments, which zsh would take for words", () => {
  const files = [...PAGES, "CONTRIBUTING.md", "docs/decisions.md", "examples/README.md"];
  const comments = files.flatMap((file) => {
    const blocks = readFileSync(join(root, file), "utf8").matchAll(/^```sh\n(.*?)^```/gms);
    return [...blocks].flatMap(([, block = ""]) => block.match(/(?:^|\s)#.*/gm) ?? []);
  });
  expect(comments).toEqual([]);
});

test("Claude Code", async () => {
  const project = mkdtempSync(join(folder, "project-"));
  const script = example("Claude Code", "sh").trim();
  await shell(`cd ${project} && ${script} --yes`, "");
  expect(readFileSync(join(project, ".claude/settings.json"), "utf8")).toContain(
    `exec parley hook claude-code --url ${server.url}`,
  );
  const copy = /`(mkdir -p .claude\/skills [^`]+)`/.exec(pages)?.[1]?.replace("PARLEY", root) ?? "";
  await shell(`cd ${project} && ${copy}`, "");
  expect(readFileSync(join(project, ".claude/skills/ask-through-parley/SKILL.md"), "utf8")).toContain("# Ask");
});

test("the command of the skill for agents", async () => {
  const skill = readFileSync(join(root, ".claude/skills/ask-through-parley/SKILL.md"), "utf8");
  const asked = shell(skill.split("```")[1]?.slice("sh\n".length) ?? "", "");
  await pending();
  await shell("parley answer", "2\n");
  expect(JSON.parse(await asked)).toEqual({ answers: { Release: "Tomorrow" } });
});

test("any MCP client", async () => {
  const { mcpServers } = JSON.parse(example("Any MCP client", "json"));
  const agent = new Client({ name: "readme", version: "1.0.0" });
  await agent.connect(new StdioClientTransport({ ...mcpServers.parley, env: env() }));
  const { tools } = await agent.listTools();
  for (const { name } of tools) expect(pages).toContain(`\`${name}\``);
  const asked = agent.callTool({ name: "ask_user_question", arguments: { question_text: "Well?", type: "text" } });
  await pending();
  await shell("parley answer", "Very well.\n");
  expect((await asked).structuredContent).toMatchObject({
    status: "answered",
    result: { output: { answer: "Very well." } },
  });
  await agent.close();
});

test("question templates", async () => {
  mkdirSync(join(folder, "skills/deploy"), { recursive: true });
  const block = example("Question templates", "ask_user_question");
  writeFileSync(join(folder, "skills/deploy/SKILL.md"), `\`\`\`ask_user_question\n${block}\`\`\`\n`);
  const asked = shell(/`(parley ask --skill [^`]+)`/.exec(pages)?.[1] ?? "", "");
  await pending();
  await shell("parley answer", "y\n");
  expect(JSON.parse(await asked)).toMatchObject({ answer: true });
  expect((await shell("parley skills", "")).trim()).toBe("deploy (service place=staging)");
});
