import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, KEY, run, sit, start } from "../test-cli.ts";
import { BEHIND_PROXY, type TestProxy, testProxy } from "../test-proxy.ts";

beforeAll(buildCli);

const option = (label: string) => ({ label, description: `About ${label}` });
const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [option("PostgreSQL"), option("SQLite")],
  multiSelect: false,
};
const QUESTIONS = JSON.stringify({ questions: [DATABASE] });
const NOWHERE = { PARLEY_URL: "http://127.0.0.1:1" };
const TREE = {
  question_text: "Sign in how?",
  type: "multiple_choice",
  options: [
    { id: "sso", label: "SSO" },
    { id: "pw", label: "Password" },
  ],
  follow_up_questions: {
    sso: [{ question_id: "provider", question_text: "Which provider?", type: "text" }],
    pw: [
      {
        question_id: "rules",
        question_text: "Which rules?",
        type: "checkbox",
        options: [
          { id: "len", label: "Length" },
          { id: "sym", label: "Symbols" },
        ],
        follow_up_questions: { sym: [{ question_id: "force", question_text: "Force them?", type: "boolean" }] },
      },
    ],
  },
};

describe.each(ABOVE_SQL)("the commands on a hub with %s", (kind) => {
  let database: TestDatabase;
  let proxy: TestProxy;
  let server: TestServer;
  const env = () => ({ PARLEY_URL: proxy.url });
  const startServer = async () => {
    server = await testServer(database.url, { publicUrl: proxy.url, ...BEHIND_PROXY });
    proxy.lead(Number(new URL(server.url).port));
  };
  beforeEach(async () => {
    database = await testDatabase(kind);
    proxy = await testProxy();
    await startServer();
  });
  afterEach(async () => {
    await proxy.close();
    await server.stop();
    await database.drop();
  });

  const hub = () => createClient({ url: server.url });
  const items = async (status: "open" | "all" = "open") => (await hub().call("inbox", { query: { status } })).items;
  const firstOpen = async () => {
    for (;;) {
      const [item] = await items();
      if (item) return item;
      await sleep(20);
    }
  };
  const answerFirst = async (number: string) => {
    const { session_id, tool_use_id } = await firstOpen();
    await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": number } } });
  };

  describe("ask", () => {
    test("says where to answer, waits, and prints the answer alone", async () => {
      const asking = start(["ask", "--agent", "builder", QUESTIONS], { env: env() });
      await asking.says("Round 1/1: waiting for an answer at");
      const { session_id, tool_use_id } = await firstOpen();
      expect(asking.stderr()).toContain(`${proxy.url}/conversations/${session_id} or by: parley answer ${tool_use_id}`);
      await answerFirst("2");
      expect(await asking.ended).toMatchObject({ code: 0, stdout: '{"answers":{"Database":"SQLite"}}\n' });
      const { ask } = await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } });
      expect(ask.asked_by).toEqual({ kind: "agent", name: "tester", surface: "cli" });
    });

    test("accepts other shapes, also from stdin, with results in that shape; --json prints everything", async () => {
      const asking = start(["ask", "--json", "-"], { env: env(), input: '{"question":"Which port?"}' });
      const { session_id, tool_use_id } = await firstOpen();
      await hub().call("answer", { body: { session_id, question_id: tool_use_id, answer: "80" } });
      const { code, stdout } = await asking.ended;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ status: "answered", result: { output: { answer: "80" } } });
    });

    test("exits with 2 when it is cancelled, and says why", async () => {
      const asking = start(["ask", QUESTIONS], { env: env() });
      const { session_id, tool_use_id } = await firstOpen();
      await hub().call("cancel", { body: { session_id, tool_use_id, reason: "not now" } });
      const ran = await asking.ended;
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain("The question was cancelled by local: not now. No answer was given.");
    });

    test("exits with 3 when it times out, and still prints defaults", async () => {
      const timed = (more: object) => run(["ask", JSON.stringify({ timeout_s: 0.2, ...more })], { env: env() });
      const without = await timed({ questions: [DATABASE] });
      expect(without).toMatchObject({ code: 3, stdout: "" });
      expect(without.stderr).toContain("Nobody answered in the time allowed");
      const options = [{ id: "a", label: "A", default: true }];
      const choice = { question_id: "q", question_text: "Q?", type: "multiple_choice", options };
      const withDefault = await timed({ ...choice, on_timeout: "default" });
      expect(withDefault.code).toBe(3);
      expect(JSON.parse(withDefault.stdout)).toEqual({ question_id: "q", answer: "a", nobody_answered: true });
    });

    test("refuses bad input and says what to send, with 1", async () => {
      expect(await run(["ask", '{"questions":[{"header":"much too long a header"}]}'], { env: env() })).toEqual({
        code: 1,
        stdout: "",
        stderr: `Error: Validation failed
- questions[0].question: is missing; send text
- questions[0].header: must have at most 12 characters
- questions[0].options: is missing; send a list
- questions[0].multiSelect: is missing; send true or false
`,
      });
      const twice = JSON.stringify({ questions: [DATABASE, { ...DATABASE, question: "And the other one?" }] });
      expect(await run(["ask", twice], { env: env() })).toEqual({
        code: 1,
        stdout: "",
        stderr: `Error: Validation failed
- questions[1].header: another question has the header "Database" too; answers are named by header, so give each question its own
`,
      });
      expect((await run(["ask", '{"questions":[}'], { env: env() })).stderr).toBe(
        `Error: Invalid JSON format\nline 1, column 15: a value is expected\nUsage: parley ask '{"questions":[...]}'\n`,
      );
      expect((await run(["ask", "--session", "ses_none", QUESTIONS], { env: env() })).code).toBe(1);
      expect((await run(["ask", "--nonsense"], { env: env() })).code).toBe(1);
    });

    test("exits with 4 if there is no hub", async () => {
      const ran = await run(["ask", QUESTIONS], { env: NOWHERE });
      expect(ran).toEqual({ code: 4, stdout: "", stderr: `Parley cannot be reached at ${NOWHERE.PARLEY_URL}.\n` });
    });

    test("asks once, although the reply is lost, the connection drops and the hub restarts", async () => {
      proxy.loseReply();
      const asking = start(["ask", QUESTIONS], { env: env() });
      await asking.says("waiting for an answer");
      while (server.hub.waiting() === 0) await sleep(10);
      proxy.cut();
      await asking.says("The question is kept; trying again.");
      proxy.lead(undefined);
      await server.stop();
      await proxy.refused();
      await startServer();
      expect(await items("all")).toHaveLength(1);
      await answerFirst("1");
      expect(await asking.ended).toMatchObject({ code: 0, stdout: '{"answers":{"Database":"PostgreSQL"}}\n' });
      expect(await items("all")).toHaveLength(1);
    });

    test("Ctrl-C offers to continue, to leave the question open and find it again, or to cancel it", async () => {
      const stopped = sit(["ask", "--key", "k1", QUESTIONS], { env: env() });
      await stopped.sees("waiting for an answer");
      stopped.type(KEY.interrupt);
      await stopped.sees("Stop waiting?");
      await stopped.press(KEY.enter);
      await stopped.sees("Go on waiting");
      stopped.type(KEY.interrupt);
      await stopped.sees("Stop waiting?");
      await stopped.press("2", KEY.enter);
      const left = await stopped.ended;
      expect(left).toMatchObject({ code: 2, stdout: "" });
      expect(left.screen).toContain("--key k1");
      expect(await items()).toHaveLength(1);

      const again = sit(["ask", "--key", "k1", QUESTIONS], { env: env() });
      await again.sees("waiting for an answer");
      again.type(KEY.interrupt);
      await again.sees("Stop waiting?");
      await again.press("3", KEY.enter);
      expect(await again.ended).toMatchObject({ code: 2, stdout: "" });
      expect(await items("all")).toMatchObject([{ status: "closed", settled: { outcome: "cancelled" } }]);
    });

    test("leaves the question open if it is interrupted without a terminal", async () => {
      const asking = start(["ask", QUESTIONS], { env: env() });
      await asking.says("waiting for an answer");
      asking.child.kill("SIGINT");
      expect(await asking.ended).toMatchObject({ code: 2, stdout: "" });
      expect(await items()).toHaveLength(1);
    });
  });

  describe("answer", () => {
    const askTree = async () => (await hub().call("ask", { body: { ...TREE, total_rounds: 3 } })).ask;
    const resultOf = async ({ session_id, tool_use_id }: { session_id: string; tool_use_id: string }) =>
      (await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask.result;

    test("shows follow-ups under their round, answered by keys", async () => {
      const ask = await askTree();
      const person = sit(["answer"], { env: { ...env(), PARLEY_NAME: "王芳" } });
      await person.sees("Round 1/3");
      await person.sees("Sign in how?");
      await person.press("2", KEY.enter);
      await person.sees("Which rules?");
      await person.press("2", KEY.enter);
      await person.sees("Force them?");
      await person.press(KEY.enter);
      await person.sees("Send these answers?");
      await person.press(KEY.enter);
      await person.sees("Answered: the agent continues.");
      await person.sees("Waiting for external");
      await person.press("q");
      expect((await person.ended).code).toBe(0);
      expect(await resultOf(ask)).toMatchObject({
        outcome: "answered",
        decided_by: { kind: "person", name: "王芳", surface: "cli" },
        output: { answer: "pw", follow_up_answers: { rules: ["sym"], force: true } },
      });
    });

    test("reads lines, and starts from a list of open questions", async () => {
      const first = await hub().call("ask", { body: { question: "Which port?" } });
      const second = await askTree();
      const listed = (await items()).findIndex(({ tool_use_id }) => tool_use_id === second.tool_use_id) + 1;
      const ran = await run(["answer"], { env: env(), input: `${listed}\n1\nGitHub\n` });
      expect(ran.stderr).toContain("2 questions are pending. Which one?");
      expect(ran.code).toBe(0);
      expect(await resultOf(second)).toMatchObject({
        output: { answer: "sso", follow_up_answers: { provider: "GitHub" } },
      });
      const { code } = await run(["answer", first.ask.tool_use_id], { env: env(), input: "8080\n" });
      expect(code).toBe(0);
      expect(await resultOf(first.ask)).toMatchObject({ output: { answer: "8080" } });
      expect(await run(["answer"], { env: env() })).toMatchObject({ code: 0, stderr: "Nothing is pending.\n" });
    });

    test("tells the slower person at once who answered", async () => {
      const ask = await askTree();
      const person = sit(["answer"], { env: env() });
      await person.sees("Sign in how?");
      const { session_id, tool_use_id } = ask;
      await hub().call("answer", {
        body: { session_id, question_id: tool_use_id, answer: "sso", follow_up_answers: { provider: "x" } },
      });
      await person.sees("Already answered by local (rest, through a program).");
      await person.sees("Waiting for external");
      await person.press(KEY.escape);
      expect((await person.ended).code).toBe(2);
    });

    test("stays with the conversation while Parley restarts", async () => {
      const { session_id } = await askTree();
      const person = sit(["answer"], { env: env() });
      await person.sees("Sign in how?");
      await person.press("1", KEY.enter);
      await person.sees("Which provider?");
      await person.press("x", KEY.enter, KEY.enter);
      await person.sees("Send these answers?");
      await person.press(KEY.enter);
      await person.sees("Waiting for external");
      proxy.lead(undefined);
      await person.sees("Trying again; q to quit.");
      await server.stop();
      await startServer();
      await hub().call("ask", { body: { session_id, question: "And after that?" } });
      await person.sees("And after that?");
      await person.press("y", KEY.enter, KEY.enter);
      await person.sees("Waiting for external");
      await person.press("q");
      expect((await person.ended).code).toBe(0);
    });

    test("leaves the question open if the person quits", async () => {
      await askTree();
      const person = sit(["answer"], { env: env() });
      await person.sees("Sign in how?");
      await person.press(KEY.escape);
      await person.sees("Leave without an answer?");
      await person.press("3", KEY.enter);
      const left = await person.ended;
      expect(left.code).toBe(2);
      expect(left.screen).toContain("Not answered: the question stays open.");
      expect(await items()).toHaveLength(1);
    });
  });

  test("watch shows questions as they arrive and how they end, even across a restart", async () => {
    const watching = start(["watch", "--json"], { env: env() });
    const lines = () =>
      watching
        .stdout()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const shows = async (count: number) => {
      while (lines().length < count) await sleep(20);
    };
    await hub().call("ask", { body: { question: "First?", agent: "one" } });
    await shows(1);
    proxy.lead(undefined);
    await server.stop();
    await watching.says("Trying again.");
    await startServer();
    await answerFirst("x");
    await shows(2);
    expect(lines()).toMatchObject([
      { question: "First?", agent: "one", status: "open" },
      { question: "First?", status: "closed", settled: { outcome: "answered", decided_by: { name: "local" } } },
    ]);
    watching.child.kill("SIGTERM");
    await watching.ended;
  });

  test("sessions, show, export and import", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-export-"));
    try {
      const { ask } = await hub().call("ask", {
        body: { question: "どのポート？", header: "港口", title: "港 \u001b[31m" },
      });
      await answerFirst("八十");
      const id = ask.session_id;
      expect((await run(["sessions"], { env: env() })).stdout).toMatch(
        new RegExp(
          `^STATE  ACTIVE  ROUND  AGENT     TITLE    CONVERSATION\ndone   now     1/1    external  港 \\[31m  ${id}\n$`,
        ),
      );
      expect((await run(["show", id], { env: env() })).stdout).toContain(
        "Round 1/1 · 港口: どのポート？\n  八十 (local, rest, through a program)\n",
      );
      expect(JSON.parse((await run(["show", "--json", id], { env: env() })).stdout)).toMatchObject({ session_id: id });
      const file = join(folder, "thread.jsonl");
      expect((await run(["export", id, file], { env: env() })).code).toBe(0);
      const printed = (await run(["export", id], { env: env() })).stdout;
      expect(printed).toBe(readFileSync(file, "utf8"));
      const imported = await run(["import", file], { env: env() });
      expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining("1 rounds.") });
      const again = (await run(["export", imported.stdout.trim()], { env: env() })).stdout;
      expect(again.trim().split("\n")).toHaveLength(printed.trim().split("\n").length);
      expect((await run(["show", "ses_none"], { env: env() })).code).toBe(1);
      expect((await run(["import", join(folder, "none")], { env: env() })).code).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("does not wait for a tunnel whose other end is down", async () => {
  const proxy = await testProxy();
  expect((await run(["ask", QUESTIONS], { env: { PARLEY_URL: proxy.url } })).code).toBe(4);
  await proxy.close();
});
