import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { startModel } from "../../test-model.ts";
import { buildCli, KEY, PATIENCE_MS, run, until } from "../test-cli.ts";
import { BEHIND_PROXY, type TestProxy, testProxy } from "../test-proxy.ts";
import { type TestClaude, type TestProject, testProject } from "./test-claude.ts";

// The unmodified question tool of the real Claude Code, in a pseudo-terminal, with a real Parley.

const option = (label: string) => ({ label, description: `About ${label}` });
const asks = (...questions: object[]) => [{ type: "tool_use" as const, name: "AskUserQuestion", input: { questions } }];
const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [option("PostgreSQL"), option("SQLite")],
  multiSelect: false,
};
const REGIONS = {
  question: "Which regions, if any?",
  header: "Regions for the deployment",
  options: [option("Europe"), option("Asia, Pacific"), option("Americas")],
  multiSelect: true,
};

let database: TestDatabase;
let server: TestServer;
let proxy: TestProxy;
let project: TestProject;
let claude: TestClaude | undefined;
beforeAll(buildCli);
beforeEach(async () => {
  database = await testDatabase("sqlite");
  proxy = await testProxy();
  server = await testServer(database.url, { publicUrl: proxy.url, ...BEHIND_PROXY });
  proxy.lead(Number(new URL(server.url).port));
  project = testProject(proxy.url);
  expect((await project.connect("--yes")).code).toBe(0);
});
afterEach(async () => {
  await claude?.stop();
  claude = undefined;
  project.remove();
  await proxy.close();
  await server.stop();
  await database.drop();
});

const hub = () => createClient({ url: server.url, headers: () => ({ "x-parley-name": "ann" }) });
const all = async () => (await hub().call("inbox", { query: { status: "all" } })).items;
const eventually = async (holds: (items: InboxItem[]) => boolean): Promise<InboxItem[]> => {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
    const items = await all();
    if (holds(items)) return items;
  }
  throw new Error(`It never came to that. There was: ${JSON.stringify(await all())}`);
};
const firstOpen = async () => (await eventually((items) => items.some(({ status }) => status === "open")))[0];
const prompt = async (text: string, ...replies: ReturnType<typeof asks>[]) => {
  claude ??= await project.start();
  claude.model.say(...replies);
  await claude.send(text);
  return claude;
};
/** A dialog takes no keys in its first moments. */
const pressUntil = async (sitting: TestClaude, key: string, holds: () => Promise<boolean>) => {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    sitting.type(key);
    for (let looks = 0; looks < 20; looks++) {
      if (await holds()) return;
      await sleep(50);
    }
  }
  throw new Error(`The key did nothing. There was:\n${sitting.screen().slice(-3_000)}`);
};
const isClosed = async () => (await all()).every(({ status }) => status === "closed");
const told = async ({ model }: TestClaude, text: string) => {
  await until(() => model.lastTold().includes(text), model.lastTold);
  return model.lastTold();
};

/** Read as a page does, which does not count as delivery. */
const delivered = async (session_id: string, tool_use_id: string) => {
  const page = createClient({ url: server.url, headers: () => ({ "x-parley-surface": "browser" }) });
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
    const { ask } = await page.call("readAsk", { params: { tool_use_id }, query: { session_id } });
    if (ask.delivered_at !== null) return;
  }
  throw new Error("The answer was never noted as delivered.");
};

test("answered in the browser, the terminal closes its dialog and the model reads the answer", async () => {
  const sitting = await prompt("set up the shop", asks(DATABASE));
  await sitting.shows("2. SQLite");
  const item = await firstOpen();
  expect(item).toMatchObject({ agent: "Claude Code", question: "Which database?" });
  const { session_id = "", tool_use_id = "" } = item ?? {};
  const { title, pending } = await hub().call("readSession", { params: { id: session_id } });
  expect(title).toBe("shop: set up the shop");
  expect(pending[0]?.asked_by).toEqual({ kind: "agent", name: "Claude Code", surface: "cli" });
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  expect(await told(sitting, "SQLite")).toBe(
    'Your questions have been answered: "Which database?"="SQLite". You can now continue with these answers in mind.',
  );
  expect(sitting.model.strays).toEqual([]);
});

