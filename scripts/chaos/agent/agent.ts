import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { faultsInThread, play } from "../kit/agent-thread.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRandom } from "../kit/random.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { readTables } from "../kit/tables.ts";
import { type WaitUntil, waitUntil } from "../kit/wait-until.ts";

/** When the second kill comes: never, after the answer is acknowledged, or after it is stored but before the reply. */
export const SECOND = ["never", "after-reply", "after-commit"] as const;
/** As long as a slow machine needs: only a failure takes this time. */
const TIMEOUT_MS = 120_000;

export const agent: Scenario = {
  name: "agent",
  about: "kill -9 before and after the answer that an agent waits for: it continues in the same turn (counts rounds)",
  size: { small: 6, whole: 6 },
  run: runAgent,
};

async function runAgent(options: RunOptions): Promise<Report> {
  const { databaseUrl, log, env = {}, timeoutMs = TIMEOUT_MS } = options;
  const program = await buildServer();
  let server: ServerProcess | undefined;
  const client = createRestClient(() => server?.port ?? 0);
  const violations: string[] = [];
  const figures = {
    kills: 0,
    "turns that went on": 0,
    "answers before the kill": 0,
    never: 0,
    "after-reply": 0,
    "after-commit": 0,
  };
  const restart = async (more: Record<string, string>) => {
    if (server) {
      await server.stop("SIGKILL");
      figures.kills++;
    }
    server = await program.start({ databaseUrl, env: { ...env, ...more } });
    return server;
  };
  const until = waitUntil(timeoutMs);
  const quick = () => restart({ PARLEY_HURRY: "1" });

  const one = async (round: number) => {
    const random = createRandom(options.seed).fork(round);
    const played = play(random);
    const [last, ...before] = played.answers.toReversed();
    const { session_id, turn_id } = await begin(client, played.message);
    for (const [index, answer] of before.toReversed().entries()) {
      await respond(client, session_id, await pending(client, until, session_id, index + 1), answer);
      figures["answers before the kill"]++;
    }
    const question_id = await pending(client, until, session_id, before.length + 1);
    const second = SECOND[round % SECOND.length] ?? "never";
    figures[second]++;
    if (second === "never") await quick();
    else {
      // The agent writes at reading speed, so it has written nothing more when the kill comes.
      const doomed = await restart({ PARLEY_KILL_AT: `${second}:1` });
      doomed.child.kill("SIGUSR2");
      await client.call("GET", "/health").catch(() => undefined);
      const status = await respond(client, session_id, question_id, last).catch(() => undefined);
      if (second === "after-reply" && status !== 200) throw new Error(`the answer was acknowledged with ${status}`);
      await quick();
    }
    // A client that got no reply repeats the call verbatim; one that did may do so too.
    const status = await respond(client, session_id, question_id, last);
    if (status !== 200) throw new Error(`the answer was acknowledged with ${status}`);
    await until(async () => (await read(client, session_id)).status === "active", "the turn did not go on");
    const reply = await client.call("GET", `/api/sessions/${session_id}/messages`);
    const { messages } = OPERATIONS.readMessages.response.parse(reply.body);
    violations.push(...faultsInThread(messages, played, turn_id).map((fault) => `round ${round}: ${fault}`));
    figures["turns that went on"]++;
  };

  try {
    await quick();
    for (const round of rounds(options)) {
      await one(round).catch((error: Error) => violations.push(`round ${round}: ${error.message}`));
      if (violations.length > 0) break;
      if (round % 50 === 49) log(`${round + 1} rounds, ${figures.kills} kills`);
    }
    violations.push(...violationsIn(await readTables(databaseUrl)));
  } finally {
    client.close();
    await server?.stop("SIGKILL");
  }
  return { violations, figures };
}

async function begin(client: RestClient, text: string): Promise<{ session_id: string; turn_id: string }> {
  const made = await client.call("POST", "/api/sessions", { agent: "demo" });
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  const sent = await client.call("POST", `/api/sessions/${session_id}/messages`, { text });
  const { turn_id } = OPERATIONS.sendMessage.response.parse(sent.body);
  if (turn_id === null) throw new Error("no turn began");
  return { session_id, turn_id };
}

async function read(client: RestClient, session_id: string) {
  return OPERATIONS.readSession.response.parse((await client.call("GET", `/api/sessions/${session_id}`)).body);
}

/** Waits for the question of this round and returns its id. */
async function pending(client: RestClient, until: WaitUntil, session_id: string, round: number): Promise<string> {
  let found: string | undefined;
  await until(async () => {
    const state = await read(client, session_id);
    if (state.pending.length > 1) throw new Error(`${state.pending.length} questions are open`);
    const [ask] = state.pending;
    found = ask?.round === round ? ask.questions[0]?.question_id : undefined;
    return found !== undefined;
  }, `round ${round} was not asked`);
  return found ?? "";
}

async function respond(client: RestClient, session_id: string, question_id: string, answer: unknown): Promise<number> {
  const body = { session_id, question_id, answer };
  return (await client.call("POST", "/api/task/answer", body, { "idempotency-key": `${session_id} ${question_id}` }))
    .status;
}
