import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BEHIND_PROXY, testProxy } from "../lib/cli/test-proxy.ts";
import { createClient } from "../lib/client.ts";
import { type TestDatabase, testDatabase } from "../lib/db/test-databases.ts";
import { type TestServer, testServer } from "../lib/http/test-server.ts";
import { agentKey, caller, setUp } from "../lib/http/test-team.ts";
import type { AnswerInput } from "../lib/protocol/answer.ts";
import { resumeOf } from "./ag-ui.mjs";
import { resumeOf as resumeGraph } from "./langgraph.mjs";
import { ask } from "./parley.mjs";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  expect(server.errors).toEqual([]);
});

const rest = () => createClient({ url: server.url });

/** The open ask with this id, as soon as it is there; any, where none is named. */
async function open(tool_use_id?: string) {
  for (;;) {
    const { items } = await rest().call("inbox", {});
    const found = items.find((item) => tool_use_id === undefined || item.tool_use_id === tool_use_id);
    if (found) return found;
    await sleep(10);
  }
}
async function answer(question_id: string, given: AnswerInput, followUps: Record<string, AnswerInput> = {}) {
  const { session_id } = await open(question_id);
  const body = { session_id, question_id, answer: given, follow_up_answers: followUps };
  await rest().call("answer", { body });
}
async function cancel(tool_use_id: string) {
  const { session_id } = await open(tool_use_id);
  await rest().call("cancel", { body: { session_id, tool_use_id, reason: "not needed" } });
}

async function reply(tool_use_id: string, text: string) {
  const { session_id } = await open(tool_use_id);
  await rest().call("reply", { body: { session_id, tool_use_id, text } });
}

const action_request = { action: "send_email", args: { to: "ann@example.com" } };
const ALL = { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true };
const about = async (id: string, config: object = ALL) => {
  const resume = await resumeGraph(server.url, [{ id, value: [{ action_request, config }] }]);
  expect(Object.keys(resume)).toEqual([id]);
  return resume[id] as unknown[];
};

test("LangGraph: each way to respond", async () => {
  const [[accepted], [ignored], [said]] = await Promise.all([
    about("lg-1"),
    about("lg-2"),
    about("lg-3"),
    answer("lg-1", "accept"),
    answer("lg-2", "ignore"),
    answer("lg-3", "response", { "lg-3/words/response": "Ask Bob first." }),
  ]);
  expect(accepted).toEqual({ type: "accept", args: action_request });
  expect(ignored).toEqual({ type: "ignore", args: null });
  expect(said).toEqual({ type: "response", args: "Ask Bob first." });
});

test("a reply in words goes where the framework takes words; otherwise the question is asked again", async () => {
  const saying = about("lg-r1");
  await reply("lg-r1", "Ask Bob first.");
  expect(await saying).toEqual([{ type: "response", args: "Ask Bob first." }]);
  const accepting = about("lg-r2", { allow_accept: true });
  await reply("lg-r2", "Why?");
  await answer("lg-r2/2", "accept");
  expect(await accepting).toEqual([{ type: "accept", args: action_request }]);
  const interrupt = (id: string, type: string) => ({ id, reason: "ask", responseSchema: { type } });
  const interrupts = [interrupt("ag-r1", "string"), interrupt("ag-r2", "boolean")];
  const resuming = resumeOf(server.url, { type: "interrupt", interrupts });
  await reply("ag-r1", "Words.");
  await reply("ag-r2", "Why?");
  await answer("ag-r2/2", true);
  expect(await resuming).toEqual([
    { interruptId: "ag-r1", status: "resolved", payload: "Words." },
    { interruptId: "ag-r2", status: "resolved", payload: true },
  ]);
});

test("LangGraph: edited arguments are JSON, or are asked for again", async () => {
  const editing = about("lg-4");
  await answer("lg-4", "edit", { "lg-4/edit": "to: bob" });
  await answer("lg-4/2", "edit", { "lg-4/2/edit": '{"to":"bob@example.com"}' });
  expect(await editing).toEqual([{ type: "edit", args: { action: "send_email", args: { to: "bob@example.com" } } }]);
});

test("LangGraph: only what is allowed is offered, and the same interrupt asks once", async () => {
  const twice = [about("lg-5", { allow_accept: true }), about("lg-5", { allow_accept: true })];
  const { session_id } = await open("lg-5");
  const { ask } = await rest().call("readAsk", { params: { tool_use_id: "lg-5" }, query: { session_id } });
  expect(ask.questions[0]?.options.map(({ id }) => id)).toEqual(["accept"]);
  await answer("lg-5", "accept");
  expect(await Promise.all(twice)).toHaveLength(2);
});

test("LangGraph: a cancelled question is not a response", async () => {
  const asking = about("lg-6");
  asking.catch(() => {});
  await cancel("lg-6");
  await expect(asking).rejects.toThrow("No answer was given");
});

test("LangGraph: two interrupts at once are asked about separately, and the graph is resumed once with both", async () => {
  const value = [{ action_request, config: ALL }];
  const resuming = resumeGraph(server.url, [
    { id: "lg-7", value },
    { id: "lg-8", value },
  ]);
  await answer("lg-8", "ignore");
  await answer("lg-7", "accept");
  expect(await resuming).toEqual({
    "lg-7": [{ type: "accept", args: action_request }],
    "lg-8": [{ type: "ignore", args: null }],
  });
});

