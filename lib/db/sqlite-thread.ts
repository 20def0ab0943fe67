// The thread that writes to SQLite while the main thread serves everybody. It does one thing after another and answers in
// that order. lib/db/sqlite-store.ts starts it.
import { parentPort, workerData } from "node:worker_threads";
import { errorText, READY, type ThreadReply, type ThreadRequest } from "./sqlite-thread-messages.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

const port = parentPort;
if (!port) throw new Error("This program runs on a thread of Parley.");
const writer = new SqliteWriter(String(workerData));
port.on("message", (request: ThreadRequest) => {
  port.postMessage(replyTo(request));
  if (request.task === "close") port.close();
});
port.postMessage(READY);

function replyTo({ task, args }: ThreadRequest): ThreadReply {
  const work = writer[task] as (...args: unknown[]) => unknown;
  try {
    return { value: work.apply(writer, args) };
  } catch (error) {
    return { error: errorText(error) };
  }
}
