import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { kindOf, type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { readTables } from "../kit/tables.ts";
import { waitUntil } from "../kit/wait-until.ts";

const TURNS = 4;
/** As long as a slow machine needs: only a failure takes this time. */
const until = waitUntil(120_000);

export const turns: Scenario = {
  name: "turns",
  about:
    "the store fails while agents run, and one of two nodes is killed: every turn ends or continues (counts rounds)",
  size: { small: 1, whole: 1 },
  run: runTurns,
};

async function runTurns(options: RunOptions): Promise<Report> {
  const { databaseUrl, log } = options;
  const program = await buildServer();
  const folder = mkdtempSync(join(tmpdir(), "parley-turns-"));
  const faultFile = join(folder, "fault");
  const violations: string[] = [];
  const figures = { outages: 0, "turns cut off": 0, "nodes killed": 0, "turns that went on": 0 };
  const servers: ServerProcess[] = [];
  const clients: RestClient[] = [];
  const start = async (env: Record<string, string>) => {
    const server = await program.start({ databaseUrl, env });
    servers.push(server);
    const client = createRestClient(() => server.port);
    clients.push(client);
    return { server, client };
  };

  /** The storage fails while agents work; once it is back, each of their turns must end. */
  const outage = async (client: RestClient, random: Random) => {
    const ids = await Promise.all(Array.from({ length: TURNS }, () => begin(client, random.pick(["long", "port"]))));
    await sleep(random.between(0, 150));
    writeFileSync(faultFile, "full");
    await until(async () => (await client.call("POST", "/api/sessions", {})).status === 503, "nothing is refused");
    writeFileSync(faultFile, "");
    figures.outages++;
    for (const id of ids) {
      await until(async () => (await read(client, id)).status !== "streaming", `${id} is written forever`);
      const { status } = await read(client, id);
      if (status === "error") figures["turns cut off"]++;
      await client.call("POST", `/api/sessions/${id}/interrupt`);
      await client.call("POST", `/api/sessions/${id}/messages`, { text: "port" });
      await until(async () => (await read(client, id)).status === "waiting_input", `${id} takes no message any more`);
    }
  };

  /** One turn waits for an answer and another one runs when their node is killed. The other node takes over both. */
  const killed = async (survivor: RestClient) => {
    const doomed = await start({});
    const waiting = await begin(doomed.client, "port");
    await until(async () => (await read(survivor, waiting)).pending.length === 1, "nothing was asked");
    const working = await begin(doomed.client, "long");
    await doomed.server.stop("SIGKILL");
    figures["nodes killed"]++;
    const [ask] = (await read(survivor, waiting)).pending;
    const question_id = ask?.questions[0]?.question_id;
    const body = { session_id: waiting, question_id, answer: "8080" };
    const { status } = await survivor.call("POST", "/api/task/answer", body);
    if (status !== 200) violations.push(`the answer was refused with ${status}`);
    await until(async () => (await read(survivor, waiting)).status === "active", "the turn did not go on");
    await until(async () => (await read(survivor, working)).status === "interrupted", "the turn was left at work");
    figures["turns that went on"]++;
  };

  try {
    writeFileSync(faultFile, "");
    const { client } = await start({ PARLEY_HURRY: "1", PARLEY_FAULT: faultFile });
    for (const round of rounds(options)) {
      await outage(client, createRandom(options.seed).fork(round));
      if (kindOf(databaseUrl) === "postgresql") await killed(client);
      if (round % 10 === 9) log(`${round + 1} rounds`);
    }
    violations.push(...violationsIn(await readTables(databaseUrl)));
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.stop("SIGKILL")));
    rmSync(folder, { recursive: true, force: true });
  }
  return { violations, figures };
}

async function begin(client: RestClient, text: string): Promise<string> {
  const made = await client.call("POST", "/api/sessions", { agent: "demo" });
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  await client.call("POST", `/api/sessions/${session_id}/messages`, { text });
  return session_id;
}

async function read(client: RestClient, id: string) {
  return OPERATIONS.readSession.response.parse((await client.call("GET", `/api/sessions/${id}`)).body);
}
