import { setTimeout as sleep } from "node:timers/promises";
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
import { agentKey, firstAccount, joined, type Keyed, type Member, setupToken } from "../kit/team.ts";
import { waitUntil } from "../kit/wait-until.ts";
import { freePort, roundRobin } from "./round-robin.ts";

const AGENTS = 4;
const PEOPLE = ["mei", "kenji"];
const TURNS = 4;
/** Asks that must be answered between two restarts, so that each restart comes under load. */
const BETWEEN = 8;
/** As long as a slow machine needs: only a failure takes this time. */
const TIMEOUT_MS = 120_000;

export const rolling: Scenario = {
  name: "rolling",
  about:
    "a team on two nodes behind a proxy: each node in turn is restarted or killed under load; nothing is lost, nobody is signed out (counts rounds)",
  databases: ["postgresql"],
  size: { small: 1, whole: 1 },
  run: runRolling,
};

type Turn = { session_id: string; turn_id: string; played: Play };
type Acknowledged = { session_id: string; tool_use_id: string; answer: string };

async function runRolling(options: RunOptions): Promise<Report> {
  const { databaseUrl, log, env = {}, timeoutMs = TIMEOUT_MS } = options;
  const program = await buildServer();
  const ports = [await freePort(), await freePort()];
  const proxy = await roundRobin(ports);
  const servers: ServerProcess[] = [];
  const clients: RestClient[] = [];
  const violations: string[] = [];
  const figures = {
    "nodes restarted": 0,
    "nodes killed": 0,
    "asks answered": 0,
    "calls made again": 0,
    "turns taken over": 0,
    "turns that went on": 0,
    "sockets opened again": 0,
  };
  const until = waitUntil(timeoutMs);
  /** Agents stop first, so that someone is there to answer what they have asked. */
  let lastAsks = false;
  let ending = false;

  const startNode = async (node: number) => {
    const PUBLIC_URL = `http://127.0.0.1:${proxy.port}`;
    const settings = { PARLEY_HURRY: "1", ASK_MAX_DEPTH: "1000000", PUBLIC_URL, PORT: String(ports[node]), ...env };
    servers[node] = await program.start({ databaseUrl, env: settings });
  };
  const newClient = (port = proxy.port) => {
    const client = createRestClient(() => port);
    clients.push(client);
    return client;
  };
  /** A client that does not give up: the same call with the same key, until it is acknowledged. Nobody may lose access. */
  const insist = async (
    client: RestClient,
    who: { headers: Record<string, string> },
    [method, path, body, key]: [string, string, object?, string?],
  ): Promise<Reply> => {
    const headers = { ...who.headers, ...(key !== undefined && { "idempotency-key": key }) };
    for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
      const reply = await client.call(method, path, body, headers).catch(() => undefined);
      if (reply && reply.status < 300) return reply;
      if (reply?.status === 401) throw new Error(`${path}: someone was signed out: ${reply.text}`);
      if (reply && reply.status !== 503) throw new Error(`${path} was answered with ${reply.status} ${reply.text}`);
      if (ending || Date.now() > end) throw new Error(`${path} is refused although a node is there: ${reply?.text}`);
      figures["calls made again"]++;
    }
  };
  const stateOf = async (client: RestClient, who: Member, session_id: string) => {
    const reply = await insist(client, who, ["GET", `/api/sessions/${session_id}`]);
    return OPERATIONS.readSession.response.parse(reply.body);
  };

  /** An agent with a key asks, waits for its answer, and asks again. */
  const asking = async (agent: Keyed, number: number, done: Acknowledged[]) => {
    const client = newClient();
    for (let n = 0; !lastAsks; n++) {
      const tool_use_id = `agent-${number}-${n}`;
      const ask = { tool_use_id, question: `What of ${tool_use_id}?`, idempotency_key: tool_use_id, wait: 5 };
      let { ask: view } = OPERATIONS.ask.response.parse((await insist(client, agent, ["POST", "/api/asks", ask])).body);
      while (view.status === "pending") {
        if (ending) return;
        const path = `/api/asks/${tool_use_id}?session_id=${view.session_id}&wait=5`;
        view = OPERATIONS.readAsk.response.parse((await insist(client, agent, ["GET", path])).body).ask;
      }
      const { decided_by } = view.result ?? {};
      const answer = String(view.questions[0]?.answer?.text);
      if (answer !== answerTo(tool_use_id)) violations.push(`${tool_use_id}: its agent got ${answer}`);
      if (decided_by?.provenance !== "sign_in" || !PEOPLE.includes(decided_by.name))
        violations.push(`${tool_use_id}: decided by ${JSON.stringify(decided_by)}`);
      done.push({ session_id: view.session_id, tool_use_id, answer });
      figures["asks answered"]++;
    }
  };
  /** A person with an open inbox answers whatever agents with keys ask. */
  const answering = async (person: Member) => {
    const client = newClient();
    while (!ending) {
      const reply = await insist(client, person, ["GET", "/api/inbox?limit=50"]);
      const { items } = OPERATIONS.inbox.response.parse(reply.body);
      for (const { session_id, tool_use_id } of items.filter((item) => item.tool_use_id.startsWith("agent-"))) {
        const body = { session_id, question_id: tool_use_id, answer: answerTo(tool_use_id) };
        await insist(client, person, ["POST", "/api/task/answer", body, `${person.name} ${tool_use_id}`]).catch(
          (error: Error) => {
            // The other person was faster.
            if (!error.message.includes("duplicate_answer")) throw error;
          },
        );
      }
      await sleep(20);
    }
  };
  /** A page that is open: its socket comes back automatically, signed in as before. */
  const watching = async (person: Member) => {
    while (!ending) {
      const socket = new TestClient(`http://127.0.0.1:${proxy.port}`, {}, { extraHeaders: person.headers });
      try {
        await socket.connected();
        const subscribed = await socket.send("inbox.subscribe", {});
        if (!subscribed.ok) throw new Error(`an inbox is refused: ${subscribed.error.code}`);
        figures["sockets opened again"]++;
        await until(() => ending || !socket.socket.connected, "").catch(() => {});
        violations.push(...socket.complaints);
      } catch (error) {
        const code = (error as { data?: { code?: string } }).data?.code;
        if (code === "UNAUTHORIZED") throw new Error("the socket of a signed-in person is refused");
        await sleep(20);
      } finally {
        socket.close();
      }
    }
  };

  const beginTurn = async (client: RestClient, who: Member, random: Random): Promise<Turn> => {
    const played = play(random);
    const made = await insist(client, who, ["POST", "/api/sessions", { agent: "demo" }]);
    const { session_id } = OPERATIONS.createSession.response.parse(made.body);
    const path = `/api/sessions/${session_id}/messages`;
    const sent = await insist(client, who, ["POST", path, { text: played.message }]);
    const { turn_id } = OPERATIONS.sendMessage.response.parse(sent.body);
    await until(async () => (await stateOf(client, who, session_id)).pending.length === 1, "the agent does not ask");
    return { session_id, turn_id: turn_id ?? "", played };
  };
  /** Answers every question of the turn. The agent must continue as if nothing had happened. */
  const finishTurn = async (client: RestClient, who: Member, { session_id, turn_id, played }: Turn) => {
    for (const [index, answer] of played.answers.entries()) {
      let question_id = "";
      await until(
        async () => {
          const [ask] = (await stateOf(client, who, session_id)).pending;
          question_id = (ask?.round === index + 1 && ask.questions[0]?.question_id) || "";
          return question_id !== "";
        },
        `${session_id}: round ${index + 1} is not asked`,
      );
      const body = { session_id, question_id, answer };
      await insist(client, who, ["POST", "/api/task/answer", body, `${session_id} ${question_id}`]);
    }
    const ended = async () => (await stateOf(client, who, session_id)).status === "active";
    await until(ended, `${session_id}: the turn does not end`);
    const reply = await insist(client, who, ["GET", `/api/sessions/${session_id}/messages?limit=200`]);
    const { messages } = OPERATIONS.readMessages.response.parse(reply.body);
    violations.push(...faultsInThread(messages, played, turn_id).map((fault) => `${session_id}: ${fault}`));
    figures["turns that went on"]++;
  };

  const work = async () => {
    await Promise.all([startNode(0), startNode(1)]);
    const client = newClient();
    const direct = ports.map((port) => newClient(port));
    const ownersOf = async (turns: Turn[]) => {
      const { turn: rows } = await readTables(databaseUrl);
      return turns.map(({ turn_id }) => rows.find(({ id }) => id === turn_id)?.owner);
    };
    const admin = await firstAccount(client, await setupToken(databaseUrl));
    const people: Member[] = [];
    for (const name of PEOPLE) people.push(await joined(client, admin, name));
    const agents: Keyed[] = [];
    for (let n = 0; n < AGENTS; n++) agents.push(await agentKey(client, admin, `agent-${n}`));
    // The other node learns of these changes a moment later.
    await until(async () => {
      const replies = await Promise.all(
        [0, 1].flatMap(() =>
          [...people, ...agents].map(({ headers }) =>
            client.call("GET", "/api/sessions", undefined, { ...headers, connection: "close" }),
          ),
        ),
      );
      return replies.every(({ status }) => status === 200);
    }, "a node does not know everyone");

    const done: Acknowledged[] = [];
    const asked = Promise.all(agents.map((agent, number) => asking(agent, number, done)));
    const answered = Promise.all(people.flatMap((person) => [answering(person), watching(person)]));
    const load = Promise.all([asked, answered]);
    load.catch(() => {});
    const busy = async () => {
      const goal = done.length + BETWEEN;
      await Promise.race([load, until(() => done.length >= goal, "nothing is answered any more")]);
    };
    try {
      for (const round of rounds(options)) {
        const random = createRandom(options.seed).fork(round);
        for (const node of [0, 1]) {
          const turns = await Promise.all(
            Array.from({ length: TURNS }, (_, n) => beginTurn(direct[n % 2] ?? client, admin, random)),
          );
          const before = await ownersOf(turns);
          await busy();
          // The second node of each round is killed, the first one restarted as an update does it.
          const isKilled = node === 1;
          await servers[node]?.stop(isKilled ? "SIGKILL" : "SIGTERM");
          figures[isKilled ? "nodes killed" : "nodes restarted"]++;
          // The other node takes over everything, before anyone answers and without restarting.
          await busy();
          const survivor = before[1 - node];
          const isTaken = async () => (await ownersOf(turns)).every((owner) => owner === survivor);
          await Promise.race([load, until(isTaken, "the turns of a node that is gone are not taken over")]);
          figures["turns taken over"] += before.filter((owner) => owner !== survivor).length;
          await Promise.race([load, Promise.all(turns.map((turn) => finishTurn(client, admin, turn)))]);
          await startNode(node);
          await busy();
        }
        if (round % 10 === 9) log(`${round + 1} rounds, ${done.length} answers`);
      }
      lastAsks = true;
      await Promise.race([load, asked]);
    } finally {
      lastAsks = true;
      ending = true;
    }
    await load;
    return done;
  };

  try {
    const done = await work();
    const tables = await readTables(databaseUrl);
    violations.push(...violationsIn(tables), ...missing(done, tables.ask, tables.answer));
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error));
  } finally {
    ending = true;
    for (const client of clients) client.close();
    proxy.close();
    await Promise.all(servers.map((server) => server.stop("SIGKILL")));
  }
  return { violations, figures };
}

function answerTo(tool_use_id: string): string {
  return `the answer to ${tool_use_id}`;
}

/** Whatever was acknowledged must be in the rows, once. */
function missing(
  done: Acknowledged[],
  asks: Array<Record<string, unknown>>,
  answers: Array<Record<string, unknown>>,
): string[] {
  return done.flatMap(({ session_id, tool_use_id, answer }) => {
    const times = asks.filter((row) => row.tool_use_id === tool_use_id).length;
    const row = answers.find((one) => one.conversation_id === session_id && one.question_id === tool_use_id);
    if (times !== 1) return [`${tool_use_id} was asked ${times} times`];
    return String(row?.value).includes(answer) ? [] : [`${tool_use_id}: its answer is ${row?.value}`];
  });
}
