// A thread that writes to SQLite, or reads what takes long, while the main thread serves everyone. It does one thing after
// another and answers in that order. lib/db/sqlite-store.ts starts it to write, lib/db/sqlite-aside.ts to read.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteReads } from "./sqlite-reads.ts";
import { errorText, READY, type ThreadData, type ThreadReply, type ThreadRequest } from "./sqlite-thread-messages.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

const port = parentPort;
if (!port) throw new Error("This program runs on a thread of Parley.");
const { writes, reads }: ThreadData = workerData;
const writer = writes === undefined ? undefined : new SqliteWriter(writes);
const reader = reads === undefined ? undefined : new SqliteReads(reads);
port.on("message", (request: ThreadRequest) => {
  port.postMessage(replyTo(request));
  if (request.task === "close") port.close();
});
port.postMessage(READY);

function replyTo({ task, args }: ThreadRequest): ThreadReply {
  const connection = task === "read" ? reader : writer;
  const work = Reflect.get(connection ?? {}, task) as (...args: unknown[]) => unknown;
  try {
    return { value: work.apply(connection, args) };
  } catch (error) {
    return { error: errorText(error) };
  }
}