test("a reply in words closes the dialog, and the model reads the words, not a refusal", async () => {
  const sitting = await prompt("set up the shop", asks(DATABASE));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  const text = "Neither: first explain what each one costs.";
  await hub().call("reply", { body: { session_id, tool_use_id, text } });
  expect(await told(sitting, "Neither")).toMatch(
    /^The user answered: "Which database\?"="Neither: first explain .*"\. Read the answers carefully/,
  );
  await delivered(session_id, tool_use_id);
  const { events } = await hub().call("audit", { query: { session_id } });
  expect(events.map(({ action }) => action)).not.toContain("question.answered_elsewhere");
});

test("several questions with many choices, other text and notes", async () => {
  const sitting = await prompt("deploy it", asks(REGIONS, DATABASE));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  const { ask } = await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } });
  expect(ask.questions.map(({ header, type }) => [header, type])).toEqual([
    ["Regions for…", "checkbox"],
    ["Database", "multiple_choice"],
  ]);
  const [regions = "", which = ""] = ask.questions.map(({ question_id }) => question_id);
  const answers = {
    [regions]: { answer: ["Europe", "Asia, Pacific"], other: "the Moon", notes: "in this order" },
    [which]: { other: "DuckDB" },
  };
  await hub().call("answer", { body: { session_id, tool_use_id, answers } });
  const text = await told(sitting, "DuckDB");
  expect(text).toContain('"Which regions, if any?"="Europe, "Asia, Pacific", the Moon"');
  expect(text).toContain("notes: in this order");
  expect(text).toContain('"Which database?"="DuckDB"');
});

test("answered at the terminal first, the card in Parley shows that answer and who gave it", async () => {
  const sitting = await prompt("set it up", asks(DATABASE));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  await pressUntil(sitting, KEY.enter, isClosed);
  const [item] = await all();
  await delivered(session_id, tool_use_id);
  const decided_by = { kind: "person", name: "tester", surface: "cli", provenance: "reported" };
  expect(item?.settled).toEqual({ outcome: "answered", decided_by });
  const { dialog_history } = await hub().call("readSession", { params: { id: session_id } });
  expect(dialog_history).toMatchObject([{ question: "Which database?", answer: "PostgreSQL" }]);
  expect(await told(sitting, "PostgreSQL")).toContain('"Which database?"="PostgreSQL"');

  // The same session asks again: in the same conversation, and not the same question.
  await prompt("and again", asks(DATABASE));
  expect(await firstOpen()).toMatchObject({ session_id, round: 2 });
  await pressUntil(sitting, KEY.escape, isClosed);
  const [declined] = await all();
  expect(declined?.settled).toEqual({ outcome: "cancelled", decided_by });
});

test("answered in both places at once, the record says which answer the agent continued with", async () => {
  const sitting = await prompt("set it up", asks(DATABASE));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  // Its hooks are cut off, so that the answer from the browser comes before theirs.
  proxy.lead(undefined);
  proxy.cut();
  await pressUntil(sitting, KEY.enter, async () => sitting.model.lastTold().includes('"PostgreSQL"'));
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  proxy.lead(Number(new URL(server.url).port));
  const noted = async () => {
    const { events } = await hub().call("audit", { query: { session_id } });
    return events.find(({ action }) => action === "question.answered_elsewhere");
  };
  await expect.poll(noted, { timeout: PATIENCE_MS }).toMatchObject({
    tool_use_id,
    before: { status: "answered", recorded: '"SQLite"' },
    after: { status: "answered", went_on_with: ["PostgreSQL"] },
  });
  const { messages } = await hub().call("readMessages", { params: { id: session_id }, query: {} });
  expect(messages.at(-1)?.content.text).toBe(
    'The agent went on with "PostgreSQL", which it was given elsewhere. This counts. Answered here, too late: "SQLite".',
  );
});

test("cancelled in the browser, the model learns by whom and why", async () => {
  const sitting = await prompt("set it up", asks(DATABASE));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  await hub().call("cancel", { body: { session_id, tool_use_id, reason: "not today" } });
  expect(await told(sitting, "not today")).toContain("The question was cancelled by ann: not today.");
});

