import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute } from "../../db/test-sql.ts";
import { makeRecord } from "../../hub/audit/test-record.ts";
import { AUDIT_KEY, byAgent, CHOICE, testHub } from "../../hub/test-hub.ts";
import { buildCli, run, start } from "../test-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-audit-"));
beforeAll(buildCli);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const audit = (DATABASE_URL: string, args: string[] = [], key: string = AUDIT_KEY.secret) =>
  run(["audit", ...args], { env: { DATABASE_URL, AUDIT_KEY: key } });

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

  test("verifies a database that is open elsewhere, prints a checkpoint and compares with it", async () => {
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

    const exported = await audit(database.url, ["--export"]);
    const lines = exported.stdout.trim().split("\n");
    const positions = lines.map((line) => JSON.parse(line).position);
    const middle = Math.floor(lines.length / 2);
    const rest = await audit(database.url, ["--export", "--after", positions[middle]]);
    expect(rest.stdout).toBe(`${lines.slice(middle + 1).join("\n")}\n`);
    expect(await audit(database.url, ["--export", "--after", "99999"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("beyond the end of the record"),
    });
    expect(await audit(database.url, ["--follow", "--after", "last"])).toMatchObject({ code: 1 });
    const follower = start(["audit", "--follow", "--after", positions.at(-1)], {
      env: { DATABASE_URL: database.url, AUDIT_KEY: AUDIT_KEY.secret },
    });
    const hub = testHub(db, { sealMs: 5 });
    await hub.begin(byAgent());
    await hub.ask(byAgent(), { conversation_id: long, tool_use_id: "new", ...CHOICE });
    await vi.waitFor(() => expect(follower.stdout()).toContain('"tool_use_id":"new"'), { timeout: 60_000 });
    expect(follower.stdout().trim().split("\n")).toHaveLength(1);
    follower.child.kill();
    await follower.ended;
    await hub.stop();

    await execute(db, "update answer set value = '{}' where question_id = 'one' and conversation_id = ?", [long]);
    expect(await audit(database.url)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("1 problem found"),
      stderr: `${long}: ask one, one of its questions or an answer was changed\n`,
    });
  });
});

test("a record that cannot be verified is reported in one sentence", async () => {
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
