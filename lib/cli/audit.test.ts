import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASES, type TestDatabase, testDatabase } from "../lib/db/test-databases.ts";
import { makeRecord } from "../lib/hub/audit/test-record.ts";
import { AUDIT_KEY, byAgent, testHub } from "../lib/hub/test-hub.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "parley-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program itself, in a process of its own. */
function audit(DATABASE_URL: string, args: string[] = [], AUDIT_KEY_NOW: string = AUDIT_KEY.secret) {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, DATABASE_URL, AUDIT_KEY: AUDIT_KEY_NOW };
  const program = ["--import", "tsx", join(root, "scripts/verify-audit.ts"), ...args];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, program, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe.each(DATABASES)("parley audit on %s", (kind) => {
  let database: TestDatabase;
  let long: string;
  beforeAll(async () => {
    database = await testDatabase(kind);
    const hub = testHub(await database.open(), { sealMs: 5 });
    await hub.begin(byAgent());
    ({ long } = await makeRecord(hub));
    await hub.stop();
  });
  afterAll(() => database.drop());

  test("verifies beside whoever has the database open, prints a checkpoint, and compares with it", async () => {
    const [all, checkpoint] = await Promise.all([audit(database.url), audit(database.url, ["--checkpoint"])]);
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(all.stdout).toMatch(
      /^\d+ conversations with \d+ events: no problem found\. \d+ seals since .*, key [0-9a-f]{16}\.\n$/,
    );
    expect(checkpoint.stdout).toMatch(/^parley-audit seals=\d+ mac=\S+ began=\S+ at=\S+ key=[0-9a-f]{16}\n$/);

    const file = join(folder, `${kind}-checkpoints`);
    writeFileSync(file, checkpoint.stdout.repeat(2));
    const line = checkpoint.stdout.trim();
    const forged = line.replace(/mac=.{8}/, "mac=xxxxxxxx");
    const db = await database.open();
    const [same, other, none] = await Promise.all([
      audit(database.url, ["--since", file]),
      audit(database.url, ["--since", forged, long]),
      audit(database.url, ["--since", "/nowhere"]),
    ]);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("Compared with 2 checkpoints.") });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("the record before it was written again") });
    expect(none).toMatchObject({ code: 1, stderr: "--since /nowhere is neither a checkpoint nor a file.\n" });

    await db.run("update answer set value = '{}' where question_id = 'one' and conversation_id = ?", [long]);
    expect(await audit(database.url)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("1 problem found"),
      stderr: `${long}: ask one, one of its questions or an answer was changed\n`,
    });
  });
});

test("what cannot be verified is said in one sentence", async () => {
  const missing = await audit(`file:${join(folder, "missing.db")}`);
  expect(missing).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The database file .* cannot be opened/),
  });
  const short = await audit(`file:${join(folder, "missing.db")}`, [], "short");
  expect(short).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("AUDIT_KEY: must have at least 32 characters"),
  });
  const option = await audit(`file:${join(folder, "missing.db")}`, ["--nothing"]);
  expect(option).toMatchObject({ code: 1, stderr: expect.stringContaining("'--nothing'") });
});