test("rejecting the question to discuss it, and killing Claude Code, both close the card with a reason", async () => {
  const sitting = await prompt("set it up", asks(DATABASE));
  await sitting.shows("4. Chat about this");
  await firstOpen();
  await pressUntil(sitting, "4", isClosed);
  await prompt("once more", asks(DATABASE));
  await firstOpen();
  process.kill(sitting.pid(), "SIGKILL");
  const items = await eventually((found) => found.every(({ status }) => status === "closed"));
  const reasons = items.map(async ({ session_id, tool_use_id }) => {
    const { ask } = await hub().call("readAsk", { params: { tool_use_id }, query: { session_id } });
    return ask.result?.reason;
  });
  expect((await Promise.all(reasons)).sort()).toEqual(["Claude Code was closed", "declined at the terminal"]);
});

test("Parley stops while the question waits: the question is kept, and its answer arrives", async () => {
  const sitting = await prompt("set it up", asks(DATABASE));
  await firstOpen();
  proxy.lead(undefined);
  await server.stop();
  server = await testServer(database.url, { publicUrl: proxy.url, ...BEHIND_PROXY });
  proxy.lead(Number(new URL(server.url).port));
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
  expect(await told(sitting, "PostgreSQL")).toContain('"Which database?"="PostgreSQL"');
  expect(await all()).toHaveLength(1);
});

test("without Parley, Claude Code asks in its terminal as usual", async () => {
  proxy.lead(undefined);
  const sitting = await prompt("set it up", asks(DATABASE));
  await sitting.shows("2. SQLite");
  await pressUntil(sitting, KEY.enter, async () => sitting.model.lastTold().includes('"Which database?"="PostgreSQL"'));
  expect(await all()).toEqual([]);
});

test("an unattended `claude -p` can ask over MCP", async () => {
  await project.connect("--undo", "--yes");
  expect((await project.connect("--user", "--yes")).code).toBe(0);
  const model = await startModel();
  const call = { type: "tool_use" as const, name: "mcp__parley__ask_user_question", input: { questions: [DATABASE] } };
  model.say([call], [{ type: "text", text: "It will be SQLite." }]);
  const printed = project.print(model, "set it up");
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  expect(await printed).toBe("It will be SQLite.");
  // Offered as it is, and not only to a search. Claude Code does not wait with its first request for a server that is slow.
  expect(model.requests.at(-1)?.tools?.map(({ name }) => name)).toContain("mcp__parley__ask_user_question");
  expect(model.lastTold()).toContain("SQLite");
  await model.stop();
});

test("an unattended `claude -p` in a folder that nobody trusts can ask, as connect says", async () => {
  const file = join(project.env.CLAUDE_CONFIG_DIR ?? "", ".claude.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), projects: {} }));
  const model = await startModel();
  const call = { type: "tool_use" as const, name: "mcp__parley__ask_user_question", input: { questions: [DATABASE] } };
  model.say([call], [{ type: "text", text: "It will be SQLite." }]);
  const printed = project.print(model, "--allowedTools", "mcp__parley", "--", "set it up");
  const { session_id = "", tool_use_id = "" } = (await firstOpen()) ?? {};
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  expect(await printed).toBe("It will be SQLite.");
  await model.stop();
});

test("Claude Code resumes a conversation that Parley exported into its folder", async () => {
  const body = { type: "tool_use", id: "toolu_1", name: "AskUserQuestion", input: { questions: [DATABASE] } };
  const { session_id, tool_use_id } = (await hub().call("ask", { body })).ask;
  await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  const sessions = join(project.env.CLAUDE_CONFIG_DIR ?? "", "projects", project.folder.replace(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(sessions, { recursive: true });
  const { stdout } = await run(["export", session_id, sessions], { env: project.env });
  const model = await startModel();
  model.say([{ type: "text", text: "With SQLite, then." }]);
  const printed = await project.print(model, "--resume", basename(stdout.trim(), ".jsonl"), "go on");
  expect(printed).toBe("With SQLite, then.");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("Which database?");
  await model.stop();
});
