import type { DatabaseKind } from "../scripts/throwaway/database.ts";
import { Bench } from "./bench.ts";
import { buildPrograms, removePrograms } from "./build.ts";
import { type Part, readOptions } from "./options.ts";
import { answerCpu } from "./parts/answer-cpu.ts";
import { growth } from "./parts/growth.ts";
import { inbox } from "./parts/inbox.ts";
import { insights } from "./parts/insights.ts";
import { job } from "./parts/job.ts";
import { memory } from "./parts/memory.ts";
import { notify } from "./parts/notify.ts";
import { pageViews } from "./parts/page-views.ts";
import { pages } from "./parts/pages.ts";
import { peers } from "./parts/peers.ts";
import { profile } from "./parts/profile.ts";
import { search } from "./parts/search.ts";
import { sockets } from "./parts/sockets.ts";
import { stalls } from "./parts/stalls.ts";
import { tabs } from "./parts/tabs.ts";
import { team } from "./parts/team.ts";
import { type Line, table } from "./table.ts";
import { writeTable } from "./write-table.ts";

const PARTS: Record<Part, (bench: Bench, kind: DatabaseKind) => Promise<Line[]>> = {
  job,
  "answer-cpu": answerCpu,
  inbox,
  team,
  notify,
  sockets,
  pages,
  tabs,
  "page-views": pageViews,
  memory,
  search,
  insights,
  stalls,
  peers,
  growth,
};
/**
 * Bare servers with the product's rows exist for SQLite only, pages do not depend on the database, and only SQLite blocks
 * the thread while it reads.
 */
const ONLY_SQLITE: Part[] = ["answer-cpu", "sockets", "pages", "tabs", "stalls", "peers"];

const options = readOptions(process.argv.slice(2));
await buildPrograms();
const bench = new Bench(options);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    bench.say(`ended by ${signal}`);
    process.exit(1);
  });
}
const lines: Line[] = [];
try {
  if (options.profile) for (const kind of options.kinds) process.stdout.write(`${await profile(bench, kind)}\n`);
  else await measure();
} finally {
  // Also after a failure, so that earlier measurements are not lost.
  if (lines.length > 0) process.stdout.write(`\n${table(lines)}\n`);
  await bench.end();
  await removePrograms();
}

async function measure(): Promise<void> {
  for (const part of options.parts) {
    for (const kind of options.kinds) {
      if (kind !== "sqlite" && ONLY_SQLITE.includes(part)) continue;
      bench.say(`${part}, ${kind}`);
      lines.push(...(await PARTS[part](bench, kind)));
    }
  }
  if (options.write) writeTable(lines, options);
}
