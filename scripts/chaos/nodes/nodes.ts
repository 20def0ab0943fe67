import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresProxy, postgresProxy } from "../../../lib/db/test-postgres-proxy.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { TestClient } from "../../../lib/realtime/test-client.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { faultsInThread, type Play, play } from "../kit/agent-thread.ts";
import { violationsIn } from "../kit/invariants.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type Reply, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { readTables } from "../kit/tables.ts";
import { waitUntil } from "../kit/wait-until.ts";
import { breakLink, NODE_FAULTS } from "./faults.ts";

const ASKS = 4;
const LONGEST_FAULT_MS = 2_000;
/** As long as a slow machine needs: only a failure takes this time. */
const TIMEOUT_MS = 120_000;
/** Much longer than an orderly stop takes. */
const STOP_MS = 50_000;

type Node = { proxy: PostgresProxy; server: ServerProcess; client: RestClient; inbox: TestClient };
type WatchedAsk = {
  session_id: string;
  tool_use_id: string;
  answer: string;
  watchers: TestClient[];
  outcome: Promise<string>;
};
type Turn = { session_id: string; turn_id: string; played: Play };

export const nodes: Scenario = {
  name: "nodes",
  about:
    "two nodes and a PostgreSQL that hangs, restarts, is cut off or loses notifications: nothing is lost, everyone learns the outcome (counts faults)",
  databases: ["postgresql"],
  size: { small: NODE_FAULTS.length, whole: NODE_FAULTS.length },
  run: runNodes,
};

