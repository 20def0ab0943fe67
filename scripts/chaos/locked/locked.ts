import Sqlite from "better-sqlite3";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, errorCode, type Reply, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { readTables } from "../kit/tables.ts";

/** Every this many rounds, the lock is held for longer than the writer waits. */
const LONG = 20;
const READS = 6;

export const locked: Scenario = {
  name: "locked",
  about: "another process holds SQLite's write lock: writes wait or fail, reads go on, nothing is lost (counts locks)",
  databases: ["sqlite"],
  size: { small: 20, whole: 100 },
  run: runLocked,
};

async function runLocked(options: RunOptions): Promise<Report> {
  const { databaseUrl, log, env = {} } = options;
  const random = createRandom(options.seed);
  const program = await buildServer();
  const server = await program.start({ databaseUrl, env: { ASK_MAX_DEPTH: "1000000", ...env } });
  const client = createRestClient(() => server.port);
  const other = new Sqlite(databaseUrl.slice("file:".length), { timeout: 10_000 });
  const violations: string[] = [];
  const figures = {
    locks: 0,
    "writes that waited": 0,
    "writes refused": 0,
    "reads meanwhile": 0,
    "writes afterwards": 0,
  };
  const stored = new Set<string>();
  const refused = new Set<string>();
  const expectStored = (id: string, reply: Reply, what: string) => {
    if (reply.status === 201) stored.add(id);
    else violations.push(`${what} was answered with ${reply.status} ${reply.text.slice(0, 200)}`);
  };
  try {
    const made = await client.call("POST", "/api/sessions", {});
    const { session_id } = OPERATIONS.createSession.response.parse(made.body);
    const ask = (tool_use_id: string) =>
      client.call("POST", "/api/asks", { session_id, tool_use_id, question: `What of ${tool_use_id}?` });

    for (const round of rounds(options)) {
      const long = round % LONG === LONG - 1;
      const ids = Array.from({ length: random.between(1, 5) }, (_, i) => `locked-${round}-${i}`);
      other.exec("begin immediate");
      figures.locks++;
      const order: string[] = [];
      const writes = ids.map((id) => ask(id).finally(() => order.push("write")));
      // Any number of reads return while the lock is held and the writes wait.
      for (let i = 0; i < READS; i++) {
        const reply = await read(client, random, session_id);
        if (reply.status === 200) figures["reads meanwhile"]++;
        else violations.push(`a read under the lock was answered with ${reply.status}`);
      }
      order.push("reads");
      if (long) {
        log("holding the lock until the writer gives up");
        await Promise.all(writes);
      }
      if (!long && order[0] !== "reads") violations.push("a write came back before the lock was given up");
      other.exec(random.chance(0.5) ? "commit" : "rollback");

      for (const [index, reply] of (await Promise.all(writes)).entries()) {
        const id = ids[index] ?? "";
        if (!long) {
          figures["writes that waited"]++;
          expectStored(id, reply, "a write that waited for the lock");
        } else if (errorCode(reply) === "storage_unavailable" && reply.status === 503) {
          figures["writes refused"]++;
          refused.add(id);
        } else violations.push(`a write after the lock timeout was answered with ${reply.status}`);
      }
      const after = `after-${round}`;
      expectStored(after, await ask(after), "a write after the lock");
      figures["writes afterwards"]++;
      const seen = other.prepare("select 1 from ask where tool_use_id = ?").get(after);
      if (!seen) violations.push(`${after}: acknowledged, and not seen from another connection`);
      if (violations.length > 20) break;
    }
    const tables = await readTables(databaseUrl);
    violations.push(...violationsIn(tables));
    const there = new Set(tables.ask.map((row) => row.tool_use_id));
    for (const id of stored) if (!there.has(id)) violations.push(`${id}: acknowledged, and gone`);
    for (const id of refused)
      if (there.has(id)) violations.push(`${id}: refused with "nothing was stored", and stored`);
  } finally {
    other.close();
    client.close();
    await server.stop();
  }
  return { violations, figures };
}

function read(client: RestClient, random: Random, session_id: string): Promise<Reply> {
  const paths = ["/health", "/api/inbox", "/api/sessions", `/api/sessions/${session_id}/messages`, "/api/openapi.json"];
  return client.call("GET", random.pick(paths));
}
