import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDemo } from "../../agents/demo/demo.ts";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, KEY, run, sit, start } from "../test-cli.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  server = await testServer(database.url, { agents: [createDemo({ wordsPerSecond: 10_000 })] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const hub = () => createClient({ url: server.url });
const env = () => ({ PARLEY_URL: server.url });
const CHOICE = {
  header: "Database",
  question_text: "Which database?",
  type: "multiple_choice",
  options: [
    { id: "pg", label: "PostgreSQL", preview: "create table t ();\n-- second line" },
    { id: "lite", label: "SQLite" },
  ],
};
const ask = async (more: object = {}) => (await hub().call("ask", { body: { ...CHOICE, ...more } })).ask;
const statusOf = async ({ session_id, tool_use_id }: { session_id: string; tool_use_id: string }) =>
  (await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask.status;

beforeEach(async () => {
  const { items } = await hub().call("inbox", { query: { limit: 200 } });
  for (const { session_id, tool_use_id } of items)
    await hub().call("cancel", { body: { session_id, tool_use_id, reason: "the next test begins" } });
});

describe("after an answer, at a terminal", () => {
  test("shows what the agent does and asks its next question, until it has finished", async () => {
    const { session_id } = await hub().call("createSession", { body: { agent: "demo", title: "Poems" } });
    await hub().call("sendMessage", { params: { id: session_id }, body: { text: "poem" } });
    while ((await hub().call("inbox", {})).items.length === 0);
    const person = sit(["answer"], { env: env() });
    await person.sees("demo has a question · Poems");
    await person.sees("Round 1/1 · Function");
    await person.press("4", KEY.enter);
    await person.sees("demo: Here is another one");
    await person.sees("Round 2/2 · Function");
    await person.press("1", KEY.enter);
    await person.sees("demo: Reciting a poem");
    await person.sees("demo has finished.");
    await person.sees("Nothing is pending.");
    expect((await person.ended).code).toBe(0);
  });

  test("waits for an agent that runs elsewhere; q quits and says how to come back", async () => {
    const first = await ask({ agent: "builder" });
    const person = sit(["answer"], { env: env() });
    await person.sees("Round 1/1 · Database");
    await person.press("2", KEY.enter);
    await person.sees("Waiting for builder");
    const { session_id } = first;
    const second = await ask({ session_id, question_text: "And now?", header: "Again" });
    await person.sees("Round 2/2 · Again");
    await person.press(KEY.enter);
    await person.sees("Waiting for builder");
    await person.press("q");
    await person.sees(`parley answer --session ${session_id}`);
    expect((await person.ended).code).toBe(0);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["answered", "answered"]);
  });

  test("n moves on to questions of other conversations", async () => {
    const first = await ask({ agent: "one" });
    const person = sit(["answer"], { env: env() });
    await person.sees("Which database?");
    const other = await ask({ agent: "two" });
    await person.press(KEY.enter);
    await person.sees("n for the other open question");
    await person.press("n");
    await person.sees("two has a question");
    // Enter counts only once the prompt is there, which is drawn after this line.
    await person.sees("Which database?");
    await person.press(KEY.enter);
    await person.sees("Waiting for two");
    await person.press(KEY.interrupt);
    expect((await person.ended).code).toBe(0);
    expect([await statusOf(first), await statusOf(other)]).toEqual(["answered", "answered"]);
  });

  test("stops waiting when the conversation is closed", async () => {
    const { session_id, tool_use_id } = await ask();
    const person = sit(["answer", tool_use_id], { env: env() });
    await person.sees("Which database?");
    await person.press(KEY.enter);
    await person.sees("Waiting for external");
    await hub().call("closeSession", { params: { id: session_id } });
    await person.sees("The conversation is closed.");
    expect((await person.ended).code).toBe(0);
  });

  test("--once does not wait", async () => {
    await ask();
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("Which database?");
    await person.press(KEY.enter);
    const { code, screen } = await person.ended;
    expect(code).toBe(0);
    expect(screen).not.toContain("Waiting for");
  });
});

test("a question is shown with its agent, files, deadline, previews and the answer that triggered it", async () => {
  await ask({
    agent: "builder",
    title: "The shop",
    context: [{ path: "src/db.ts", lines: "1-2", text: "open()\nclose()" }],
    timeout_s: 3_600,
    follow_up_questions: { lite: [{ question_text: "Where?", type: "text" }] },
  });
  const person = sit(["answer", "--once"], { env: env() });
  await person.sees("builder has a question · The shop");
  await person.sees("src/db.ts:1-2");
  await person.sees("open()");
  await person.sees("or it times out.");
  await person.sees("-- second line");
  await person.press("2", KEY.enter);
  await person.sees("Round 1/1 · you chose SQLite");
  await person.press("here", KEY.enter, KEY.enter);
  expect((await person.ended).code).toBe(0);
});

describe("two conversations with the same tool_use_id", () => {
  const both = () => Promise.all(["First", "Second"].map((title) => ask({ tool_use_id: "toolu_same", title })));

  test("without a terminal the answer is refused, with advice how to say which", async () => {
    const [, second] = await both();
    const refused = await run(["answer", "toolu_same"], { env: env(), input: "1\n" });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("2 conversations have a question toolu_same. Say which one with --session:");
    expect(refused.stderr).toContain(`parley answer toolu_same --session ${second?.session_id}   external · Second`);
    const args = ["answer", "toolu_same", "--session", String(second?.session_id)];
    expect((await run(args, { env: env(), input: "1\n" })).code).toBe(0);
    expect(second && (await statusOf(second))).toBe("answered");
  });

  test("at a terminal the person chooses one", async () => {
    await both();
    const person = sit(["answer", "--once", "toolu_same"], { env: env() });
    await person.sees("2 conversations have a question toolu_same. Which one?");
    await person.sees("Database · external · Second");
    await person.press(KEY.down, KEY.enter);
    await person.sees("Round 1/1 · Database");
    await person.press(KEY.enter);
    expect((await person.ended).code).toBe(0);
  });
});

// The last one: it leaves what it asked open.
test("answer finds and watch shows more questions than fit on a page, with their headers", async () => {
  const wanted = await ask({ timeout_s: 80_000 });
  await Promise.all(Array.from({ length: 205 }, () => ask({ agent: "builder", timeout_s: 1_000 })));
  expect(await run(["answer", wanted.tool_use_id], { env: env(), input: "2\n" })).toMatchObject({ code: 0 });
  expect(await statusOf(wanted)).toBe("answered");
  const watching = start(["watch"], { env: env() });
  const lines = () => watching.stdout().split("\n").filter(Boolean);
  while (lines().length < 205) await once(watching.child.stdout as NodeJS.ReadableStream, "data");
  watching.child.kill("SIGTERM");
  await watching.ended;
  expect(lines()[0]).toMatch(/^● builder · round 1 · Database · Which database\? — parley answer /);
});
