import { setTimeout as sleep } from "node:timers/promises";
import type { InboxItem } from "../../../lib/protocol/inbox.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type Reply } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { waitUntil } from "../kit/wait-until.ts";

const TOGETHER = 3;
const PAUSE_MS = 100;
/** How many writes to the index a server lives for at most. */
const MAX_WRITES = 3;
/** As long as a slow machine needs: only a failure takes this time. */
const TIMEOUT_MS = 120_000;

export const search: Scenario = {
  name: "search",
  about: "kill -9 while the search index is written: afterwards every question is found, and none twice (counts kills)",
  size: { small: 1, whole: 2 },
  run: (options) => searchAfterKills(options),
};

type Asked = { word: string; session_id: string; tool_use_id: string; isSettled: boolean };

/** `spoil` changes the index behind Parley's back: a test plants a fault with it, which must be detected. */
export async function searchAfterKills(
  options: RunOptions,
  spoil: () => void | Promise<void> = () => {},
): Promise<Report> {
  const { databaseUrl } = options;
  const random = createRandom(options.seed);
  const program = await buildServer();
  let server: ServerProcess | undefined;
  const client = createRestClient(() => server?.port ?? 0);
  const asked: Asked[] = [];
  const violations: string[] = [];
  const figures = { kills: 0, questions: 0, settled: 0 };
  const start = async (env: Record<string, string> = {}) => {
    server = await program.start({ databaseUrl, env: { ASK_MAX_DEPTH: "1000000", ...env } });
    return server;
  };
  /** Undefined if the server was killed before its reply. */
  const post = async (path: string, body: object): Promise<Reply | undefined> => {
    const reply = await client.call("POST", path, body).catch(() => undefined);
    if (reply && reply.status >= 300) throw new Error(`${path} was answered with ${reply.status} ${reply.text}`);
    return reply;
  };
  const find = async (q: string): Promise<InboxItem[]> => {
    const reply = await client.call("GET", `/api/inbox?status=all&limit=200&q=${encodeURIComponent(q)}`);
    return OPERATIONS.inbox.response.parse(reply.body).items;
  };
  const work = async (name: string, own: Random) => {
    const word = `needle${name}`;
    // A separate title: otherwise the first question would be the title, and a search would find the others by it too.
    const place = { session_key: own.id(1), title: "haystack" };
    const made = await post("/api/asks", { tool_use_id: name, ...place, question: `Where is ${word}?` });
    if (!made) return;
    const { session_id, tool_use_id } = OPERATIONS.ask.response.parse(made.body).ask;
    const one: Asked = { word, session_id, tool_use_id, isSettled: false };
    asked.push(one);
    if (own.chance(0.4)) return;
    const answer = { session_id, question_id: tool_use_id, answer: "here" };
    // Without a reply, the answer may be stored or not.
    if (await post("/api/task/answer", answer)) one.isSettled = true;
    else asked.splice(asked.indexOf(one), 1);
  };

  try {
    for (const round of rounds(options)) {
      const doomed = await start({ PARLEY_KILL_AT: `inside-index:${random.between(1, MAX_WRITES)}` });
      doomed.child.kill("SIGUSR2");
      let isGone = false;
      void doomed.exited.then(() => {
        isGone = true;
      });
      const end = Date.now() + TIMEOUT_MS;
      for (let step = 0; !isGone; step++) {
        if (Date.now() > end) throw new Error("the index was never written");
        const names = Array.from({ length: TOGETHER }, (_, nth) => `r${round}s${step}n${nth}`);
        await Promise.all(names.map((name) => work(name, random.fork(name))));
        await sleep(PAUSE_MS);
      }
      figures.kills++;
    }
    await start();
    const look = async ({ word, isSettled }: Asked) => {
      const statuses = (await find(`Where is ${word}?`)).map(({ status }) => status).join(", ");
      const expected = isSettled ? "closed" : "open";
      return statuses === expected ? [] : [`${word}: found "${statuses}", and it is ${expected}`];
    };
    const until = waitUntil(TIMEOUT_MS);
    for (const one of asked)
      await until(async () => (await look(one)).length === 0, `${one.word} is not found once, as it is`);
    await spoil();
    for (const one of asked) violations.push(...(await look(one)));
    figures.questions = asked.length;
    figures.settled = asked.filter(({ isSettled }) => isSettled).length;
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    client.close();
    await server?.stop("SIGKILL");
  }
  return { violations, figures };
}