export async function runNodes(options: RunOptions): Promise<Report> {
  const { databaseUrl, log, env = {}, timeoutMs = TIMEOUT_MS } = options;
  const program = await buildServer();
  const cluster: Node[] = [];
  const violations: string[] = [];
  const figures = {
    faults: 0,
    "asks answered": 0,
    "answers tried again": 0,
    "turns that went on": 0,
    "notes stored": 0,
  };
  const settings = { PARLEY_HURRY: "1", DATABASE_TIMEOUT_S: "5", ASK_MAX_DEPTH: "1000000", ...env };

  const startNode = async () => {
    const proxy = await postgresProxy(databaseUrl);
    const server = await program.start({ databaseUrl: proxy.url, env: settings });
    const client = createRestClient(() => server.port);
    const inbox = await new TestClient(`http://127.0.0.1:${server.port}`).connected();
    await inbox.send("inbox.subscribe", {});
    cluster.push({ proxy, server, client, inbox });
  };
  const until = waitUntil(TIMEOUT_MS);
  const untilShown = waitUntil(timeoutMs);
  /** A client that does not give up: the same call with the same key, at any node, until it is acknowledged. */
  const insist = async (random: Random, method: string, path: string, body: object, key: string): Promise<Reply> => {
    for (const end = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
      const { client } = random.pick(cluster);
      const reply = await client.call(method, path, body, { "idempotency-key": key }).catch(() => undefined);
      if (reply && reply.status < 300) return reply;
      if (reply && reply.status !== 503) throw new Error(`${path} was answered with ${reply.status} ${reply.text}`);
      if (Date.now() > end) throw new Error(`${path} is refused although PostgreSQL is there: ${reply?.text}`);
      figures["answers tried again"]++;
    }
  };
  /** Every node reads and writes again: it may still be recovering when the fault has ended. */
  const recovered = async () => {
    for (const { client } of cluster)
      for (const [method, path] of [
        ["POST", "/api/sessions"],
        ["GET", "/api/sessions"],
      ] as const)
        await until(async () => {
          const reply = await client.call(method, path, method === "POST" ? {} : undefined).catch(() => undefined);
          return reply !== undefined && reply.status < 300;
        }, `${method} ${path} is refused although PostgreSQL is there`);
  };
  /** The outcome of the ask, as reported to a caller that waits at this node. */
  const outcomeOf = async (
    { client }: Node,
    { session_id, tool_use_id }: Pick<WatchedAsk, "session_id" | "tool_use_id">,
  ) => {
    const path = `/api/asks/${tool_use_id}?session_id=${session_id}&wait=10`;
    for (const end = Date.now() + 2 * TIMEOUT_MS; Date.now() < end; ) {
      const reply = await client.call("GET", path).catch(() => undefined);
      const ask = reply?.status === 200 ? OPERATIONS.readAsk.response.parse(reply.body).ask : undefined;
      if (ask && ask.status !== "pending") return JSON.stringify(ask.questions[0]?.answer);
      if (!ask) await sleep(100);
    }
    return "nothing";
  };

  const beginAsk = async (random: Random, name: string): Promise<WatchedAsk> => {
    const at = random.pick(cluster);
    const made = await at.client.call("POST", "/api/asks", { tool_use_id: name, question: `What of ${name}?` });
    const { session_id } = OPERATIONS.ask.response.parse(made.body).ask;
    const asked = { session_id, tool_use_id: name };
    const watchers = await Promise.all(cluster.map((node) => watch(node, session_id)));
    await until(() => watchers.every((watcher) => watcher.messages().length > 0), `${name} is not shown`);
    return { ...asked, answer: `answer ${random.id()}`, watchers, outcome: outcomeOf(random.pick(cluster), asked) };
  };
  const beginTurn = async (random: Random): Promise<Turn> => {
    const { client } = random.pick(cluster);
    const played = play(random);
    const made = await client.call("POST", "/api/sessions", { agent: "demo" });
    const { session_id } = OPERATIONS.createSession.response.parse(made.body);
    const sent = await client.call("POST", `/api/sessions/${session_id}/messages`, { text: played.message });
    const { turn_id } = OPERATIONS.sendMessage.response.parse(sent.body);
    await until(async () => (await stateOf(client, session_id))?.pending.length === 1, "the agent does not ask");
    return { session_id, turn_id: turn_id ?? "", played };
  };

  const answer = async (random: Random, { session_id, tool_use_id, answer }: WatchedAsk) => {
    const body = { session_id, question_id: tool_use_id, answer };
    await insist(random, "POST", "/api/task/answer", body, `${session_id} ${tool_use_id}`);
  };
  /** Answers every question of the turn and waits for its end. */
  const goOn = async (random: Random, { session_id, played }: Turn) => {
    for (const [index, answer] of played.answers.entries()) {
      let question_id = "";
      await until(
        async () => {
          const [ask] = (await stateOf(random.pick(cluster).client, session_id))?.pending ?? [];
          question_id = (ask?.round === index + 1 && ask.questions[0]?.question_id) || "";
          return question_id !== "";
        },
        `${session_id}: round ${index + 1} is not asked`,
      );
      const body = { session_id, question_id, answer };
      await insist(random, "POST", "/api/task/answer", body, `${session_id} ${question_id}`);
    }
    const ended = async () => (await stateOf(random.pick(cluster).client, session_id))?.status === "active";
    await until(ended, `${session_id}: the turn does not end`);
  };
  /** Never retried: an acknowledged note must be there once, and nobody relies on a refused one. */
  const note = async (random: Random, { session_id }: WatchedAsk): Promise<{ session_id: string; text: string }[]> => {
    const text = `note ${random.id()}`;
    const path = `/api/sessions/${session_id}/messages`;
    const reply = await random
      .pick(cluster)
      .client.call("POST", path, { text })
      .catch(() => undefined);
    return reply && reply.status < 300 ? [{ session_id, text }] : [];
  };

  const judge = async (asked: WatchedAsk[], turn: Turn, notes: { session_id: string; text: string }[]) => {
    const [node] = cluster as [Node];
    for (const { session_id, tool_use_id, answer, watchers, outcome } of asked) {
      const rows = await messagesOf(node.client, session_id);
      const uuids = rows.map(({ uuid }) => uuid).join();
      const shown = () =>
        watchers.every(
          (watcher) =>
            watcher
              .messages()
              .map(({ uuid }) => uuid)
              .join() === uuids,
        );
      await untilShown(shown, `${tool_use_id}: who watches is not shown the end`);
      violations.push(...watchers.flatMap(({ complaints }) => complaints.map((one) => `${tool_use_id}: ${one}`)));
      const reported = await outcome;
      if (!reported.includes(answer)) violations.push(`${tool_use_id}: the waiter got ${reported}, not ${answer}`);
      const closed = () => cluster.every(({ inbox }) => isClosed(inbox, session_id, tool_use_id));
      await until(closed, `${tool_use_id}: the inbox still shows it`);
      for (const { text } of notes.filter((one) => one.session_id === session_id)) {
        const times = rows.filter(({ content }) => content.text === text).length;
        if (times !== 1) violations.push(`${session_id}: an acknowledged note is there ${times} times`);
        figures["notes stored"]++;
      }
      figures["asks answered"]++;
    }
    const thread = await messagesOf(node.client, turn.session_id);
    violations.push(...faultsInThread(thread, turn.played, turn.turn_id));
    figures["turns that went on"]++;
  };

  const one = async (round: number) => {
    const random = createRandom(options.seed).fork(round);
    const fault = NODE_FAULTS[round % NODE_FAULTS.length] ?? "silent";
    const asked = await Promise.all(Array.from({ length: ASKS }, (_, i) => beginAsk(random, `ask-${round}-${i}`)));
    const turn = await beginTurn(random);
    const broken = random.pick(cluster);
    const mend = await breakLink(fault, broken.proxy, databaseUrl);
    figures.faults++;
    const work = Promise.all([...asked.map((each) => answer(random, each)), goOn(random, turn)]);
    const noted = Promise.all(asked.map((each) => note(random, each)));
    work.catch(() => {});
    await sleep(random.between(0, LONGEST_FAULT_MS));
    await mend();
    try {
      await work;
      await recovered();
      await judge(asked, turn, (await noted).flat());
    } catch (error) {
      throw new Error(`${fault}: ${error instanceof Error ? error.message : error}`);
    } finally {
      for (const watcher of asked.flatMap(({ watchers }) => watchers)) watcher.close();
    }
  };

  try {
    await startNode();
    await startNode();
    for (const round of rounds(options)) {
      await one(round).catch((error: Error) => violations.push(`round ${round}: ${error.message}`));
      if (violations.length > 0) break;
      if (round % 10 === 9) log(`${round + 1} faults`);
    }
    // Last check: a node whose database does not respond still stops on request.
    cluster[0]?.proxy.set("silent");
    violations.push(...(await Promise.all(cluster.map(stopNode))).flat());
    violations.push(...violationsIn(await readTables(databaseUrl)));
  } finally {
    for (const { server, client, inbox, proxy } of cluster) {
      inbox.close();
      client.close();
      await server.stop("SIGKILL");
      await proxy.close();
    }
  }
  return { violations, figures };
}

