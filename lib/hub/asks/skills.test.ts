import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCli, run, start } from "../../cli/test-cli.ts";
import { createClient } from "../../client.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { testClient } from "../../mcp/test-clients.ts";

const DEPLOY = `---
name: deploy
description: Before a deployment
---
\`\`\`ask_user_question
{"question_id":"go-{{service}}","question_text":"Deploy {{service}} to {{place|staging}}?","type":"boolean"}
\`\`\`
`;

describe.each(DATABASES)("question templates on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    await buildCli();
    folder = mkdtempSync(join(tmpdir(), "parley-skills-"));
    for (const [name, text] of [
      ["deploy", DEPLOY],
      ["broken", "```ask_user_question\n{\n\n,}\n```\n"],
      ["other", "# Nothing to ask"],
      ["twin", DEPLOY],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "SKILL.md"), text);
    }
    database = await testDatabase(kind);
    server = await testServer(database.url, { skillsFolder: folder, patience: { progressMs: 50, silentMs: 100 } });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const hub = () => createClient({ url: server.url });
  const env = () => ({ PARLEY_URL: server.url });

  test("a skill that teaches an agent to ask is not a template, and not reported as broken", async () => {
    const skillsFolder = join(import.meta.dirname, "../../.claude/skills");
    const itsOwn = await testDatabase(kind);
    const own = await testServer(itsOwn.url, { skillsFolder });
    expect(await createClient({ url: own.url }).call("skills", {})).toMatchObject({ skills: [], broken: [] });
    await own.stop();
    await itsOwn.drop();
  });

  test("over REST: listed, filled in and asked; a broken one is reported with file and line", async () => {
    const { skills, broken } = await hub().call("skills", {});
    expect(skills.map(({ name }) => name)).toEqual(["deploy"]);
    expect(broken).toMatchObject([
      { file: join(folder, "broken/SKILL.md"), line: 4 },
      { file: join(folder, "twin/SKILL.md"), line: 1, message: "the name deploy is taken by another skill" },
    ]);
    const body = { skill: "deploy", variables: { service: "web" }, idempotency_key: "once" };
    const { ask } = await hub().call("ask", { body });
    expect(ask.questions).toMatchObject([{ question_id: "go-web", text: "Deploy web to staging?", type: "boolean" }]);
    expect((await hub().call("ask", { body })).ask.tool_use_id).toBe(ask.tool_use_id);
    await expect(hub().call("ask", { body: { skill: "deploy" } })).rejects.toThrow("variables.service: is missing");
    await expect(hub().call("ask", { body: { skill: "none" } })).rejects.toThrow(
      "skill: unknown skill none; available: deploy",
    );
  });

  test("at the terminal", async () => {
    const listed = await run(["skills"], { env: env() });
    expect(listed.stdout).toBe("deploy (service place=staging): Before a deployment\n");
    expect(listed.stderr).toContain(`${join(folder, "broken/SKILL.md")}:4: `);
    expect(listed.code).toBe(1);
    const args = ["ask", "--key", "cli", "--skill", "deploy", "--var", "service=api", "--var", "place=a=b"];
    const asking = start(args, { env: env() });
    await asking.says("waiting for an answer");
    const item = (await hub().call("inbox", {})).items.find(({ question }) => question === "Deploy api to a=b?");
    const { session_id = "" } = item ?? {};
    await hub().call("answer", { body: { session_id, question_id: "go-api", answer: true } });
    expect(await asking.ended).toMatchObject({ code: 0, stdout: '{"question_id":"go-api","answer":true}\n' });
    expect((await run(["ask", "--skill", "deploy", "--var", "x"], { env: env() })).code).toBe(1);
  });

  test("over MCP", async () => {
    const agent = await testClient("2026-07-28", server.url);
    const { text } = await agent.call("list_skills", {});
    expect(JSON.parse(text)).toMatchObject({ skills: [{ name: "deploy" }] });
    const asked = await agent.call("ask_user_question", { skill: "deploy", variables: { service: "mcp" } });
    expect(asked.reply?.status).toBe("pending");
    expect((await hub().call("inbox", {})).items.map(({ question }) => question)).toContain("Deploy mcp to staging?");
    await agent.close();
  });
});
