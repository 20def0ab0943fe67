import Sqlite from "better-sqlite3";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { StorageError } from "../db/errors.ts";
import { testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "./test-server.ts";
import { agentKey, caller, join, PASSWORD, setUp, type TestPerson } from "./test-team.ts";

// Another program, such as a backup, holds SQLite's write lock.

let server: TestServer;
let other: Sqlite.Database;
let admin: TestPerson;
beforeEach(async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  server = await testServer(database.url);
  onTestFinished(server.stop);
  admin = await setUp(server);
  other = new Sqlite(database.url.slice("file:".length), { timeout: 10_000 });
  onTestFinished(() => void other.close());
});

/** Everything that changes people, keys, spaces and sessions goes through one of these. */
async function changes() {
  const [mei, kenji] = [await join(server, admin, "Mei"), await join(server, admin, "Kenji")];
  const { key } = await agentKey(server, admin);
  return {
    "create a key": () => admin.post("/api/keys", { kind: "agent", name: "k", agent: "builder" }),
    "create a space": () => admin.post("/api/spaces", { name: "Payments" }),
    "revoke a key": () => admin.post(`/api/keys/${key.id}/revoke`),
    "disable a person": () => admin.post(`/api/people/${mei.person.id}`, { status: "disabled" }),
    "sign in": () => caller(server).post("/api/auth/sign-in", { login: "ada@example.com", password: PASSWORD }),
    "sign out": () => kenji.post("/api/auth/sign-out"),
  };
}

test("changes of the team wait for a lock that is released in time", async () => {
  const all = await changes();
  for (const [what, change] of Object.entries(all)) {
    other.exec("begin immediate");
    const changing = change();
    for (let reads = 0; reads < 3; reads++) expect((await admin.get("/api/inbox")).status).toBe(200);
    other.exec("commit");
    expect([what, (await changing).status]).toEqual([what, expect.toBeOneOf([200, 201, 204])]);
  }
});

test("changes of the team that cannot wait any longer are refused with 503, and nothing is stored", async () => {
  const all = await changes();
  other.exec("begin immediate");
  const replies = await Promise.all(
    Object.entries(all).map(async ([what, change]) => {
      const { status, body } = await change();
      return [what, status, body.error?.code];
    }),
  );
  expect(replies).toEqual(Object.keys(all).map((what) => [what, 503, "storage_unavailable"]));
  other.exec("rollback");
  // Background work fails too, and is repeated.
  expect(server.errors.filter((error) => !(error instanceof StorageError))).toEqual([]);
  for (const [what, change] of Object.entries(all))
    expect([what, (await change()).status]).toEqual([what, expect.toBeOneOf([200, 201, 204])]);
});
