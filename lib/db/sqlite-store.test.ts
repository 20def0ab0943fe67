import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Change } from "./change.ts";
import { BusyError, ConflictError, OutcomeUnknown } from "./errors.ts";
import { toJson } from "./json.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Statement } from "./statement.ts";
import { type TestDatabase, testDatabase } from "./test-databases.ts";

let database: TestDatabase;
let path: string;
const stores: SqliteStore[] = [];
beforeEach(async () => {
  database = await testDatabase("sqlite");
  await database.open();
  path = database.url.slice("file:".length);
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await database.drop();
});

function open(program?: URL): SqliteStore {
  const store = new SqliteStore(path, program);
  stores.push(store);
  return store;
}

let made = 0;
function newConversation(id = `ses_${made++}`): Change {
  return {
    conversation_id: id,
    guard: { kind: "create" },
    at: 1,
    create: {
      title: null,
      agent: "a",
      interactive: true,
      metadata: null,
      ask_limit: 1,
      forked_from: null,
      forked_round: null,
      space_id: "spc_everyone",
      api_key_id: null,
    },
    rounds: 0,
    pending: 0,
    total_rounds: null,
    set: {},
    queued: 0,
    turns: [],
    turn_patches: [],
    asks: [],
    ask: null,
    questions: [],
    question_statuses: [],
    answers: [],
    messages: [],
    inbox: [],
    inbox_patch: null,
    audit: {
      action: "conversation.created",
      tool_use_id: null,
      question_id: null,
      actor: toJson({ kind: "person", name: "ann", surface: "rest" }),
      before: null,
      after: null,
      command_id: `cmd_${made++}`,
      ask_hash: null,
    },
    ask_events: [],
  };
}

const two = () => [newConversation(), newConversation()];

function stored(): string[] {
  const db = new Sqlite(path, { readonly: true });
  const ids = db.prepare("select id from conversation order by id").pluck().all() as string[];
  db.close();
  return ids;
}

/** Writes batches until they go to the thread. Returns the conversations that were created. */
async function untilThreaded(store: SqliteStore): Promise<string[]> {
  const ids: string[] = [];
  while (!store.isThreaded) {
    const changes = two();
    await store.commit(changes);
    ids.push(...changes.map((change) => change.conversation_id));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return ids;
}

test("batches, lone changes and single statements all arrive, on the thread and beside it", async () => {
  const store = open();
  const ids = await untilThreaded(store);
  const [batch, lone] = [two(), newConversation()];
  const [committed] = await Promise.all([store.commit(batch), store.commit([lone])]);
  expect(committed.map((one) => one?.events.map(({ conversation_id, number }) => [conversation_id, number]))).toEqual(
    batch.map(({ conversation_id }) => [[conversation_id, 1]]),
  );
  const all = [...ids, ...[...batch, lone].map((change) => change.conversation_id)].sort();
  expect(stored()).toEqual(all);
  expect(await store.run(new Statement("update conversation set title = @title", { title: "t" }))).toBe(all.length);
  await store.check();
  await store.checkpoint();
});

test("a guard that does not hold refuses its change alone", async () => {
  const store = open();
  await untilThreaded(store);
  const created = newConversation();
  const refused = {
    ...newConversation("ses_unknown"),
    guard: { kind: "conversation", idle: false } as const,
    create: null,
  };
  const [first, second] = await store.commit([created, refused]);
  expect(first?.first_sequence).toBe(1);
  expect(second).toBeUndefined();
});

test("errors of the thread keep their class, and leave nothing behind", async () => {
  const store = open();
  const ids = await untilThreaded(store);
  const before = stored();
  await expect(store.commit([newConversation(), newConversation(ids[0])])).rejects.toThrow(ConflictError);
  await expect(
    store.runAll([new Statement("update conversation set title = 'x' where id = 'none'", {}, 1)]),
  ).rejects.toThrow(ConflictError);
  const other = new Sqlite(path);
  other.exec("begin immediate");
  await expect(store.commit(two())).rejects.toThrow(BusyError);
  other.exec("rollback");
  other.close();
  expect(stored()).toEqual(before);
  await store.commit(two());
  expect(stored()).toHaveLength(before.length + 2);
});

test("if the thread crashes, nobody is told that a change was stored, and writing goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-thread-"));
  const program = join(folder, "crashes.mjs");
  writeFileSync(
    program,
    `import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => { throw new Error("out of memory") });
    parentPort.postMessage("ready");`,
  );
  const store = open(pathToFileURL(program));
  await untilThreaded(store);
  const lost = two();
  await expect(store.commit(lost)).rejects.toThrow(OutcomeUnknown);
  await expect(store.commit(lost)).resolves.toHaveLength(2);
  expect(stored()).toContain(lost[0]?.conversation_id);
  rmSync(folder, { recursive: true });
});

test("without its program everything is written on the main thread", async () => {
  const store = open(pathToFileURL(join(tmpdir(), "there-is-no-such-program.js")));
  for (let i = 0; i < 3; i++) await store.commit(two());
  await store.run(new Statement("update conversation set title = 'x'", {}));
  expect(stored()).toHaveLength(6);
});
