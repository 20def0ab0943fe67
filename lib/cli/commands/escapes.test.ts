import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { portOf } from "../../http/port-of.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { buildCli, KEY, type Ran, run, sit, start } from "../test-cli.ts";

// A Parley that lets everything through: what an agent wrote must not move the cursor, name the window or hide itself.

const EVIL = "\u001b]0;canary\u0007\u001b[2J\u009b31m\u202e\u2066\u0008\u007f\r";
const IN_JSON = JSON.stringify(EVIL).slice(1, -1);
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let database: TestDatabase;
let server: TestServer;
let between: Server;
let url: string;
beforeAll(async () => {
  await buildCli();
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
  between = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = "GET", headers } = request;
    const type = headers["content-type"];
    const reply = await fetch(server.url + request.url?.replaceAll(encodeURIComponent(EVIL), "EVIL"), {
      method,
      headers: type ? { "content-type": type } : {},
      ...(method !== "GET" && { body: body.replaceAll(IN_JSON, "EVIL") }),
    });
    const evil = (await reply.text()).replaceAll("EVIL", IN_JSON);
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" }).end(evil);
  }).listen(0, "127.0.0.1");
  await once(between, "listening");
  url = `http://127.0.0.1:${portOf(between)}`;
});
afterAll(async () => {
  between.closeAllConnections();
  between.close();
  await server.stop();
  await database.drop();
});

const hub = () => createClient({ url: server.url });
const env = () => ({ PARLEY_URL: url });
const ask = async (id: string) =>
  (
    await hub().call("ask", {
      body: {
        tool_use_id: `${id}EVIL; touch x`,
        agent: "agentEVIL",
        title: "titleEVIL",
        question_text: "textEVIL",
        description: "aboutEVIL",
        header: "headEVIL",
        type: "checkbox",
        allow_other: true,
        options: [{ id: "a", label: "labelEVIL", description: "moreEVIL" }],
      },
    })
  ).ask;
const harmless = ({ stdout, stderr }: Pick<Ran, "stdout" | "stderr">, seen: string) => {
  expect(stdout + stderr).toContain(seen);
  expect(stdout).not.toMatch(RAW);
  expect(stderr).not.toMatch(RAW);
};

test("in lists, threads, watched questions and questions asked line by line", async () => {
  const { session_id, tool_use_id } = await ask("one");
  harmless(await run(["sessions"], { env: env() }), "title");
  harmless(await run(["show", session_id], { env: env() }), "parley answer 'one");
  const watching = start(["watch"], { env: env() });
  while (!watching.stdout().includes("text")) await once(watching.child.stdout as NodeJS.ReadableStream, "data");
  watching.child.kill("SIGTERM");
  harmless(await watching.ended, "parley answer 'one");
  harmless(await run(["answer"], { env: env(), input: `0\nmine${EVIL}\n` }), "label");
  harmless(await run(["show", session_id], { env: env() }), "mine");
  const error = await run(["show", `${tool_use_id}`], { env: env() });
  expect(error.code).toBe(1);
  harmless(error, "one");
});

test("in the end of a cancelled question, and the name of the person who was faster", async () => {
  const asking = start(["ask", '{"question":"Which?","tool_use_id":"twoEVIL"}'], { env: env() });
  await asking.says("waiting for an answer");
  const [item] = (await hub().call("inbox", {})).items;
  const { session_id = "", tool_use_id = "" } = item ?? {};
  await hub().call("cancel", { body: { session_id, tool_use_id, reason: "becauseEVIL" } });
  const ended = await asking.ended;
  expect(ended.code).toBe(2);
  harmless(ended, "because");
});

test("in a question answered by keys", async () => {
  await ask("three");
  const person = sit(["answer", "--once"], { env: env(), together: true });
  await person.sees("label");
  await person.press(KEY.space, KEY.enter);
  await person.ended;
  expect(person.raw()).not.toContain("\u001b]0;");
  expect(person.raw()).not.toContain("\u001b[2J");
  expect(person.raw()).not.toMatch(/[\u0007\u0008\u0080-\u009f\u202e\u2066]/);
});
