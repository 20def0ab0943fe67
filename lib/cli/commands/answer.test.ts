import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDemo } from "../../agents/demo/demo.ts";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { widthOf } from "../terminal/columns.ts";
import { buildCli, KEY, run, type Sitting, sit, start, until } from "../test-cli.ts";

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
    await person.sees("Poems");
    await person.sees("demo · Round 1/1 · asked just now");
    await person.sees("Function");
    await person.press("4", KEY.enter);
    await person.sees("demo: Here is another one");
    await person.sees("demo · Round 2/2");
    await person.sees("Function");
    await person.press("1", KEY.enter);
    await person.sees("demo: Reciting a poem");
    await person.sees("demo has finished.");
    await person.sees("Nothing is pending.");
    expect((await person.ended).code).toBe(0);
  });

  test("waits for an agent that runs elsewhere; q quits and says how to come back", async () => {
    const first = await ask({ agent: "builder" });
    const person = sit(["answer"], { env: env() });
    await person.sees("builder · Round 1/1");
    await person.sees("Database");
    await person.press("2", KEY.enter);
    await person.sees("Waiting for builder");
    const { session_id } = first;
    const second = await ask({ session_id, question_text: "And now?", header: "Again" });
    await person.sees("builder · Round 2/2");
    await person.sees("And now?");
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
    await person.sees("two · Round 1/1");
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
  await person.sees("The shop");
  await person.sees("builder · Round 1/1 · asked just now");
  await person.sees("(in 59 min), or it times out.");
  await person.sees("src/db.ts:1-2");
  await person.sees("  │ open()");
  await person.sees("  │ -- second line");
  await person.press("2", KEY.enter);
  await person.sees("You chose SQLite");
  await person.press("here", KEY.enter, KEY.enter);
  await person.sees("Send these answers?");
  await person.sees("Change Database  SQLite");
  await person.sees("Change Where?    here");
  await person.press(KEY.enter);
  expect((await person.ended).code).toBe(0);
});

describe("two conversations with the same tool_use_id", () => {
  const both = async () => {
    const first = await ask({ tool_use_id: "toolu_same", title: "First" });
    return [first, await ask({ tool_use_id: "toolu_same", title: "Second" })];
  };

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
    await person.sees("QUESTION");
    await person.press(KEY.down, KEY.enter);
    await person.sees("Second");
    await person.sees("Database");
    await person.press(KEY.enter);
    expect((await person.ended).code).toBe(0);
  });
});

