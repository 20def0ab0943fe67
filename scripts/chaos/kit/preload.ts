// Loaded into the server before its own code, and only by scenarios: it injects faults below the product, in the drivers
// and in Node's HTTP, so that the product needs no hooks. Without these variables it changes nothing.
//
// PARLEY_KILL_AT=<point>:<n>  kills the process when it reaches the point for the nth time after SIGUSR2.
// PARLEY_FAULT=<file>         breaks the storage as the file says: full, readonly, stuck, broken or garbled;
//                             an empty file means no fault.
// PARLEY_FORGET=<n>           plants a bug: every nth commit on SQLite is rolled back and reported as done.
// PARLEY_CARELESS=1           plants a bug: SQLite does not wait for the disk.
// PARLEY_GOSSIP=1             plants a bug: every request is logged with its headers.
// PARLEY_HOARD=1              plants a bug: every websocket leaks memory.
// PARLEY_HURRY=1              makes the demo agent write without pauses: nothing else sleeps through promises.
// PARLEY_BLIND=1              plants a bug: a node finds the writes of other nodes only if it is notified.
// PARLEY_REPORT=<file>        on SIGUSR2, writes the SQLite connections with their settings, and the heap size.
//
// The thread that writes to SQLite loads it too. Signals arrive in the main thread only.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { ClientRequest, Server, ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { getEnvironmentData, isMainThread, setEnvironmentData, threadId } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import pg from "pg";

const { PARLEY_KILL_AT, PARLEY_FAULT, PARLEY_FORGET, PARLEY_CARELESS } = process.env;
const { PARLEY_GOSSIP, PARLEY_HOARD, PARLEY_HURRY, PARLEY_BLIND, PARLEY_REPORT } = process.env;

type Method = (this: never, ...args: never[]) => unknown;

if (isMainThread) {
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL")).resume();
  if ("unref" in process.stdin) process.stdin.unref();
}
if (PARLEY_KILL_AT) killAt(PARLEY_KILL_AT);
if (PARLEY_FAULT) faultFrom(PARLEY_FAULT);
if (PARLEY_FORGET) forget(Number(PARLEY_FORGET));
if (PARLEY_CARELESS) beCareless();
if (PARLEY_GOSSIP) gossip();
if (PARLEY_HOARD) hoard();
if (PARLEY_HURRY) hurry();
if (PARLEY_BLIND) blind();
if (PARLEY_REPORT) reportTo(PARLEY_REPORT);

const INDEX_ENTRY = "insert into search_entry";
const PLAN = "insert into notification";
const LEASE = "update notification set state = 'sending'";

function killAt(setting: string): void {
  const [point = "", count = "1"] = setting.split(":");
  const left = sharedNumber("kill at");
  if (isMainThread) process.on("SIGUSR2", () => void Atomics.store(left, 0, Number(count)));
  const reached = (name: string) => {
    if (name === point && Atomics.sub(left, 0, 1) === 1) process.kill(process.pid, "SIGKILL");
  };

  let planned = false;
  wrap(
    statementPrototype(),
    "run",
    (run) =>
      function (this: Sqlite.Statement, ...args) {
        const { source } = this;
        if (source === "commit") reached("before-commit");
        const result = run.apply(this, args);
        if (source.startsWith("insert into message")) reached("inside-commit");
        if (source.startsWith(INDEX_ENTRY)) reached("inside-index");
        if (source === "commit") reached("after-commit");
        if (source.startsWith(PLAN)) planned = true;
        if (source === "commit" && planned) {
          planned = false;
          reached("after-plan");
        }
        if (source.startsWith(LEASE)) reached("after-lease");
        return result;
      },
  );

  wrap(
    pg.Client.prototype,
    "query",
    (query) =>
      function (this: pg.Client, ...args) {
        const [asked] = args as [string | { name?: string } | undefined];
        if (typeof asked === "string" && asked.startsWith(PLAN)) planned = true;
        if (typeof asked === "string" && (asked.startsWith(LEASE) || (asked === "commit" && planned))) {
          const point = asked === "commit" ? "after-plan" : "after-lease";
          if (asked === "commit") planned = false;
          return andThen(query, this, args, () => reached(point));
        }
        // The entry is sent, and the transaction is not committed yet.
        if (typeof asked === "string" && asked.startsWith(INDEX_ENTRY)) setImmediate(() => reached("inside-index"));
        if (typeof asked !== "object" || asked.name !== "commit") return query.apply(this, args);
        reached("before-commit");
        // The statement has been sent and PostgreSQL is executing it: it may commit or not.
        setImmediate(() => reached("inside-commit"));
        const done = <Result>(result: Result) => {
          reached("after-commit");
          return result;
        };
        const pipeline = pipelineIn(args[0]);
        if (!pipeline) return (query.apply(this, args) as Promise<unknown>).then(done);
        const { callback } = pipeline;
        pipeline.callback = (error) => {
          callback(error ?? done(null));
        };
        return query.apply(this, args);
      },
  );

  // What was sent to a service has arrived there.
  wrap(
    ClientRequest.prototype,
    "emit",
    (emit) =>
      function (this: ClientRequest, ...args) {
        if (args[0] === "response") reached("after-send");
        return emit.apply(this, args);
      },
  );

  wrap(
    ServerResponse.prototype,
    "end",
    (end) =>
      function (this: ServerResponse, ...args) {
        const acknowledges = this.req.method === "POST" && this.statusCode < 300;
        if (acknowledges) {
          reached("before-reply");
          this.once("finish", () => reached("after-reply"));
        }
        return end.apply(this, args);
      },
  );
}

