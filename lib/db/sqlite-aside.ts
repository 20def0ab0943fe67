import { Worker } from "node:worker_threads";
import { StorageError } from "./errors.ts";
import type { Query } from "./query.ts";
import { threadProgram } from "./sqlite-store.ts";
import { errorOf, READY, type ThreadData, type ThreadReply, type ThreadRequest } from "./sqlite-thread-messages.ts";
import { placeParameters, valuesOf } from "./statement.ts";

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/**
 * Reads that may take long, on a separate thread with their own connection: a search through a million questions must
 * not keep anyone waiting. The thread starts with the first of them, and again if it has crashed.
 */
export class SqliteAside {
  readonly #path: string;
  #thread: Worker | undefined;
  /** What the thread has been asked and has not answered, in order. */
  #pending: Pending[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  async read<Params extends object, Row>({ sql }: Query<Params, Row>, params: Params): Promise<Row[]> {
    const { text, names } = placeParameters(sql);
    const thread = this.#started();
    thread.ref();
    const rows = await new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      thread.postMessage({ task: "read", args: [text, valuesOf(names, params)] } satisfies ThreadRequest);
    });
    return rows as Row[];
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #started(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(threadProgram(), { workerData: { reads: this.#path } satisfies ThreadData });
    this.#thread = thread;
    thread.on("message", (reply: typeof READY | ThreadReply) => {
      if (reply === READY) return;
      const next = this.#pending.shift();
      // It keeps the process alive only while someone waits for it.
      if (this.#pending.length === 0) thread.unref();
      if ("error" in reply) next?.reject(errorOf(reply.error));
      else next?.resolve(reply.value);
    });
    let reason = "its thread ended";
    thread.on("error", (error) => {
      reason = error.message;
    });
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
      const lost = new StorageError(`The database's reader stopped (${reason}).`);
      for (const { reject } of this.#pending.splice(0)) reject(lost);
    });
    return thread;
  }
}
