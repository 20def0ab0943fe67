import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { build } from "esbuild";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  MigrationError,
  migratePostgres,
  migrateSqlite,
  pendingPostgresMigrations,
  pendingSqliteMigrations,
} from "./migrate.ts";
import { postgresServer } from "./test-databases.ts";

const root = path.resolve(import.meta.dirname, "../..");
const temp = mkdtempSync(path.join(os.tmpdir(), "parley-migrate-"));
/** Inside the project, so that it finds the packages. */
const nodeProgram = path.join(root, "node_modules/.cache", `parley-migrate-${randomUUID()}.mjs`);
const agreement = spawn(process.execPath, ["--import", "tsx", "scripts/database/migration.ts", "--check"], {
  cwd: root,
});
const agreementOutput = text(agreement.stderr);
const agreementExit = once(agreement, "exit");
const nodes: ChildProcess[] = [];

beforeAll(async () => {
  await build({
    stdin: { contents: NODE_SOURCE, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: nodeProgram,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
});

afterAll(() => {
  for (const child of [agreement, ...nodes]) child.kill("SIGKILL");
  rmSync(temp, { recursive: true, force: true });
  rmSync(nodeProgram, { force: true });
});

describe.each(["sqlite", "postgresql"] as const)("migrations on %s", (kind) => {
  test("create every table in an empty database, and a second run changes nothing", () =>
    withDatabase(kind, async (database) => {
      const dir = path.join(root, "prisma/migrations", kind);
      expect(await database.pending(dir)).toContain("20261116000000_first");
      expect(await database.migrate(dir)).toContain("20261116000000_first");
      expect(await database.query("SELECT * FROM conversation")).toEqual([]);
      expect(await database.migrate(dir)).toEqual([]);
      expect(await database.pending(dir)).toEqual([]);
    }));

  test("keep the data that every earlier version wrote", async () => {
    const dir = path.join(root, "prisma/migrations", kind);
    const names = readdirSync(dir)
      .filter((name) => /^\d/.test(name))
      .sort();
    for (const applied of names.keys()) {
      await withDatabase(kind, async (database) => {
        const older = mkdtempSync(path.join(temp, `${kind}-`));
        for (const name of names.slice(0, applied + 1))
          cpSync(path.join(dir, name), path.join(older, name), { recursive: true });
        await database.migrate(older);
        await database.query(
          `INSERT INTO audit_event (conversation_id, number, action, actor, at) VALUES ('c', 1, 'ask.created', '{}', 7)`,
        );
        await database.query(
          `INSERT INTO audit_seal (conversation_id, number, hash, sealed_at) VALUES ('c', 1, 'h', 8)`,
        );
        expect(await database.migrate(dir)).toEqual(names.slice(applied + 1));
        expect(await database.query("SELECT * FROM audit_event")).toMatchObject([{ actor: "{}", command_id: null }]);
        expect(await database.query("SELECT * FROM audit_seal")).toMatchObject([
          { hash: "h", position: null, mac: null },
        ]);
      });
    }
  });

  test("have every question indexed again, because the search compares other texts", () =>
    withDatabase(kind, async (database) => {
      const dir = path.join(root, "prisma/migrations", kind);
      const older = mkdtempSync(path.join(temp, `${kind}-`));
      const names = readdirSync(dir).filter((name) => /^\d/.test(name) && name < "20261119213437");
      for (const name of names) cpSync(path.join(dir, name), path.join(older, name), { recursive: true });
      await database.migrate(older);
      if (kind === "sqlite")
        await database.query("CREATE VIRTUAL TABLE search_index USING fts5(text, content='search_text')");
      await database.query("INSERT INTO search_state (id, position, began_at, seq) VALUES ('state', 7, 1, 1)");
      await database.query(
        `INSERT INTO search_text (seq, settled, text) VALUES (1, ${kind === "sqlite" ? 1 : true}, 'old')`,
      );
      await database.migrate(dir);
      for (const table of ["search_state", "search_text", "search_entry", "insight_chunk"])
        expect(await database.query(`SELECT * FROM ${table}`)).toEqual([]);
      if (kind === "sqlite")
        expect(await database.query("SELECT name FROM sqlite_schema WHERE name LIKE 'search_index%'")).toEqual([]);
    }));

  test("move the announced limit and the parked ask from the audit events to columns", () =>
    withDatabase(kind, async (database) => {
      const dir = path.join(root, "prisma/migrations", kind);
      const older = mkdtempSync(path.join(temp, `${kind}-`));
      const names = readdirSync(dir).filter((name) => /^\d/.test(name) && name < "20261117005614");
      for (const name of names) cpSync(path.join(dir, name), path.join(older, name), { recursive: true });
      await database.migrate(older);
      for (const id of ["reached", "allowed", "again", "never"])
        await database.query(
          `INSERT INTO conversation (id, agent, ask_limit, created_at, updated_at) VALUES ('${id}', 'a', 10, 1, 1)`,
        );
      for (const id of ["once", "twice", "other"])
        await database.query(
          `INSERT INTO turn (id, conversation_id, number, status, created_at)
           VALUES ('${id}', 'never', ${id.length + id.charCodeAt(0)}, 'running', 1)`,
        );
      const event = (conversation: string, number: number, action: string, after: object, tool: string | null = null) =>
        database.query(
          `INSERT INTO audit_event (conversation_id, number, action, tool_use_id, actor, at, after)
           VALUES ('${conversation}', ${number}, '${action}', ${tool && `'${tool}'`}, '{}', 1, '${JSON.stringify(after)}')`,
        );
      await event("reached", 1, "depth.limit", { limit: 10 });
      await event("allowed", 1, "depth.limit", { limit: 10 });
      await event("allowed", 2, "depth.allowed", { limit: 20 });
      await event("again", 1, "depth.limit", { limit: 10 });
      await event("again", 2, "depth.allowed", { limit: 20 });
      await event("again", 3, "depth.limit", { limit: 20 });
      await event("never", 1, "turn.parked", { turn_id: "twice" }, "first");
      await event("never", 2, "turn.parked", { turn_id: "once" }, "only");
      await event("never", 3, "turn.parked", { turn_id: "twice" }, "second");
      await database.migrate(dir);
      expect(await database.query("SELECT id, announced_limit FROM conversation ORDER BY id")).toMatchObject([
        { id: "again", announced_limit: 20 },
        { id: "allowed", announced_limit: 0 },
        { id: "never", announced_limit: 0 },
        { id: "reached", announced_limit: 10 },
      ]);
      expect(await database.query("SELECT id, parked_for FROM turn ORDER BY id")).toMatchObject([
        { id: "once", parked_for: "only" },
        { id: "other", parked_for: null },
        { id: "twice", parked_for: "second" },
      ]);
    }));

  test.each([2, 8])("are applied once when %i nodes start at the same time", (count) =>
    withDatabase(kind, async (database) => {
      const { dir, names } = generateMigrations(kind);
      const children = await Promise.all(Array.from({ length: count }, () => startNode(kind, database.address, dir)));
      for (const child of children) child.go();
      const applied = await Promise.all(children.map((child) => child.result()));
      expect(applied.flat().sort()).toEqual(names);
      expect(await state(database)).toEqual((await undisturbed(kind)).state);
    }),
  );

  test("resume after a kill at any moment, with the same result", async () => {
    const { dir, names } = generateMigrations(kind);
    const expected = await undisturbed(kind);
    const left: number[] = [];
    let lastTurn = Promise.resolve();
    const round = (freezeAt: number | undefined) =>
      withDatabase(kind, async (database) => {
        const child = await startNode(kind, database.address, dir, freezeAt);
        lastTurn = lastTurn.then(async () => {
          child.go();
          if (freezeAt === undefined) await sleep(Math.random() * expected.ms);
          else await child.frozen();
          await child.kill();
          const resumed = await database.migrate(dir);
          if (freezeAt !== undefined) left.push(resumed.length);
          expect(await state(database)).toEqual(expected.state);
        });
        await lastTurn;
      });
    // Before each kind of statement in turn, and at moments that nobody chose.
    const each = STATEMENTS[kind];
    const frozen = names.map((_, step) => STATEMENTS_BEFORE[kind] + step * each + (step % each) + 1);
    await Promise.all([...frozen, ...Array(5).fill(undefined)].map(round));
    expect(left.toSorted((a, b) => b - a)).toEqual(names.map((_, step) => names.length - step));
  });

  test("undo a migration that fails, and name it", () =>
    withDatabase(kind, async (database) => {
      const { dir, names } = generateMigrations(kind, { count: 2 });
      const broken = path.join(dir, String(names[1]), "migration.sql");
      appendFileSync(broken, "INSERT INTO no_such_table VALUES (1);");
      await expect(database.migrate(dir)).rejects.toThrow(/0001_step failed and was undone.*no_such_table/);
      expect(await database.pending(dir)).toEqual([names[1]]);
      writeFileSync(broken, "CREATE TABLE t_1 (n INTEGER);");
      expect(await database.migrate(dir)).toEqual([names[1]]);
    }));

  test("refuse a migration that was changed after it was applied", () =>
    withDatabase(kind, async (database) => {
      const { dir, names } = generateMigrations(kind, { count: 2 });
      await database.migrate(dir);
      const script = path.join(dir, String(names[0]), "migration.sql");
      writeFileSync(script, readFileSync(script, "utf8").replaceAll("\n", "\r\n"));
      expect(await database.migrate(dir)).toEqual([]);
      appendFileSync(script, "-- changed");
      await expect(database.migrate(dir)).rejects.toThrow(MigrationError);
      await expect(database.migrate(dir)).rejects.toThrow(
        /0000_step was changed after it had been applied: put its file back/,
      );
    }));

  test("refuse a database that a newer Parley has migrated", () =>
    withDatabase(kind, async (database) => {
      await database.migrate(generateMigrations(kind, { count: 3 }).dir);
      const { dir } = generateMigrations(kind, { count: 2 });
      await expect(database.migrate(dir)).rejects.toThrow(MigrationError);
      await expect(database.migrate(dir)).rejects.toThrow(/newer Parley \(0002_step is not known here\)/);
      expect(await database.pending(dir)).toEqual([]);
    }));
});

test("schema and migrations agree", async () => {
  const [code] = await agreementExit;
  expect({ code, output: await agreementOutput }).toMatchObject({ code: 0 });
});

// ---- databases

type Kind = "sqlite" | "postgresql";
type TestDatabase = {
  address: string;
  migrate: (dir: string) => Promise<string[]>;
  pending: (dir: string) => Promise<string[]>;
  query: (sql: string) => Promise<unknown[]>;
};

async function withDatabase<T>(kind: Kind, use: (database: TestDatabase) => Promise<T>): Promise<T> {
  return kind === "sqlite" ? withSqlite(use) : withPostgres(use);
}

async function withSqlite<T>(use: (database: TestDatabase) => Promise<T>): Promise<T> {
  const address = path.join(temp, `${randomUUID()}.db`);
  const db = new Database(address);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  try {
    return await use({
      address,
      migrate: async (dir) => migrateSqlite(db, dir),
      pending: async (dir) => pendingSqliteMigrations(db, dir),
      query: async (sql) => (/^(insert|create)/i.test(sql) ? [db.prepare(sql).run()] : db.prepare(sql).all()),
    });
  } finally {
    db.close();
  }
}

async function withPostgres<T>(use: (database: TestDatabase) => Promise<T>): Promise<T> {
  const url = await postgresServer();
  const server = new pg.Client(url);
  const name = `parley_${randomUUID().replaceAll("-", "")}`;
  const address = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const client = new pg.Client(address);
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name}`);
    await client.connect();
    return await use({
      address,
      migrate: (dir) => migratePostgres(client, dir),
      pending: (dir) => pendingPostgresMigrations(client, dir),
      query: async (sql) => (await client.query(sql)).rows,
    });
  } finally {
    await client.end();
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

// ---- migrations that take a while

/** Every migration leaves its mark in `journal` twice, at its beginning and at its end, with a slow part in between. */
function generateMigrations(kind: Kind, { count = 10 } = {}): { dir: string; names: string[] } {
  const dir = mkdtempSync(path.join(temp, `${kind}-`));
  const slow =
    kind === "postgresql"
      ? "SELECT pg_sleep(0.01);"
      : "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 40000) INSERT INTO work SELECT sum(n) FROM c;";
  const names = Array.from({ length: count }, (_, step) => `${String(step).padStart(4, "0")}_step`);
  for (const [step, name] of names.entries()) {
    const tables = step === 0 ? "CREATE TABLE journal (step INTEGER, part INTEGER); CREATE TABLE work (n BIGINT);" : "";
    const mark = (part: number) => `INSERT INTO journal VALUES (${step}, ${part});`;
    mkdirSync(path.join(dir, name));
    const statements = [tables, mark(1), `CREATE TABLE t_${step} (n INTEGER);`, slow, mark(2)];
    writeFileSync(path.join(dir, name, "migration.sql"), statements.join("\n"));
  }
  return { dir, names };
}

/** What must be alike however often a run was cut off. */
async function state(database: TestDatabase): Promise<unknown> {
  const tables = database.address.startsWith("postgres")
    ? "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
    : "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1";
  return {
    tables: await database.query(tables),
    journal: await database.query("SELECT step, part FROM journal"),
    work: await database.query("SELECT n FROM work"),
    history: await database.query(
      `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at, finished_at IS NULL AS unfinished
       FROM _prisma_migrations ORDER BY migration_name`,
    ),
  };
}

const runs = new Map<Kind, Promise<{ state: unknown; ms: number }>>();

function undisturbed(kind: Kind): Promise<{ state: unknown; ms: number }> {
  const run =
    runs.get(kind) ??
    withDatabase(kind, async (database) => {
      const { dir } = generateMigrations(kind);
      const start = performance.now();
      await database.migrate(dir);
      return { ms: performance.now() - start, state: await state(database) };
    });
  runs.set(kind, run);
  return run;
}

// ---- a node: a separate process that opens the database, waits for the word, and migrates

/** How many statements a migration consists of, and how many come before the first one. */
const STATEMENTS = { sqlite: 4, postgresql: 5 };
const STATEMENTS_BEFORE = { sqlite: 0, postgresql: 2 };

const NODE_SOURCE = `
  import { writeSync } from "node:fs";
  import { once } from "node:events";
  import { migratePostgres, migrateSqlite } from "./migrate.ts";

  const [kind, address, dir, freezeAt] = process.argv.slice(2);
  const driver = (await import(kind === "sqlite" ? "better-sqlite3" : "pg")).default;
  const db = kind === "sqlite" ? new driver(address) : new driver.Client(address);
  if (kind === "sqlite") db.pragma("synchronous = FULL");
  else await db.connect();
  const method = kind === "sqlite" ? "exec" : "query";
  const execute = db[method].bind(db);
  let statements = 0;
  db[method] = (...args) => {
    if (++statements === Number(freezeAt)) {
      writeSync(1, "frozen");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return execute(...args);
  };
  writeSync(1, "ready");
  await once(process.stdin, "data");
  const applied = kind === "sqlite" ? migrateSqlite(db, dir) : await migratePostgres(db, dir);
  writeSync(1, JSON.stringify(applied));
  process.exit();
`;

type Node = {
  go: () => void;
  /** Resolves when it has reached the statement at which it must freeze. */
  frozen: () => Promise<unknown>;
  kill: () => Promise<void>;
  result: () => Promise<string[]>;
};

async function startNode(kind: Kind, address: string, dir: string, freezeAt = 0): Promise<Node> {
  const child: ChildProcess & { stdin: NodeJS.WritableStream; stdout: NodeJS.ReadableStream } = spawn(
    process.execPath,
    [nodeProgram, kind, address, dir, String(freezeAt)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  nodes.push(child);
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const frozen = freezeAt > 0 ? once(child.stdout, "data") : undefined;
  const output = freezeAt > 0 ? Promise.resolve("") : text(child.stdout);
  return {
    frozen: async () => frozen,
    go: () => void child.stdin.write("go"),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
    result: async () => JSON.parse(await output),
  };
}
