import { Readable, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { settle } from "./settle.ts";
import { answersIn } from "./transcript.ts";

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase("sqlite");
  server = await testServer(database.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const terminal = (): Terminal => ({
  input: Readable.from([]) as unknown as ReadStream,
  stdout: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
  stderr: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
  interactive: false,
  env: { PARLEY_URL: server.url, USER: "tester" },
  version: "0.0.0",
  print: () => {},
  say: () => {},
});

test("what a person wrote at the terminal instead of choosing settles the ask as their reply", async () => {
  const hub = createClient({ url: server.url });
  const asked = { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }], multiSelect: false }] };
  const { ask } = await hub.call("ask", { body: asked });
  const { session_id, tool_use_id } = ask;
  await settle(terminal(), ask, ["Which?"], answersIn({ questions: [], answers: {}, response: "Neither." }));
  const settled = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
  expect(settled.ask.result).toMatchObject({
    outcome: "replied",
    reply: "Neither.",
    decided_by: { name: "tester", surface: "cli", provenance: "reported" },
  });
});