/** The query, and then `done`: pools give a callback, all others get a promise. */
function andThen(query: Callable, self: unknown, args: unknown[], done: () => void): unknown {
  const callback = args.at(-1);
  if (typeof callback !== "function")
    return (query.apply(self, args) as Promise<unknown>).then((value) => {
      done();
      return value;
    });
  const called = (...results: unknown[]) => {
    done();
    callback(...results);
  };
  return query.apply(self, [...args.slice(0, -1), called]);
}

function faultFrom(file: string): void {
  const fault = () => readFileSync(file, "utf8").trim();
  wrap(
    statementPrototype(),
    "run",
    (run) =>
      function (this: Sqlite.Statement, ...args) {
        const { source, database } = this;
        const now = fault();
        if (source === "begin immediate") {
          const pages = now === "full" ? database.pragma("page_count", { simple: true }) : 4294967294;
          database.pragma(`query_only = ${now === "readonly" ? 1 : 0}`);
          database.pragma(`max_page_count = ${pages}`);
        }
        if (now === "stuck" && (source === "commit" || source === "rollback"))
          throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR_WRITE");
        if (now === "broken" && source.startsWith("insert into message")) throw new Error("an injected fault");
        return run.apply(this, args);
      },
  );
  wrap(
    Sqlite.prototype,
    "pragma",
    (pragma) =>
      function (this: Sqlite.Database, ...args) {
        // A stuck database cannot be reopened either.
        if (args[0] === "journal_mode = WAL" && fault() === "stuck")
          throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR_READ");
        return pragma.apply(this, args);
      },
  );
  wrap(
    pg.Client.prototype,
    "query",
    (query) =>
      function (this: pg.Client, ...args) {
        const [asked] = args as [{ name?: string } | undefined];
        const now = fault();
        if (asked?.name !== "commit" || now === "") return query.apply(this, args);
        // PostgreSQL's own error then quotes its input.
        if (now === "garbled") return query.apply(this, [garbled(args[0])]);
        const fails =
          now === "broken"
            ? new Error("an injected fault")
            : Object.assign(new pg.DatabaseError("could not extend file", 0, "error"), { code: "53100" });
        const pipeline = pipelineIn(args[0]);
        return pipeline ? pipeline.callback(fails) : Promise.reject(fails);
      },
  );
}

/** A commit with a statement for each change: lib/db/postgres-pipeline.ts. */
type Pipeline = {
  statements: Array<{ name: string; values: Array<string | null> }>;
  callback: (error: Error | null) => void;
};

function pipelineIn(query: unknown): Pipeline | undefined {
  return typeof query === "object" && query !== null && "submit" in query ? (query as unknown as Pipeline) : undefined;
}

function garbled(query: unknown): unknown {
  const pipeline = pipelineIn(query);
  if (pipeline) {
    // Some of these texts are numbers.
    const garble = (value: string | null) => (value === null || value === "" ? value : `${value}}`);
    pipeline.statements = pipeline.statements.map(({ name, values }) => ({ name, values: values.map(garble) }));
    return query;
  }
  const asked = query as { values: string[] };
  return { ...asked, values: asked.values.map((json) => json.replaceAll('":"', '"::"')) };
}

