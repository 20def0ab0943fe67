import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, run } from "../test-cli.ts";

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
const parley = (...args: string[]) => run(args, { env: { PARLEY_URL: server.url, TZ: process.env.TZ ?? "UTC" } });
const ask = async (question_text: string, more: object = {}) =>
  (await hub().call("ask", { body: { question_text, type: "boolean", ...more } })).ask;

describe("parley snooze", () => {
  test("puts questions away, lists them no more, and brings them back", async () => {
    const [one, two] = [await ask("One?"), await ask("Two?")];
    const before = Date.now();
    const snoozed = await parley("snooze", one.tool_use_id, two.inbox_item_id, "+2h", "--json");
    expect(snoozed).toMatchObject({ code: 0, stderr: expect.stringContaining("Snoozed: external · One?") });
    for (const { snoozed_until } of JSON.parse(snoozed.stdout))
      expect(Date.parse(snoozed_until)).toBeGreaterThanOrEqual(before + 7_200_000);
    expect(JSON.parse((await parley("inbox", "--json")).stdout)).toEqual([]);

    // Whoever names a question gets it, wherever it is.
    expect(await parley("extend", one.tool_use_id, "+1d")).toMatchObject({ code: 0 });
    expect(await parley("snooze", two.tool_use_id, "now")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Back in your inbox: external · Two?"),
    });
    expect(JSON.parse((await parley("inbox", "--json")).stdout)).toMatchObject([{ question: "Two?" }]);
  });

  test("understands times of the day, and says when a deadline is nearer", async () => {
    const { tool_use_id, inbox_item_id } = await ask("Due?", { timeout_s: 3_600 });
    const until = async (text: string) => {
      const { stdout, stderr } = await parley("snooze", tool_use_id, text, "--json");
      const [result] = JSON.parse(stdout);
      return { inbox_item_id: result.inbox_item_id, at: Date.parse(result.snoozed_until), stderr };
    };
    const early = await until("tomorrow");
    expect(early).toMatchObject({ inbox_item_id, stderr: expect.stringContaining("before its deadline") });
    await parley("extend", tool_use_id, "none");
    for (const text of ["tomorrow", "9:00", "23:59"]) {
      const { at } = await until(text);
      const date = new Date(at);
      expect([date.getHours(), date.getMinutes()], text).toEqual(text === "23:59" ? [23, 59] : [9, 0]);
      expect(at - Date.now(), text).toBeGreaterThan(0);
    }
  });

  test("says what is wrong", async () => {
    const { tool_use_id } = await ask("Which?");
    for (const [args, says] of [
      [[tool_use_id], "Usage: parley snooze"],
      [[tool_use_id, "soon"], "soon is neither a span like +1h nor a time"],
      [["nothing", "+1h"], "Nothing is pending under nothing"],
      [[tool_use_id, "2020-01-01"], "in the future"],
    ] as const)
      expect(await parley("snooze", ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
  });
});
