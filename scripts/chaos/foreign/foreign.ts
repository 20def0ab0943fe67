import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "../../../lib/protocol/operation.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { repliesIn } from "../fuzz/wire.ts";
import { createRandom } from "../kit/random.ts";
import { createRestClient, errorCode, type RestClient } from "../kit/rest-client.ts";
import type { Report, RunOptions, Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { differences, readTables, type Tables } from "../kit/tables.ts";
import { firstAccount, type Session, setupToken, TEAM_PASSWORD } from "../kit/team.ts";
import { type Address, addresses, headOf, isOwn, mediaTypes } from "./addresses.ts";
import { shakeHands } from "./sockets.ts";

export const foreign: Scenario = {
  name: "foreign",
  about:
    "requests as foreign pages send them, by Host, Origin, Sec-Fetch-Site and type: none gets in (counts combinations per call)",
  size: { small: 8, whole: 60 },
  run: async (options) => {
    const open = await runForeign(options);
    const team = await runForeign(options, undefined, true);
    return { violations: [...open.violations, ...team.violations], figures: added(open.figures, team.figures) };
  },
};

function added(one: Report["figures"], other: Report["figures"]): Report["figures"] {
  return Object.fromEntries(Object.entries(one).map(([what, count]) => [what, Number(count) + Number(other[what])]));
}

type Call = { method: string; path: string; body: string | undefined; session?: Session | undefined };

/**
 * `through`: what the requests go through on their way, to plant a fault. `isTeam`: everyone must sign in, and foreign pages
 * send the cookie of an admin along, as browsers of some settings would, and even the page secret.
 */
export async function runForeign(
  options: RunOptions,
  through: (server: ServerProcess) => Promise<ServerProcess> = async (server) => server,
  isTeam = false,
): Promise<Report> {
  const { databaseUrl, seed, times, env = {} } = options;
  const program = await buildServer();
  const server = await through(await program.start({ databaseUrl, pages: true, env }));
  const client = createRestClient(() => server.port);
  const violations: string[] = [];
  const figures = { "foreign requests": 0, "own requests": 0, "GET and HEAD": 0 };
  try {
    const headers = isTeam ? (await firstAccount(client, await setupToken(databaseUrl))).headers : undefined;
    const calls = (await prepare(client, headers)).map((call) => ({ ...call, session: headers }));
    await quiet(databaseUrl);
    const before = await readTables(databaseUrl);
    const unchanged = async (what: string) => {
      const changed = differences(lasting(before), lasting(await readTables(databaseUrl)));
      if (changed.length > 0) violations.push(`${what} changed something:\n${changed.join("\n")}`);
    };

    const everywhere = addresses(server.port);
    for (const [index, call] of calls.entries()) {
      // The first call is tried with every combination, each other call with a different sample of them.
      const random = createRandom(seed).fork(index);
      const some = index === 0 ? everywhere : random.shuffle(everywhere).slice(0, times);
      for (const address of some.filter((one) => !isOwn(one, server.port))) {
        figures["foreign requests"]++;
        const fault = await faultOf(server, call, address);
        if (fault) violations.push(fault);
      }
      if (call.method === "GET" && call.path.startsWith("/api/")) {
        // A link from anywhere may lead to a page, but not to the API.
        figures["foreign requests"]++;
        const visit = { host: `localhost:${server.port}`, site: "cross-site", mode: "navigate" };
        const fault = await faultOf(server, call, visit);
        if (fault) violations.push(fault);
      }
      for (const type of call.body === undefined ? [] : mediaTypes) {
        figures["foreign requests"]++;
        const fault = await faultOf(server, call, { host: `localhost:${server.port}`, type });
        if (fault) violations.push(fault);
      }
    }
    await unchanged("a foreign request");

    const shaken = await shakeHands(server, everywhere, headers);
    violations.push(...shaken.violations);
    Object.assign(figures, shaken.figures);
    await unchanged("a handshake");

    for (const { path } of [...calls, ...PLACES.map((place) => ({ path: place }))])
      for (const method of ["GET", "HEAD"]) {
        figures["GET and HEAD"]++;
        const reply = await client.call(method, path, undefined, headers);
        if (reply.status >= 500) violations.push(`${method} ${path} was answered with ${reply.status}`);
      }
    await unchanged("a GET or HEAD");

    // The same calls from Parley's own pages and from programs succeed, so the refusals above were not blind.
    for (const call of calls) {
      for (const address of everywhere.filter((one) => isOwn(one, server.port)).slice(0, 6)) {
        figures["own requests"]++;
        const replies = await send(server, `${call.method} ${call.path} HTTP/1.1`, { ...address, ...call });
        const isForeign = FOREIGN.test(replies?.[0]?.text ?? "");
        if (!replies?.[0] || isForeign) violations.push(`an own request was refused: ${shown(address)}`);
      }
    }
    if (differences(before, await readTables(databaseUrl)).length === 0)
      violations.push("own requests changed nothing");
  } finally {
    client.close();
    await server.stop();
  }
  return { violations, figures };
}

/** The refusals of lib/http/origin.ts; callers without an account get a different refusal. */
const FOREIGN = /may not call Parley|does not answer under this name/;

const PLACES = [
  "/",
  "/health",
  "/metrics",
  "/mcp",
  "/api",
  "/api/docs",
  "/api/openapi.json",
  "/favicon.svg",
  "/socket.io/",
  "/nowhere",
];

/** Creates data to lose (an open ask, a timed-out one, an idle conversation), and a call of each operation on it. */
async function prepare(client: RestClient, headers: Session | undefined): Promise<Call[]> {
  const post = (path: string, body: object) => client.call("POST", path, body, headers);
  const made = await post("/api/sessions", {});
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  for (const [tool_use_id, more] of [
    ["open", {}],
    ["late", { timeout_s: 0.01 }],
    ["done", {}],
  ] as const)
    await post("/api/asks", { session_id, tool_use_id, question: "Well?", ...more });
  await post("/api/task/answer", { session_id, question_id: "done", answer: "yes" });
  await client.call("GET", `/api/asks/late?session_id=${session_id}&wait=10`, undefined, headers);
  const bodies: Record<string, unknown> = {
    createSession: {},
    sendMessage: { text: "Hello" },
    resume: { session_id, tool_use_id: "open" },
    importSession: { type: "user", message: { role: "user", content: "Hello" } },
    ask: { session_id, question: "And?" },
    answer: { session_id, question_id: "open", answer: "x" },
    answerMany: { answers: [{ session_id, question_id: "open", answer: "x" }] },
    cancel: { session_id, tool_use_id: "open", reason: "x" },
    reopen: { session_id, tool_use_id: "late" },
    updateMe: { name: "Eve" },
    changePassword: { current: TEAM_PASSWORD, password: "a password of Eve's own" },
    signIn: { login: "ada@example.com", password: TEAM_PASSWORD },
    createInvitation: { role: "admin" },
    createSpace: { name: "Eve's" },
    createKey: { kind: "personal", name: "Eve's" },
    endAuthSessions: {},
  };
  const query: Record<string, string> = { readAsk: `?session_id=${session_id}`, audit: `?session_id=${session_id}` };
  // An event stream has no end, so it cannot be awaited like a reply.
  const all: Array<[string, Operation]> = Object.entries(OPERATIONS);
  const ending = all.filter(([id]) => id !== "events");
  const operations = ending.map(([id, { method, path }]) => ({
    method: method.toUpperCase(),
    path: `${path.replace("{id}", session_id).replace("{n}", "3").replace("{tool_use_id}", "open")}${query[id] ?? ""}`,
    body: id in bodies ? JSON.stringify(bodies[id]) : undefined,
  }));
  const ask = operations.find(({ path }) => path === "/api/asks");
  // Closing comes last: afterwards the other calls would be refused for another reason.
  const last = operations.filter(({ path }) => path.endsWith("/close"));
  const others = operations.filter((one) => one !== ask && !last.includes(one));
  return [...(ask ? [ask] : []), ...others, { method: "GET", path: "/", body: undefined }, ...last];
}

async function faultOf(server: ServerProcess, call: Call, address: Address): Promise<string | undefined> {
  const replies = await send(server, `${call.method} ${call.path} HTTP/1.1`, { ...address, ...call });
  const reply = replies?.[0];
  if (!reply) return undefined;
  const about = `${call.method} ${call.path} from ${shown(address)}`;
  if (reply.status < 400) return `${about} was answered with ${reply.status}`;
  const code = errorCode({ body: parse(reply.text) });
  if (code !== "forbidden" && code !== "invalid_request")
    return `${about} was answered with ${reply.text.slice(0, 200)}`;
  return replies?.some(({ head }) => /access-control-allow/i.test(head)) ? `${about} was allowed by CORS` : undefined;
}

type RawRequest = Address & { body?: string | undefined; session?: Session | undefined };

/** Written without an HTTP library, which would set or correct the very headers under test. */
async function send({ port }: ServerProcess, line: string, sent: RawRequest) {
  const { type, body, session = {} } = sent;
  const isImport = line.includes("/import ");
  const head = [
    line,
    ...headOf(sent),
    ...Object.entries(session).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || type === null
      ? []
      : [`Content-Type: ${type ?? (isImport ? "application/x-ndjson" : "application/json")}`]),
    ...(line.startsWith("POST") ? [`Content-Length: ${Buffer.byteLength(body ?? "")}`] : []),
    "Connection: close",
  ].join("\r\n");
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => {});
  // The request is not ended from this side: the server would take that for a caller who left, and send nothing.
  socket.write(`${head}\r\n\r\n${body ?? ""}`);
  await new Promise((resolve) => socket.once("close", resolve));
  return repliesIn(Buffer.concat(parts));
}

/**
 * Waits until Parley's background work on the prepared data is done: every audit event is sealed, and the one result
 * that was fetched is marked as delivered. From then on the rows change only if a request changes them.
 */
async function quiet(databaseUrl: string): Promise<void> {
  for (;;) {
    const { conversation, audit_seal, ask } = await readTables(databaseUrl);
    const sealed = conversation.every(({ id, last_audit }) =>
      audit_seal.some((seal) => seal.conversation_id === id && seal.number === last_audit),
    );
    const delivered = ask.every(({ tool_use_id, delivered_at }) => tool_use_id !== "late" || delivered_at !== null);
    if (sealed && delivered) return;
    await sleep(50);
  }
}

/** Without last-seen times, which are written in the background. */
function lasting(tables: Tables): Tables {
  return { ...tables, person: tables.person.map(({ active_at: _, ...row }) => row) };
}

function shown(address: Address): string {
  return JSON.stringify(address);
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
