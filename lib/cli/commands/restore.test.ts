import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { testServer } from "../../http/test-server.ts";
import { byAgent, byPerson, CHOICE } from "../../hub/test-hub.ts";
import { buildCli } from "../test-cli.ts";

beforeAll(buildCli);

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/deploy.md"), "utf8");

/** What the guide tells people to run. */
function inGuide(pattern: RegExp): string {
  const [, command] = pattern.exec(guide) ?? [];
  if (command === undefined) throw new Error(`docs/deploy.md has nothing like ${pattern}`);
  return command;
}

test("the backup and the restore in the deployment guide work as they are written", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "parley-restore-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const folder of ["bin", "data"]) mkdirSync(join(cwd, folder));
  symlinkSync(join(root, "bin/parley.mjs"), join(cwd, "bin/parley"));
  const env = {
    NODE_ENV: "production" as const,
    PATH: `${join(cwd, "bin")}:${process.env.PATH}`,
    DATABASE_URL: `file:${join(cwd, "data/parley.db")}`,
  };

  const server = await testServer(env.DATABASE_URL);
  const session_id = await server.hub.createConversation(byAgent(), {});
  const ask = (to: typeof server, tool_use_id: string) =>
    to.hub.ask(byAgent(), { conversation_id: session_id, tool_use_id, ...CHOICE });
  await ask(server, "kept");
  await server.hub.answer(byPerson(), { conversation_id: session_id, question_id: "kept", answer: "a" });
  const [file, statement] = [inGuide(/`sqlite3 (\S+) "VACUUM INTO/), inGuide(/`sqlite3 \S+ "(VACUUM INTO '[^']+')"`/)];
  const backup = join(cwd, "backup.db");
  const source = new Sqlite(join(cwd, file));
  source.exec(statement.replace("backup.db", backup));
  source.close();
  await ask(server, "lost");
  await server.stop();

  const recipe = inGuide(/put the database back, and start:\n\n```sh\n([^`]+)npm start\n```/);
  const printed = execFileSync("sh", ["-ec", recipe], { cwd, env, encoding: "utf8" });
  expect(printed).toContain("no problem found");
  const restored = await testServer(env.DATABASE_URL);
  onTestFinished(restored.stop);
  const read = (tool_use_id: string) => restored.hub.readAsk(byPerson(), { conversation_id: session_id, tool_use_id });
  expect(await read("kept")).toMatchObject({ status: "answered" });
  await expect(read("lost")).rejects.toMatchObject({ code: "question_not_found" });
});