function forget(every: number): void {
  let commits = 0;
  wrap(
    statementPrototype(),
    "run",
    (run) =>
      function (this: Sqlite.Statement, ...args) {
        if (this.source !== "commit" || ++commits % every !== 0) return run.apply(this, args);
        this.database.exec("rollback");
        return { changes: 0, lastInsertRowid: 0 };
      },
  );
}

function beCareless(): void {
  wrap(
    statementPrototype(),
    "run",
    (run) =>
      function (this: Sqlite.Statement, ...args) {
        if (this.source === "begin immediate") this.database.pragma("synchronous = OFF");
        return run.apply(this, args);
      },
  );
}

function gossip(): void {
  wrap(
    ServerResponse.prototype,
    "end",
    (end) =>
      function (this: ServerResponse, ...args) {
        process.stdout.write(`${this.req.method} ${this.req.url} ${JSON.stringify(this.req.headers)}\n`);
        return end.apply(this, args);
      },
  );
}

function hoard(): void {
  const kept: number[][] = [];
  wrap(
    Server.prototype,
    "emit",
    (emit) =>
      function (this: Server, ...args) {
        if (args[0] === "upgrade") kept.push(Array.from({ length: 50_000 }, () => kept.length));
        return emit.apply(this, args);
      },
  );
}

function hurry(): void {
  wrap(
    timers,
    "setTimeout",
    (pause) =>
      (...[, value, options]) =>
        pause.apply(timers, [0, value, options]),
  );
  syncBuiltinESMExports();
}

function blind(): void {
  wrap(
    pg.Client.prototype,
    "query",
    (query) =>
      function (this: pg.Client, ...args) {
        const [asked, ...rest] = args as [{ text?: string; values?: unknown[] } | undefined];
        const isLook = asked?.text?.includes("last_audit from conversation where id = any");
        return query.apply(this, isLook ? [{ ...asked, values: [[]] }, ...rest] : args);
      },
  );
}

function reportTo(file: string): void {
  const connections = new Map<Sqlite.Database, object>();
  const settingsOf = (db: Sqlite.Database) => ({
    file: db.name,
    readonly: db.readonly,
    synchronous: Number(db.pragma("synchronous", { simple: true })),
    journal: db.pragma("journal_mode", { simple: true }),
  });
  wrap(
    Sqlite.prototype,
    "prepare",
    (prepare) =>
      function (this: Sqlite.Database, ...args) {
        const isNew = !connections.has(this);
        if (isNew) connections.set(this, settingsOf(this));
        if (isNew && !isMainThread) write(`${file}.thread-${threadId}`, current());
        return prepare.apply(this, args);
      },
  );
  const current = () => {
    for (const db of connections.keys()) if (db.open) connections.set(db, settingsOf(db));
    return [...connections.values()];
  };
  const write = (path: string, report: unknown) => {
    writeFileSync(`${path}.part`, JSON.stringify(report));
    renameSync(`${path}.part`, path);
  };
  if (!isMainThread) return;
  process.on("SIGUSR2", () => {
    globalThis.gc?.();
    const threads = [1, 2, 3, 4].map((id) => `${file}.thread-${id}`).filter((path) => existsSync(path));
    const others = threads.flatMap((path) => JSON.parse(readFileSync(path, "utf8")) as object[]);
    write(file, { connections: [...current(), ...others], heap: process.memoryUsage().heapUsed });
  });
}

/** A number that all threads of the server see. */
function sharedNumber(name: string): Int32Array {
  const shared = getEnvironmentData(name);
  if (shared instanceof SharedArrayBuffer) return new Int32Array(shared);
  const made = new SharedArrayBuffer(4);
  setEnvironmentData(name, made);
  return new Int32Array(made);
}

function statementPrototype(): Sqlite.Statement {
  const memory = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(memory.prepare("select 1"));
  memory.close();
  return prototype;
}

type Callable = { apply: (self: unknown, args: unknown[]) => unknown };

function wrap<Self>(
  prototype: object,
  name: string,
  around: (inner: Callable) => (this: Self, ...args: unknown[]) => unknown,
) {
  const inner = Reflect.get(prototype, name) as Method & Callable;
  Reflect.set(prototype, name, around(inner));
}