test("LangChain: every action that its middleware stops has its own decision, in order", async () => {
  const actions = ["delete_file", "send_email", "ask_user"].map((name) => ({ name, args: { a: 1 } }));
  const reviewConfigs = [
    { actionName: "delete_file", allowedDecisions: ["approve", "reject"] },
    { actionName: "send_email", allowedDecisions: ["approve", "edit", "reject"] },
    { actionName: "ask_user", allowedDecisions: ["respond"] },
  ];
  const resuming = resumeGraph(server.url, [{ id: "lc", value: { actionRequests: actions, reviewConfigs } }]);
  const { session_id } = await open("lc");
  const { ask } = await rest().call("readAsk", { params: { tool_use_id: "lc" }, query: { session_id } });
  expect(ask.questions[0]?.options.map(({ id }) => id)).toEqual(["approve", "reject"]);
  await answer("lc.3", "respond", { "lc.3/words/respond": "Tuesday" });
  await answer("lc.2", "edit", { "lc.2/edit": '{"a":2}' });
  await answer("lc", "reject", { "lc/words/reject": "Keep it." });
  expect(await resuming).toEqual({
    lc: {
      decisions: [
        { type: "reject", message: "Keep it." },
        { type: "edit", editedAction: { name: "send_email", args: { a: 2 } } },
        { type: "respond", message: "Tuesday" },
      ],
    },
  });
});

test("AG-UI: every interrupt has its resume, in order, with a payload that fits its schema", async () => {
  const order = {
    type: "object",
    properties: {
      approved: { type: "boolean" },
      amount: { type: "number" },
      speed: { enum: ["slow", "fast"] },
      tags: { type: "array", items: { enum: ["a", "b"] } },
      note: { type: "string" },
    },
    required: ["approved", "amount", "speed", "tags"],
  };
  const resuming = resumeOf(server.url, {
    type: "interrupt",
    interrupts: [
      { id: "ag-1", reason: "input_required", message: "Refund?", responseSchema: order },
      { id: "ag-2", reason: "What is the name?" },
      { id: "ag-3", reason: "confirmation", expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    ],
  });
  await answer("ag-1/approved", true);
  await answer("ag-1/amount", "a lot");
  await answer("ag-1/amount/2", "12.5");
  await answer("ag-1/speed", "fast");
  await answer("ag-1/tags", ["b"]);
  await answer("ag-1/note", null);
  await answer("ag-2", "Parley");
  await cancel("ag-3");
  expect(await resuming).toEqual([
    { interruptId: "ag-1", status: "resolved", payload: { approved: true, amount: 12.5, speed: "fast", tags: ["b"] } },
    { interruptId: "ag-2", status: "resolved", payload: "Parley" },
    { interruptId: "ag-3", status: "cancelled" },
  ]);
});

test("where people sign in it sends the key, and it survives that Parley restarts while it waits", async () => {
  const own = await testDatabase("sqlite");
  const proxy = await testProxy();
  const startAgain = async () => {
    const started = await testServer(own.url, { publicUrl: proxy.url, ...BEHIND_PROXY });
    proxy.lead(Number(new URL(started.url).port));
    return started;
  };
  let team = await startAgain();
  const admin = await setUp(team);
  vi.stubEnv("PARLEY_KEY", (await agentKey(team, admin, "graph")).secret);
  const asking = ask(proxy.url, { tool_use_id: "restarted", question: "Which port?" });
  await expect.poll(() => team.hub.waiting(), { timeout: 60_000 }).toBe(1);
  proxy.lead(undefined);
  await team.stop();
  team = await startAgain();
  const { body } = await caller(team, admin.headers).get("/api/inbox");
  const [{ session_id, agent }] = body.items as unknown as [{ session_id: string; agent: string }];
  const answered = { session_id, question_id: "restarted", answer: "8080" };
  expect((await caller(team, admin.headers).post("/api/task/answer", answered)).status).toBe(200);
  expect([agent, await asking]).toMatchObject(["graph", { outcome: "answered", output: { answer: "8080" } }]);
  vi.unstubAllEnvs();
  await proxy.close();
  await team.stop();
  await own.drop();
});

test("each example runs unchanged", async () => {
  const run = async (file: string) => {
    const path = join(import.meta.dirname, file);
    return JSON.parse((await promisify(execFile)(process.execPath, [path, server.url])).stdout);
  };
  const [resumed] = await Promise.all([
    run("langgraph.mjs"),
    open().then((item) => answer(item.tool_use_id, "ignore")),
  ]);
  expect(Object.values(resumed)).toEqual([[{ type: "ignore", args: null }]]);
  const answerBoth = async () => {
    const { tool_use_id } = await open();
    const [id] = tool_use_id.split("/");
    await answer(`${id}/approved`, false);
    await answer(`${id}/amount`, "0");
  };
  const [resume] = await Promise.all([run("ag-ui.mjs"), answerBoth()]);
  expect(resume).toMatchObject([{ status: "resolved", payload: { approved: false } }]);
});
