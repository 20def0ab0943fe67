import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../lib/db/database.ts";
import { readRows } from "../../../lib/db/test-sql.ts";
import { portOf } from "../../../lib/http/port-of.ts";
import { root } from "../../setup/root.mjs";
import { buildServer, type ServerProgram } from "../kit/server-program.ts";

let program: ServerProgram;
let folder: string;
let valid: { DATABASE_URL: string };

beforeAll(async () => {
  program = await buildServer();
  folder = mkdtempSync(join(tmpdir(), "parley-start-"));
  valid = { DATABASE_URL: `file:${join(folder, "parley.db")}` };
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A refusal is one line of whole sentences on stderr, nothing else, and exit code 1. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await program.refused({ ...valid, ...env });
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^[A-Z][^\n]*\.\n$/);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|Error:/);
  return stderr.trim();
}

test("a taken port", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = portOf(taken);
  const said = await refusal({ PORT: String(port) });
  taken.close();
  expect(said).toBe(
    `Port ${port} is in use. Stop the program that uses it, or choose another port, for example PORT=3001.`,
  );
  expect(existsSync(join(folder, "parley.db")), "the database was touched").toBe(false);
});

test("a database file that another Parley uses, until that one is gone", async () => {
  const DATABASE_URL = `file:${join(folder, "shared.db")}`;
  const first = await program.start({ databaseUrl: DATABASE_URL });
  symlinkSync(join(folder, "shared.db"), join(folder, "alias.db"));
  for (const name of ["shared.db", "alias.db"]) {
    const path = join(folder, name);
    expect(await refusal({ DATABASE_URL: `file:${path}` })).toBe(
      `Another Parley is using the database file ${path} (process ${first.pid} on ${hostname()}). Stop it first, or set DATABASE_URL to another file.`,
    );
  }
  // Programs that only read, such as the audit, do not need exclusive use of the file.
  const reading = await openDatabase({ url: DATABASE_URL, root });
  expect(await readRows(reading, "select count(*) as turns from turn", [])).toEqual([{ turns: 0 }]);
  await reading.close();
  await first.stop("SIGKILL");
  const second = await program.start({ databaseUrl: DATABASE_URL });
  await second.stop();
});

test("a database that does not match its migrations", async () => {
  const DATABASE_URL = `file:${join(folder, "damaged.db")}`;
  await (await openDatabase({ url: DATABASE_URL, root })).close();
  const damaged = new Sqlite(join(folder, "damaged.db"));
  damaged.exec("pragma foreign_keys = off; drop table turn");
  damaged.close();
  expect(await refusal({ DATABASE_URL })).toMatch(/^Parley could not start \(no such table: turn\)\./);
});

test("a data folder that cannot be created", async () => {
  writeFileSync(join(folder, "a-file"), "");
  const said = await refusal({ DATABASE_URL: `file:${join(folder, "a-file/data/parley.db")}` });
  expect(said).toMatch(
    /^The data folder .*a-file\/data cannot be created \(.*\)\. Check DATABASE_URL and its permissions\.$/,
  );
});

test("a data folder that cannot be written", async () => {
  const place = join(folder, "read-only");
  mkdirSync(place);
  chmodSync(place, 0o555);
  // Permissions do not stop root, but nobody can create a file in /proc.
  const readOnly = process.getuid?.() === 0 ? "/proc" : place;
  const said = await refusal({ DATABASE_URL: `file:${join(readOnly, "parley.db")}` });
  expect(said).toMatch(
    /^The database file .* cannot be opened \(.*\)\. Check DATABASE_URL and the folder's permissions\.$/,
  );
});

test("a file that is not a database", async () => {
  writeFileSync(join(folder, "letter.txt"), "Dear reader, this is a letter. ".repeat(100));
  const said = await refusal({ DATABASE_URL: `file:${join(folder, "letter.txt")}` });
  expect(said).toMatch(/letter\.txt cannot be opened \(file is not a database\)\. Check DATABASE_URL/);
});

test("a folder in the place of the database", async () => {
  mkdirSync(join(folder, "folder.db"));
  expect(await refusal({ DATABASE_URL: `file:${join(folder, "folder.db")}` })).toMatch(/folder\.db cannot be opened/);
});

test("a PostgreSQL that is not there", async () => {
  const said = await refusal({ DATABASE_URL: "postgresql://parley@127.0.0.1:1/parley" });
  expect(said).toMatch(
    /^The database cannot be reached \(.*ECONNREFUSED.*\)\. Check DATABASE_URL and that PostgreSQL is running\.$/,
  );
});

test("something that is not PostgreSQL", async () => {
  const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
  await once(other, "listening");
  const port = portOf(other);
  const said = await refusal({ DATABASE_URL: `postgresql://parley@127.0.0.1:${port}/parley` });
  other.close();
  expect(said).toMatch(/^The database cannot be reached \(/);
});

test("bad settings, all of them at once", async () => {
  const said = await refusal({
    PORT: "seventy",
    DATABASE_URL: "mongodb://x",
    LOG_LEVEL: "loud",
    ASK_MAX_OPTIONS: "0",
    PUBLIC_URL: "parley.example",
    CHAT_PROTOCOL_V2_ENABLED: "perhaps",
  });
  expect(said).toMatch(/^These settings are invalid: /);
  for (const name of ["PORT", "DATABASE_URL", "LOG_LEVEL", "ASK_MAX_OPTIONS", "PUBLIC_URL", "CHAT_PROTOCOL_V2_ENABLED"])
    expect(said).toContain(name);
});

test.each(["0.0.0.0", "::", "192.168.1.10", "parley.example"])(
  "HOST=%s, without the address that people use",
  async (HOST) => {
    const said = await refusal({ HOST });
    expect(said).toContain(`HOST is ${HOST}, where others can reach Parley. Set PUBLIC_URL`);
  },
);
