// @ts-nocheck Runs in a scratch folder with packages that Parley does not have.
// The job in BullMQ: an agent adds a question as a job and waits; a worker answers it; the agent has the result.
// `bullmq.mjs <port of Redis>`
import { Queue, QueueEvents, Worker } from "bullmq";
import { serveSlices } from "./slices.mjs";

const connection = { host: "127.0.0.1", port: Number(process.argv[2]), maxRetriesPerRequest: null };
const queue = new Queue("questions", { connection });
const events = new QueueEvents("questions", { connection });
const worker = new Worker("questions", async () => ({ answer: "Tonight" }), { connection, concurrency: 64 });
await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);

serveSlices(async (question) => {
  const job = await queue.add("ask", question);
  const { answer } = await job.waitUntilFinished(events);
  if (answer !== "Tonight") throw new Error(`not answered: ${answer}`);
});
