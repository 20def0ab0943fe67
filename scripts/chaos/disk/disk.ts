import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRestClient, errorCode, type Reply, type RestClient } from "../kit/rest-client.ts";
import { kindOf, type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer, type ServerProgram } from "../kit/server-program.ts";
import { readTables } from "../kit/tables.ts";
import { FAULTS, type Fault, type Faulty } from "./faults.ts";

/** As long as a slow machine needs: only a failure takes this time. */
const HEALS_MS = 120_000;
const MAX_WRITES = 400;

export const disk: Scenario = {
  name: "disk",
  about:
    "a full, read-only, failing or absent store: 503, no false acknowledgement, recovery without a restart (counts rounds)",
  size: { small: 1, whole: 1 },
  run: (options) => runDisk(options),
};

export async function runDisk(options: RunOptions, faults: readonly Fault[] = FAULTS): Promise<Report> {
  const { databaseUrl, log, env = {} } = options;
  const program = await buildServer();
  const violations: string[] = [];
  const skipped = new Set<string>();
  const figures = { faults: 0, acknowledged: 0, "refused with 503": 0, "after healing": 0 };
  for (const round of rounds(options)) {
    for (const fault of faults.filter(({ database }) => database === kindOf(databaseUrl))) {
      const missing = fault.missing();
      if (missing !== undefined) {
        skipped.add(`${fault.name}: ${missing}`);
        continue;
      }
      log(fault.name);
      const faulty = fault.prepare(databaseUrl);
      const found = await tryOut(program, faulty, fault, `${round}-${figures.faults++}`, figures, env).finally(
        faulty.remove,
      );
      violations.push(...found.map((what) => `${fault.name}: ${what}`));
    }
  }
  return { violations, figures, skipped: [...skipped] };
}

type Figures = { acknowledged: number; "refused with 503": number; "after healing": number };

async function tryOut(
  program: ServerProgram,
  faulty: Faulty,
  fault: Fault,
  name: string,
  figures: Figures,
  env: Record<string, string>,
): Promise<string[]> {
  const { databaseUrl } = faulty;
  const server = await program.start({ databaseUrl, env: { ASK_MAX_DEPTH: "1000000", ...env, ...faulty.env } });
  const client = createRestClient(() => server.port);
  const made = await client.call("POST", "/api/sessions", {});
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  const found: string[] = [];
  const stored = new Set<string>();
  const refused = new Set<string>();
  const answers = new Set<string>();
  const sessions = new Set([session_id]);
  let asked = 0;
  const ask = async (): Promise<Reply> => {
    const tool_use_id = `disk-${name}-${asked++}`;
    const reply = await client.call("POST", "/api/asks", { session_id, tool_use_id, question: "Well? ".repeat(50) });
    (reply.status === 201 ? stored : refused).add(tool_use_id);
    return reply;
  };
  try {
    for (let i = 0; i < 5; i++) if ((await ask()).status !== 201) found.push("a write before the fault was refused");

    await faulty.begin(server.pid);
    // A nearly full disk may take a little more. Whatever it takes must still be there afterwards.
    let reply = await ask();
    for (let writes = 0; reply.status === 201 && writes < MAX_WRITES; writes++) reply = await ask();
    const answered = { session_id, question_id: `disk-${name}-0`, answer: "no" };
    const first = await client.call("POST", "/api/task/answer", answered);
    if (first.status === 200) answers.add(answered.question_id);
    const second = await client.call("POST", "/api/sessions", {});
    if (second.status === 201) sessions.add(OPERATIONS.createSession.response.parse(second.body).session_id);
    for (const { status, text, body } of [
      reply,
      first,
      second,
      ...(await Promise.all(Array.from({ length: 10 }, ask))),
    ]) {
      if (status === 503 && errorCode({ body }) === "storage_unavailable") figures["refused with 503"]++;
      else if (status >= 300) found.push(`a write was answered with ${status} ${text.slice(0, 200)}`);
    }
    if (reply.status === 201) found.push("the fault hindered no write");
    if (fault.reads) found.push(...(await readable(client, session_id)));
    const { status, body } = await client.call("GET", "/health");
    const { database } = body as { database?: string };
    if (status !== 503 || database !== fault.health) found.push(`/health says ${status}, ${database}`);

    await faulty.end();
    await healed(ask);
    if ((await client.call("GET", "/health")).status !== 200) found.push("/health says nothing of the recovery");
    const answer = { session_id, question_id: `disk-${name}-2`, answer: "yes" };
    if ((await client.call("POST", "/api/task/answer", answer)).status === 200) answers.add(answer.question_id);
    else found.push("an answer after healing was refused");
    figures["after healing"]++;
    figures.acknowledged += stored.size;

    const tables = await readTables(databaseUrl);
    const there = new Set(tables.ask.map((row) => row.tool_use_id));
    found.push(...violationsIn(tables));
    for (const id of stored) if (!there.has(id)) found.push(`${id}: acknowledged, and gone`);
    for (const id of refused) if (there.has(id)) found.push(`${id}: refused, and stored`);
    const storedAnswers = tables.answer
      .map((row) => String(row.question_id))
      .filter((id) => id.startsWith(`disk-${name}-`));
    if (storedAnswers.join() !== [...answers].join()) found.push(`answers to ${storedAnswers.join(", ")} are stored`);
    for (const id of sessions)
      if (!tables.conversation.some((row) => row.id === id)) found.push(`${id}: acknowledged, and gone`);
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  } finally {
    await faulty.end();
    client.close();
    await server.stop("SIGKILL");
  }
  return found;
}

async function readable(client: RestClient, session_id: string): Promise<string[]> {
  const paths = ["/api/inbox", `/api/sessions/${session_id}`, `/api/sessions/${session_id}/messages`];
  const replies = await Promise.all(paths.map((path) => client.call("GET", path)));
  return replies.flatMap(({ status }, index) =>
    status === 200 ? [] : [`GET ${paths[index]} was answered with ${status}`],
  );
}

/** Retries a refused ask, as the error says, until one is accepted. */
async function healed(ask: () => Promise<Reply>): Promise<void> {
  const until = Date.now() + HEALS_MS;
  while ((await ask()).status !== 201) {
    if (Date.now() > until) throw new Error(`did not heal within ${HEALS_MS} ms`);
    await sleep(100);
  }
}