const BATCH = {
  agent: "planner",
  title: "New project",
  questions: [
    { question: "Which store?", header: "Store", multiSelect: false, options: [{ label: "Rows" }, { label: "Files" }] },
    { question: "Which parts?", header: "Parts", multiSelect: true, options: [{ label: "Cache" }, { label: "Log" }] },
  ],
};
const resultOf = async ({ session_id, tool_use_id }: { session_id: string; tool_use_id: string }) =>
  (await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask.result;

describe("several questions in one ask", () => {
  const askBatch = async () => (await hub().call("ask", { body: BATCH })).ask;

  test("are counted, can be gone back to and changed, and are sent after a review", async () => {
    const asked = await askBatch();
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("planner · Round 1/1 · 2 questions");
    await person.sees("Question 1 of 2 · Store");
    await person.press("1", KEY.enter);
    await person.sees("Question 2 of 2 · Parts");
    await person.sees("b goes back");
    await person.press("b");
    await person.sees("Question 1 of 2 · Store");
    await person.press("2", KEY.enter);
    await person.sees("Question 2 of 2 · Parts");
    await person.press("1", KEY.enter);
    await person.sees("Send these answers?");
    await person.sees("Change Store  Files");
    await person.sees("Change Parts  Cache");
    expect(await resultOf(asked)).toBeUndefined();
    await person.press("3", KEY.enter);
    await person.sees("Question 2 of 2 · Parts");
    await person.press("2", KEY.enter);
    await person.sees("Change Parts  Cache, Log");
    await person.press("1", KEY.enter);
    expect((await person.ended).code).toBe(0);
    expect(await resultOf(asked)).toMatchObject({
      outcome: "answered",
      answers: [{ labels: ["Files"] }, { labels: ["Cache", "Log"] }],
    });
  });

  test("stay open if the person leaves at the review", async () => {
    const asked = await askBatch();
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("Question 1 of 2");
    await person.press("1", KEY.enter);
    await person.sees("Question 2 of 2");
    await person.press("1", KEY.enter);
    await person.sees("Send these answers?");
    await person.press("4", KEY.enter);
    expect(await person.ended).toMatchObject({ code: 2, screen: expect.stringContaining("the question stays open") });
    expect(await resultOf(asked)).toBeUndefined();
  });

  test("Esc offers to go back, or to reply in words to all of them", async () => {
    const asked = await askBatch();
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("Question 1 of 2");
    await person.press("1", KEY.enter);
    await person.sees("Question 2 of 2");
    await person.press(KEY.escape);
    await person.sees("Go back to the previous question");
    await person.press("3", KEY.enter);
    await person.sees("Your reply, instead of an answer");
    await person.press("First explain both", KEY.enter, KEY.enter);
    await person.sees("Replied: the agent continues with your words.");
    expect((await person.ended).code).toBe(0);
    expect(await resultOf(asked)).toMatchObject({ outcome: "replied", reply: "First explain both" });
  });
});

describe("the list of open questions", () => {
  test("has aligned columns, and leaving it needs no confirmation", async () => {
    await ask({ agent: "builder", timeout_s: 3_000 });
    await ask({ agent: "构建", question_text: "どのデータベースを使いますか？" });
    const person = sit(["answer"], { env: env() });
    await person.sees("2 questions are pending. Which one?");
    await person.sees("Esc to leave.");
    const lines = person
      .screen()
      .split("\n")
      .filter((line) => /QUESTION|builder|构建/.test(line));
    const [header = "", first = "", second = ""] = lines.map((line) => line.replace("\r", ""));
    const columnOf = (line: string, word: string) => widthOf(line.slice(0, line.indexOf(word)));
    expect(columnOf(first, "builder")).toBe(columnOf(header, "AGENT"));
    expect(columnOf(second, "构建")).toBe(columnOf(header, "AGENT"));
    expect(columnOf(first, "in 49 min")).toBe(columnOf(header, "DUE"));
    await person.press(KEY.escape);
    const left = await person.ended;
    expect(left.code).toBe(2);
    expect(left.screen).not.toMatch(/Leave without an answer|stays open/);
  });

  test("typing filters it, by words that the screen has no room for too; a number is a row, and so are words with digits", async () => {
    for (let nth = 1; nth <= 12; nth++)
      await ask({ question_text: `Deploy service ${nth}?`, title: nth === 7 ? "Payments" : "Shop" });
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("12 questions are pending. Which one?");
    await person.press("nothing like it");
    await person.sees("Nothing matches.");
    await person.press(KEY.enter);
    await person.press("\x15", "paym");
    await person.sees("1 of 12");
    await person.press("\x15", "service 12");
    await person.sees("1 of 12");
    await person.press(KEY.enter);
    await person.sees("Deploy service 12?");
    await person.press("1", KEY.enter);
    expect((await person.ended).code).toBe(0);
    const left = (await hub().call("inbox", {})).items.map(({ question }) => question);
    expect(left).toHaveLength(11);
    expect(left).not.toContain("Deploy service 12?");
  });

  test("rows that look alike show what tells them apart, on a narrow screen too", async () => {
    const irreversible = true;
    await ask({ irreversible, title: "Shop" });
    await ask({ irreversible, title: "Payments" });
    const twice = await ask({ irreversible, title: "Docs", session_key: "docs" });
    await ask({ irreversible, session_key: "docs" });
    const person = sit(["answer"], { env: env() });
    await person.sees("Esc to leave.");
    const rows = person.screen().split("\n");
    for (const name of ["Shop", "Payments", "round 1", "round 2"])
      expect(
        rows.filter((row) => row.includes("Which") && row.includes(name)),
        name,
      ).toHaveLength(1);
    expect(twice.round).toBe(1);
    await person.press(KEY.escape);
    await person.ended;
  });

  test("hidden and look-alike characters are marked, in the question and in its options", async () => {
    const options = [
      { id: "real", label: "paypal.com" },
      { id: "fake", label: "p\u0430ypal.com" },
    ];
    await ask({ question_text: "Pay\u200Bments to?", options });
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("Pay⟨U+200B⟩ments to?");
    await person.sees("1. paypal.com");
    await person.sees("2. pаypal⟨mixed alphabets⟩.com");
    await person.press(KEY.escape);
    await person.sees("Leave without an answer?");
    await person.press(KEY.down, KEY.down, KEY.enter);
    await person.ended;
  });

  test("similar questions are one line, and can be answered together", async () => {
    const asked = await Promise.all(["One", "Two", "Three"].map((title) => ask({ title })));
    const apart = await ask({ question_text: "Another?", agent: "two" });
    const person = sit(["answer", "--once"], { env: env() });
    await person.sees("3 similar");
    await person.press("1", KEY.enter);
    await person.sees("3 similar questions: Which database?");
    await person.press("1", KEY.enter);
    await person.sees("Database");
    await person.press("2", KEY.enter);
    await person.sees("Send this answer to all 3 questions?");
    await person.press("1", KEY.enter);
    await person.sees("Answered 3 of 3 questions.");
    expect((await person.ended).code).toBe(0);
    for (const one of asked) expect(await resultOf(one)).toMatchObject({ answers: [{ option_ids: ["lite"] }] });
    expect(await resultOf(apart)).toBeUndefined();
  });

  test("what cannot be undone is never part of a group", async () => {
    await Promise.all([ask({ irreversible: true }), ask({ irreversible: true }), ask()]);
    const person = sit(["answer"], { env: env() });
    await person.sees("3 questions are pending");
    await person.sees("Esc to leave.");
    expect(person.screen()).not.toContain("similar");
    await person.press(KEY.escape);
    await person.ended;
  });

  test("inbox prints it, grouped on a terminal and one by one in a pipe", async () => {
    await Promise.all(["One", "Two"].map((title) => ask({ title })));
    const piped = await run(["inbox"], { env: env() });
    expect(piped.stdout.split("\n")).toHaveLength(4);
    expect(piped.stdout).toMatch(/^QUESTION +AGENT +CONVERSATION +AGE +DUE +ID\n/);
    expect(piped.stdout).not.toContain("\u001b[");
    const seen = sit(["inbox"], { env: env(), together: true });
    await seen.sees("2 similar");
    await seen.ended;
    expect(seen.raw()).toContain("\u001b[1m");
    const plain = sit(["inbox"], { env: { ...env(), NO_COLOR: "1" }, together: true });
    await plain.sees("2 similar");
    await plain.ended;
    expect(plain.raw()).not.toContain("\u001b[1m");
    const none = await run(["inbox", "--agent", "nobody"], { env: env() });
    expect(none).toMatchObject({ code: 0, stdout: "", stderr: "No open question matches.\n" });
    expect(JSON.parse((await run(["inbox", "--json"], { env: env() })).stdout)).toHaveLength(2);
  });
});

test("watch shows each event at once, in one line", async () => {
  const watching = start(["watch"], { env: env() });
  const lines = () => watching.stdout().split("\n").filter(Boolean);
  const shows = (count: number) => until(() => lines().length >= count, watching.stdout);
  const asked = await ask({ agent: "builder", title: "The\nshop" });
  await shows(1);
  const { session_id, tool_use_id } = asked;
  await hub().call("extend", { body: { session_id, tool_use_id, timeout_s: 3_600 } });
  await shows(2);
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { [tool_use_id]: "pg" } } });
  await shows(3);
  watching.child.kill("SIGTERM");
  await watching.ended;
  expect(lines()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\d\\d:\\d\\d  ● asked      builder         The shop · Which database\\?  parley answer ${tool_use_id}$`,
      ),
    ),
    expect.stringMatching(/^\d\d:\d\d {2}◷ deadline {3}builder {9}The shop · Which database\? {2}now /),
    expect.stringMatching(
      /^\d\d:\d\d {2}✓ answered {3}builder {9}The shop · Which database\? {2}→ PostgreSQL · local · after \d+ s$/,
    ),
  ]);
});

test("watch rings a terminal for each question that arrives, and for nothing else", async () => {
  const waiting = await ask({ agent: "early" });
  const [rings, quiet, json] = [["watch"], ["watch", "--quiet"], ["watch", "--json"]].map((args) =>
    sit(args, { env: env(), together: true }),
  ) as [Sitting, Sitting, Sitting];
  const piped = start(["watch"], { env: { ...env(), TERM: "xterm-256color" } });
  const all = [rings, quiet, json];
  for (const sitting of all) await sitting.sees("early");
  const pipes = (text: string) => until(() => piped.stdout().includes(text), piped.stdout);
  await pipes("early");
  const late = await ask({ agent: "late", question_text: "Which\u0007 one; 1?" });
  for (const sitting of all) await sitting.sees("late");
  await pipes("late");
  for (const { session_id, tool_use_id } of [waiting, late])
    await hub().call("cancel", { body: { session_id, tool_use_id, reason: "Done" } });
  const ends = (text: string) => text.split(/✗ cancelled|"outcome":"cancelled"/).length === 3;
  for (const { screen } of all) await until(() => ends(screen()), screen);
  await until(() => ends(piped.stdout()), piped.stdout);
  for (const sitting of all) sitting.type(KEY.interrupt);
  piped.child.kill("SIGTERM");
  await Promise.all([piped.ended, ...all.map(({ ended }) => ended)]);
  expect(rings.raw().split("\u0007")).toEqual([
    expect.stringContaining("late"),
    expect.stringMatching(/^\u001b\]9;Parley: late has a question: Which one; 1\?\u001b\\/),
  ]);
  for (const bytes of [quiet.raw(), json.raw(), piped.stdout()]) expect(bytes).not.toMatch(/\u0007|\u001b\]/);
});

test("watch works where sockets are turned off", async () => {
  const other = await testDatabase("sqlite");
  const without = await testServer(other.url, { sockets: false });
  try {
    const at = createClient({ url: without.url });
    const watching = start(["watch"], { env: { PARLEY_URL: without.url } });
    await watching.says("Sockets are turned off in this Parley");
    await at.call("ask", { body: CHOICE });
    await until(() => watching.stdout().includes("● asked"), watching.stdout);
    watching.child.kill("SIGTERM");
    await watching.ended;
  } finally {
    await without.stop();
    await other.drop();
  }
});

// The last one: it leaves what it asked open.
test("answer finds and watch shows more questions than fit on a page", async () => {
  const wanted = await ask({ timeout_s: 80_000 });
  await Promise.all(Array.from({ length: 205 }, () => ask({ agent: "builder", timeout_s: 1_000 })));
  expect(await run(["answer", wanted.tool_use_id], { env: env(), input: "2\n" })).toMatchObject({ code: 0 });
  expect(await statusOf(wanted)).toBe("answered");
  const watching = start(["watch"], { env: env() });
  const lines = () => watching.stdout().split("\n").filter(Boolean);
  await until(() => lines().length >= 205, watching.stdout);
  watching.child.kill("SIGTERM");
  await watching.ended;
  expect(lines()[0]).toMatch(/● asked {6}builder {9}Which database\? {2}parley answer /);
});
