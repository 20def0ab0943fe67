import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Ask } from "../../../lib/domain/ask.ts";
import { agent, by, type Node, person, withNodes } from "../kit/node.ts";
import type { Report, RunOptions, Scenario } from "../kit/scenario.ts";

const BATCH = 500;
const LIMITS = { maxDepth: 1_000_000 };
/** Memory that one open wait may take: its entry, its promise and its timer. */
const MAX_BYTES = 4_096;

export const crowd: Scenario = {
  name: "crowd",
  about: "many open waits at once are cheap, and each is released by its answer (counts waits)",
  size: { small: 2_000, whole: 10_000 },
  run: waitTogether,
};

async function waitTogether({ databaseUrl, times, log }: RunOptions): Promise<Report> {
  return withNodes(databaseUrl, [{ limits: LIMITS, sweepMs: 1_000 }], async ([node]) => {
    const { hub } = node as Node;
    const violations: string[] = [];
    const conversation_id = await hub.createConversation(by(agent("asker")), {});
    const ids = Array.from({ length: times }, (_, index) => `wait ${index}`);
    const question = "Go on?";
    await inBatches(ids, (tool_use_id) => hub.ask(by(agent("asker")), { conversation_id, tool_use_id, question }));
    log("asked");

    const before = heapUsed();
    const waits: Array<Promise<Ask>> = [];
    for (const [index, tool_use_id] of ids.entries()) {
      waits.push(hub.wait(by(agent("asker")), { conversation_id, tool_use_id, seconds: 300 }));
      if (index % BATCH === 0) await hub.inbox(by(agent("asker")), { limit: 1 });
    }
    await hub.inbox(by(agent("asker")), { limit: 1 });
    if (hub.waiting() !== times) violations.push(`${hub.waiting()} of ${times} wait`);
    const bytes = Math.round((heapUsed() - before) / times);
    if (bytes > MAX_BYTES) violations.push(`a wait takes ${bytes} bytes`);
    log("waiting");

    await inBatches(ids, (question_id) =>
      hub.answer(by(person("ann")), { conversation_id, question_id, answer: question_id }),
    );
    const released = await Promise.all(waits);
    const wrong = released.filter((ask) => ask.result?.answers[0]?.value !== ask.tool_use_id);
    if (wrong.length > 0) violations.push(`${wrong.length} of ${times} waits got no answer, or another's`);
    if (hub.waiting() > 0) violations.push(`${hub.waiting()} waits are left behind`);
    return { violations, figures: { waits: released.length, "bytes a wait": bytes } };
  });
}

/** As many calls at a time as a busy server has requests, not all of them at once. */
async function inBatches<Item>(items: Item[], run: (item: Item) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += BATCH) await Promise.all(items.slice(from, from + BATCH).map(run));
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
