import { Worker } from "node:worker_threads";
import { committedAt } from "./audit-rows.ts";
import type { Change, Committed } from "./change.ts";
import { OutcomeUnknown } from "./errors.ts";
import { packChanges } from "./packed-changes.ts";
import {
  errorOf,
  READY,
  type Task,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
} from "./sqlite-thread-messages.ts";
import { SqliteWriter } from "./sqlite-writer.ts";
import type { Statement } from "./statement.ts";

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const RESTART_MS = 5_000;

/**
 * Everything that writes to SQLite. Batches are committed on another thread, so that neither their rows nor the disk keep
 * anyone waiting (64 askers: 360 µs of the main thread's time per round trip instead of 535). A lone change is written here,
 * because the way to the thread and back takes longer (one asker: 1.8 ms of CPU time per round trip instead of 2.2). The two
 * connections never write at once: nothing is written here while the thread has work.
 *
 * The thread starts with the first batch. Until it is ready, and while it is being replaced after a crash, everything is
 * written here.
 */
export class SqliteStore {
  readonly #path: string;
  readonly #program: URL;
  readonly #here: SqliteWriter;
  #thread: Worker | undefined;
  #isReady = false;
  #restartAt = 0;
  /** What the thread has been told and has not answered, in order. */
  #pending: Pending[] = [];

  constructor(path: string, program = threadProgram()) {
    this.#path = path;
    this.#program = program;
    this.#here = new SqliteWriter(path);
  }

  /** Whether batches go to the thread at the moment. */
  get isThreaded(): boolean {
    return this.#isReady;
  }

  async commit(changes: Change[]): Promise<Committed[]> {
    const isLone = changes.length === 1;
    if (!isLone && !this.#thread) this.#start();
    const useThread = this.#isReady && !(isLone && this.#pending.length === 0);
    const placed = useThread ? await this.#do("commitPacked", packChanges(changes)) : this.#here.commit(changes);
    return changes.map((change, index) => committedAt(change, placed[index]));
  }

  /** All statements or none. */
  async runAll(statements: Statement[]): Promise<void> {
    await this.#do("runAll", statements);
  }

  /** A single statement outside the commits; returns the number of rows it wrote. */
  run(statement: Statement): Promise<number> {
    return this.#do("run", statement);
  }

  checkpoint(): Promise<void> {
    return this.#do("checkpoint");
  }

  /** Rejects if the file cannot be opened for writing. */
  async check(): Promise<void> {
    this.#here.check();
    await this.#do("check");
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread) {
      const ended = new Promise((resolve) => thread.once("exit", resolve));
      if (this.#isReady) await this.#tell("close");
      else await thread.terminate();
      await ended;
    }
    this.#here.close();
  }

  async #do<Name extends Task>(
    task: Name,
    ...args: Parameters<SqliteWriter[Name]>
  ): Promise<ReturnType<SqliteWriter[Name]>> {
    if (this.#isReady) return (await this.#tell(task, ...args)) as ReturnType<SqliteWriter[Name]>;
    const work = this.#here[task] as (...args: Parameters<SqliteWriter[Name]>) => ReturnType<SqliteWriter[Name]>;
    return work.apply(this.#here, args);
  }

  #tell(task: Task, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#thread?.ref();
      this.#pending.push({ resolve, reject });
      this.#thread?.postMessage({ task, args } satisfies ThreadRequest);
    });
  }

  #start(): void {
    if (performance.now() < this.#restartAt) return;
    this.#restartAt = performance.now() + RESTART_MS;
    const thread = new Worker(this.#program, { workerData: { writes: this.#path } satisfies ThreadData });
    this.#thread = thread;
    // It keeps the process alive only while someone waits for it.
    thread.unref();
    thread.on("message", (reply: typeof READY | ThreadReply) => {
      if (reply === READY) this.#isReady = true;
      else this.#settle(thread, reply);
    });
    let reason = "its thread ended";
    thread.on("error", (error) => {
      reason = error.message;
    });
    // By now its connection is closed: what it was told is committed, or never will be.
    thread.on("exit", () => {
      this.#thread = undefined;
      this.#isReady = false;
      const lost = new OutcomeUnknown(`The database's writer stopped (${reason}).`);
      for (const { reject } of this.#pending.splice(0)) reject(lost);
    });
  }

  #settle(thread: Worker, reply: ThreadReply): void {
    const next = this.#pending.shift();
    if (this.#pending.length === 0) thread.unref();
    if ("error" in reply) next?.reject(errorOf(reply.error));
    else next?.resolve(reply.value);
  }
}

/** A bundle `server.js` has its own next to it, `server-thread.js`. */
export function threadProgram(): URL {
  const here = import.meta.url;
  if (here.endsWith(".ts")) return new URL("../../scripts/setup/sqlite-thread.mjs", here);
  return new URL(here.replace(/\.js$/, "-thread.js"));
}
