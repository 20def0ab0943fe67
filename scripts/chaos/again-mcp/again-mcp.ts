import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { mcpMessage } from "../kit/mcp-message.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { storedJson } from "../kit/stored-json.ts";
import { readTables } from "../kit/tables.ts";
import { callMcp, type McpFault, type McpOutcome } from "./mcp-caller.ts";

const AT_ONCE = 12;
const KILLS = ["after-commit", "before-reply", "before-commit"] as const;
const FAULTS: readonly McpFault[] = ["none", "reply lost", "stream cut"];
const TOOL = "ask_user_question";
const Definition = z.object({ text: z.string() });

export const againMcp: Scenario = {
  name: "again-mcp",
  about:
    "repeated asks over MCP ask once: lost replies, cut streams, new request ids, in parallel, server killed (counts keys)",
  size: { small: 30, whole: 200 },
  run: (options) => askAgainOverMcp(options),
};

/** How a client names a call, so that Parley recognises it when the call is repeated. */
type Naming = (attempt: string) => { meta?: Record<string, unknown>; arguments?: Record<string, unknown> };

/** `forgetful` makes callers choose a new name for every attempt; a test checks that this is detected. */
export async function askAgainOverMcp(options: RunOptions, forgetful = false): Promise<Report> {
  const { databaseUrl, log } = options;
  const violations: string[] = [];
  const figures = { keys: 0, calls: 0, "reply lost": 0, "stream cut": 0, "broken off": 0, kills: 0 };
  const program = await buildServer();
  const lives = createRandom(options.seed).fork("lives");
  let server: ServerProcess | undefined;
  let ending = false;
  let lost: Error | undefined;

  /** Kills the server at a named point and starts it again, over and over, until the work is done. */
  const keepAlive = async () => {
    while (!ending) {
      // The first kill comes before the least work is done, however many changes share a commit.
      const count = figures.kills === 0 ? lives.between(3, 8) : lives.between(60, 240);
      const point = `${lives.pick(KILLS)}:${count}`;
      const env = { ASK_MAX_DEPTH: "1000000", PARLEY_KILL_AT: point };
      server = await program.start({ databaseUrl, env });
      server.child.kill("SIGUSR2");
      await server.exited;
      server = undefined;
      if (!ending) figures.kills++;
    }
  };
  const port = () => server?.port ?? 0;
  const rest = createRestClient(port);
  const alive = keepAlive();
  alive.catch((error: Error) => {
    lost = error;
  });
  /** Waits until the server is up again. Throws if it no longer starts. */
  const up = async () => {
    while (!server) {
      if (lost) throw lost;
      await sleep(20);
    }
  };
  const insist = persistence(rest, up);

  const one = async (round: number, session_id: string) => {
    const random = createRandom(options.seed).fork(round);
    const question = `Question ${round}?`;
    const naming = namingOf(random, round, session_id);
    let attempts = 0;
    const caller = async (own: Random): Promise<McpOutcome> => {
      for (;;) {
        await up();
        const fault = own.pick(FAULTS);
        const id = `${round}/${attempts++}`;
        const { meta, arguments: names } = naming(forgetful ? id : "");
        const call = { name: TOOL, arguments: { question, ...names } };
        const message = mcpMessage(own, { id, method: "tools/call", call, meta: { progressToken: id, ...meta } });
        figures.calls++;
        const outcome = await callMcp(port(), message, fault, own);
        // Parley stopped, or does not know the outcome. It tells the caller to try again, so the caller does.
        if (outcome && !/^storage_unavailable|Call wait_for_answer/.test(outcome.text)) return outcome;
        figures[fault === "none" ? "broken off" : fault]++;
        await sleep(own.between(0, 30));
      }
    };
    const callers = Array.from({ length: random.between(1, 4) }, (_, index) => caller(random.fork(index)));
    let done = false;
    const allDone = Promise.all(callers).finally(() => {
      done = true;
    });
    const [outcomes] = await Promise.all([allDone, answerAll(insist, question, () => done)]);
    const wrong = (what: string) => violations.push(`key ${round}: ${what}`);
    const places = new Set(outcomes.map(({ reply }) => `${reply?.session_id}/${reply?.tool_use_id}`));
    if (places.size > 1) wrong(`found several asks: ${[...places]}`);
    for (const { reply, text } of outcomes)
      if (reply?.result?.answers[0]?.text !== `Answer to ${question}`) wrong(`got ${text.slice(0, 300)}`);
    figures.keys++;
    if (figures.keys % 500 === 0) log(`${figures.keys} keys, ${figures.calls} calls, ${figures.kills} kills`);
  };

  try {
    const { session_id } = OPERATIONS.createSession.response.parse(await insist("POST", "/api/sessions", {}));
    const numbers = rounds(options);
    const worker = async () => {
      for (const round of numbers) await one(round, session_id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } catch (error) {
    violations.push(`the server is gone: ${error instanceof Error ? error.message : error}`);
  } finally {
    ending = true;
    rest.close();
    server?.child.kill("SIGKILL");
    await alive.catch(() => {});
  }
  violations.push(...(await askedTwice(databaseUrl, figures.keys)), ...(await rowViolations(databaseUrl)));
  return { violations, figures };
}

function namingOf(random: Random, round: number, session_id: string): Naming {
  return random.pick<Naming>([
    (attempt) => ({ meta: { "claudecode/toolUseId": `toolu_${round}${attempt}` } }),
    (attempt) => ({ meta: { "parley/callId": `call_${round}${attempt}` } }),
    (attempt) => ({ arguments: { idempotency_key: `key_${round}${attempt}` } }),
    (attempt) => ({ arguments: { session_id, tool_use_id: `tool_${round}${attempt}` } }),
    (attempt) => ({ arguments: { session_id }, meta: { "claudecode/toolUseId": `in_${round}${attempt}` } }),
  ]);
}

type RetryCall = (method: string, path: string, body?: unknown, key?: string) => Promise<unknown>;

/** Repeats a REST call until there is a reply, even if the server dies in between. */
function persistence({ call }: RestClient, up: () => Promise<void>): RetryCall {
  return async (method, path, body, key) => {
    for (;;) {
      await up();
      const reply = await call(method, path, body, key ? { "idempotency-key": key } : {}).catch(() => undefined);
      if (reply && reply.status < 500) return reply.body;
      await sleep(20);
    }
  };
}

/** Answers every ask of this question for as long as a caller waits. */
async function answerAll(insist: RetryCall, question: string, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const page = await insist("GET", `/api/inbox?q=${encodeURIComponent(question)}`);
    const { items } = OPERATIONS.inbox.response.parse(page);
    for (const { session_id, tool_use_id, question: asked } of items) {
      if (asked !== question) continue;
      const answers = { "0": `Answer to ${question}` };
      await insist("POST", "/api/task/answer", { session_id, tool_use_id, answers }, `${session_id} ${tool_use_id}`);
    }
    await sleep(25);
  }
}

async function askedTwice(databaseUrl: string, keys: number): Promise<string[]> {
  const { question } = await readTables(databaseUrl);
  const texts = question.map(({ definition }) => storedJson(Definition, definition).text);
  const count = new Map<string, number>();
  for (const text of texts) count.set(text, (count.get(text) ?? 0) + 1);
  const twice = [...count].filter(([, times]) => times > 1).map(([text, times]) => `${text} was asked ${times} times`);
  return count.size === keys ? twice : [...twice, `${count.size} questions were asked for ${keys} keys`];
}