async function watch({ server }: Node, conversation_id: string): Promise<TestClient> {
  return new TestClient(`http://127.0.0.1:${server.port}`, { conversation_id }).connected();
}

async function stateOf(client: RestClient, session_id: string) {
  const reply = await client.call("GET", `/api/sessions/${session_id}`).catch(() => undefined);
  return reply?.status === 200 ? OPERATIONS.readSession.response.parse(reply.body) : undefined;
}

async function messagesOf(client: RestClient, session_id: string) {
  const reply = await client.call("GET", `/api/sessions/${session_id}/messages`);
  return OPERATIONS.readMessages.response.parse(reply.body).messages;
}

function isClosed({ envelopes }: TestClient, session_id: string, tool_use_id: string): boolean {
  const last = envelopes.findLast(({ type, payload }) => {
    const { item } = payload as { item?: { session_id: string; tool_use_id: string } };
    return type === "inbox.changed" && item?.session_id === session_id && item.tool_use_id === tool_use_id;
  });
  return (last?.payload as { item?: { status: string } } | undefined)?.item?.status === "closed";
}

async function stopNode({ server }: Node): Promise<string[]> {
  const late = sleep(STOP_MS, "late", { ref: false });
  const stopped = await Promise.race([server.stop().then(() => "stopped"), late]);
  return stopped === "late" ? [`a node still runs ${STOP_MS} ms after SIGTERM`] : [];
}
