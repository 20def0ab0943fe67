import { copyFileSync, renameSync, rmSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { type TestServer, testServer } from "./test-server.ts";
import { caller } from "./test-team.ts";

let server: TestServer;
let file: string;
beforeEach(async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  server = await testServer(database.url);
  onTestFinished(server.stop);
  file = database.url.slice("file:".length);
});

const ask = (tool_use_id: string) => caller(server).post("/api/asks", { tool_use_id, ...CHOICE });
const REFUSED = { status: 503, body: { error: { code: "storage_unavailable", details: { reason: "file_replaced" } } } };

test.each([
  ["removed", () => renameSync(file, `${file}.aside`)],
  [
    "replaced",
    () => {
      renameSync(file, `${file}.aside`);
      copyFileSync(`${file}.aside`, file);
    },
  ],
])("a database file that was %s takes no more writes until it is back", async (_how, disturb) => {
  const before = await ask("before");
  expect(before.status).toBe(201);
  disturb();
  expect(await ask("meanwhile")).toMatchObject(REFUSED);
  const { session_id } = (before.body as unknown as { ask: { session_id: string } }).ask;
  const answer = { session_id, question_id: "before", answer: "a" };
  expect(await caller(server).post("/api/task/answer", answer)).toMatchObject(REFUSED);
  expect(await caller(server).get("/health")).toMatchObject({
    status: 503,
    body: { status: "failing", database: "replaced" },
  });

  rmSync(file, { force: true });
  renameSync(`${file}.aside`, file);
  expect(await caller(server).post("/api/task/answer", answer)).toMatchObject({ status: 200 });
  expect((await ask("meanwhile")).status).toBe(201);
  expect(await caller(server).get("/health")).toMatchObject({ status: 200, body: { database: "reachable" } });
});
