import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, KEY, run, sit, start } from "../test-cli.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const hub = () => createClient({ url: server.url });
const env = () => ({ PARLEY_URL: server.url });
const DEPLOY = {
  question_text: "Deploy to production?",
  type: "multiple_choice",
  options: [
    { id: "yes", label: "Deploy" },
    { id: "no", label: "Wait", default: true },
  ],
};
const ask = async (more: object = {}) => (await hub().call("ask", { body: { ...DEPLOY, ...more } })).ask;
const read = async ({ session_id, tool_use_id }: { session_id: string; tool_use_id: string }) =>
  (await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask;

beforeEach(async () => {
  const { items } = await hub().call("inbox", { query: { limit: 200 } });
  for (const { session_id, tool_use_id } of items)
    await hub().call("cancel", { body: { session_id, tool_use_id, reason: "the next test begins" } });
});

describe("parley extend", () => {
  test("adds to the deadline, sets another one, or removes it", async () => {
    const asked = await ask({ timeout_s: 600 });
    const before = Date.parse(asked.deadline_at ?? "");
    const { tool_use_id } = asked;
    const first = await run(["extend", tool_use_id, "+15m"], { env: env() });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("The question now waits until ") });
    expect(Date.parse((await read(asked)).deadline_at ?? "")).toBe(before + 15 * 60_000);
    const time = "2099-05-01T09:00:00.000Z";
    const { stdout } = await run(["extend", asked.session_id, time, "--json"], { env: env() });
    expect(JSON.parse(stdout)).toMatchObject({ tool_use_id, deadline_at: time });
    expect((await run(["extend", tool_use_id, "none"], { env: env() })).stderr).toContain("until someone answers");
    expect((await read(asked)).deadline_at).toBeNull();
    const now = Date.now();
    await run(["extend", tool_use_id, "+1h"], { env: env() });
    expect(Date.parse((await read(asked)).deadline_at ?? "")).toBeGreaterThanOrEqual(now + 3_600_000);
  });

  test("says what is wrong", async () => {
    const { tool_use_id } = await ask();
    expect(await run(["extend", tool_use_id], { env: env() })).toMatchObject({ code: 1 });
    for (const [args, says] of [
      [[tool_use_id, "15"], "15 is neither a span like +15m nor a time"],
      [[tool_use_id, "2020-01-01T00:00:00Z"], "has passed already"],
      [["none_such", "+1h"], "Nothing is pending under none_such."],
    ] as const) {
      const refused = await run(["extend", ...args], { env: env() });
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain(says);
    }
  });
});

describe("parley answer --reply", () => {
  test("settles the question in words, which the asking command prints", async () => {
    const asking = start(["ask", JSON.stringify(DEPLOY), "--key", "k1", "--irreversible"], { env: env() });
    await asking.says("waiting for an answer");
    const [item] = (await hub().call("inbox", {})).items;
    expect(item?.irreversible).toBe(true);
    const id = String(item?.tool_use_id);
    expect((await run(["answer", id, "--reply", "  "], { env: env() })).code).toBe(1);
    const replied = await run(["answer", id, "--reply", "First show me the diff."], { env: env() });
    expect(replied).toMatchObject({ code: 0, stderr: expect.stringContaining("Replied") });
    const { code, stdout } = await asking.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ answer: null, message: "First show me the diff.", replied: true });
    expect((await run(["answer", id, "--reply", "Too late."], { env: env() })).code).toBe(1);
  });
});

describe("an irreversible question in parley answer", () => {
  test("stands out in red, has nothing preselected, and is sent only after a second confirmation", async () => {
    const asked = await ask({ irreversible: true });
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("This cannot be undone. You confirm your answer before it is sent.");
    expect(person.raw()).toContain("\u001b[31m");
    await person.sees("Deploy to production?");
    await person.press(KEY.enter);
    await person.sees("This cannot be undone. Send this answer?");
    await person.sees("Change Deploy to production?  Deploy");
    expect((await read(asked)).status).toBe("pending");
    await person.press(KEY.down, KEY.enter);
    expect((await person.ended).code).toBe(0);
    expect((await read(asked)).result).toMatchObject({ answers: [{ option_ids: ["yes"] }] });
  });

  test("stays open if the person does not confirm, also without a terminal", async () => {
    const asked = await ask({ irreversible: true });
    const refused = await run(["answer"], { env: env(), input: "1\n1\n" });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("the question stays open") });
    expect((await read(asked)).status).toBe("pending");
    expect((await run(["answer"], { env: env(), input: "1\n" })).code).toBe(2);
    expect((await run(["answer"], { env: env(), input: "1\n2\n" })).code).toBe(0);
    expect((await read(asked)).status).toBe("answered");
  });
});
