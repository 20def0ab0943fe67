import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import type { Random } from "../kit/random.ts";
import type { Reply } from "../kit/rest-client.ts";

/** If a text contains this, it quotes a request. */
export const CANARY = "CANARY";
export const PASSWORD = "PASSWORD-canary-4711";

export type CanaryRequest = {
  /** The kind of request, for the report. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** Canaries in headers: no reply may ever contain them. */
  secrets: string[];
  /** All canaries of this request: an error may quote the caller's own input. */
  words: string[];
};

/** Requests to every operation with a canary in every place: first correct, then mutated, then under the fault. */
export async function canaryRequests(
  random: Random,
  send: (request: CanaryRequest) => Promise<Reply>,
  spoilStore: () => void | Promise<void>,
): Promise<void> {
  const fresh = () => load(random);
  const made = await send(
    fresh()("session", "POST", "/api/sessions", (w) => ({ title: w(), agent: w(), metadata: { [w()]: w() } })),
  );
  const { session_id } = OPERATIONS.createSession.response.parse(made.body);
  const asked: string[] = [];
  for (let i = 0; i < 6; i++) {
    const { body } = await send(fresh()("ask", "POST", "/api/asks", (w) => ({ session_id, ...askBody(w) })));
    asked.push(OPERATIONS.ask.response.parse(body).ask.tool_use_id);
  }
  const late = await send(fresh()("ask", "POST", "/api/asks", (w) => ({ session_id, timeout_s: 0.01, ...askBody(w) })));
  const timedOut = OPERATIONS.ask.response.parse(late.body).ask.tool_use_id;
  await send(fresh()("wait", "GET", `/api/asks/${timedOut}?session_id=${session_id}&wait=5`));

  await spoilStore();
  for (const request of operations(fresh, session_id, asked, timedOut)) await send(request);
  for (const request of operations(fresh, session_id, asked, timedOut)) await send(spoilt(random, request));
}

type NextCanary = () => string;
type Load = ReturnType<typeof load>;

function operations(fresh: () => Load, session_id: string, asked: string[], timedOut: string): CanaryRequest[] {
  const [first = "", second = "", third = "", fourth = ""] = asked;
  const of = `session_id=${session_id}`;
  return [
    fresh()("session", "POST", "/api/sessions", (w) => ({ title: w(), agent: w(), metadata: { [w()]: w() } })),
    fresh()("sessions", "GET", "/api/sessions?cursor=@"),
    fresh()("state", "GET", `/api/sessions/${session_id}?token=@`),
    fresh()("state of another", "GET", "/api/sessions/@?token=@"),
    fresh()("messages", "GET", `/api/sessions/${session_id}/messages?after=0`),
    fresh()("export", "GET", `/api/sessions/${session_id}/export`),
    fresh()("more", "POST", `/api/sessions/${session_id}/allow-more`),
    fresh()("continue", "POST", `/api/sessions/${session_id}/rounds/1/continue`),
    fresh()("import", "POST", "/api/sessions/import", (w) => ({
      type: "user",
      message: { role: "user", content: w() },
      uuid: w(),
      parentUuid: w(),
      sessionId: w(),
      summary: w(),
    })),
    fresh()("ask", "POST", "/api/asks", (w) => ({ session_id, ...askBody(w) })),
    fresh()("ask in a new one", "POST", "/api/asks", (w) => ({ title: w(), agent: w(), ...askBody(w) })),
    fresh()("ask again, differently", "POST", "/api/asks", (w) => ({ session_id, tool_use_id: first, question: w() })),
    fresh()("read", "GET", `/api/asks/${first}?${of}&secret=@`),
    fresh()("read another", "GET", `/api/asks/@?${of}`),
    fresh()("answer", "POST", "/api/task/answer", (w) => ({ session_id, question_id: first, answer: w(), notes: w() })),
    fresh()("answer again", "POST", "/api/task/answer", (w) => ({
      session_id,
      question_id: first,
      answer: w(),
      notes: w(),
    })),
    fresh()("answer what is not", "POST", "/api/task/answer", (w) => ({ session_id, question_id: w(), answer: w() })),
    fresh()("answer elsewhere", "POST", "/api/task/answer", (w) => ({
      session_id: w(),
      question_id: first,
      answer: w(),
    })),
    fresh()("answers", "POST", "/api/task/answers", (w) => ({
      answers: [
        { session_id, question_id: second, answer: w() },
        { session_id, question_id: w(), answer: w() },
      ],
    })),
    fresh()("cancel", "POST", "/api/task/cancel", (w) => ({ session_id, tool_use_id: third, reason: w() })),
    fresh()("reopen", "POST", "/api/task/reopen", () => ({ session_id, tool_use_id: timedOut })),
    fresh()("answer in the wrong way", "POST", "/api/task/answer", (w) => ({
      session_id,
      question_id: fourth,
      answer: { other: w() },
    })),
    fresh()("inbox", "GET", "/api/inbox?q=@&agent=@&cursor=@"),
    fresh()("audit", "GET", `/api/audit?${of}&question_id=@`),
    fresh()("nowhere", "GET", "/api/@/@?@=@"),
    fresh()("a page", "GET", "/@?@=@"),
    fresh()("a page, changed", "POST", "/@"),
    fresh()("close what is not", "POST", "/api/sessions/@/close"),
  ];
}

function askBody(w: NextCanary): Record<string, unknown> {
  return {
    idempotency_key: w(),
    question: w(),
    header: w(),
    description: w(),
    default: w(),
    metadata: { [w()]: w() },
    context: [{ path: w(), text: w() }],
    agent_path: w(),
    [w()]: w(),
  };
}

/** Gives every `@` in the path, every text of the body and every header its own canary. */
function load(random: Random) {
  const words: string[] = [];
  const secrets: string[] = [];
  const word = () => {
    const canary = `${CANARY}-${random.id(10)}`;
    words.push(canary);
    return canary;
  };
  const secret = () => {
    const canary = word();
    secrets.push(canary);
    return canary;
  };
  return (name: string, method: string, path: string, body?: (word: NextCanary) => unknown): CanaryRequest => {
    const isImport = path === "/api/sessions/import";
    return {
      name,
      method,
      path: path.replace(/@/g, word),
      headers: {
        authorization: `Bearer ${secret()}`,
        "proxy-authorization": `Basic ${secret()}`,
        cookie: `session=${secret()}`,
        "x-api-key": secret(),
        "user-agent": secret(),
        "x-request-id": secret(),
        // Visible to others by design.
        "x-parley-name": "Mia",
        ...(method === "POST" && { "idempotency-key": secret() }),
        ...(isImport && { "content-type": "application/x-ndjson" }),
      },
      ...(body && { body: body(word) }),
      secrets,
      words,
    };
  };
}

/** The same request with a wrong type, body, end of body, media type or method. */
function spoilt(random: Random, request: CanaryRequest): CanaryRequest {
  const name = `${request.name}, spoilt`;
  const body = request.body as Record<string, unknown> | undefined;
  const key = body && random.pick(Object.keys(body));
  if (!body || key === undefined) return { ...request, name, method: random.pick(["PUT", "DELETE", "PATCH"]) };
  return {
    ...request,
    name,
    ...random.pick([
      () => ({ body: { ...body, [key]: { [String(request.words.at(-1))]: request.words } } }),
      () => ({ body: { ...body, [key]: [request.words.join(" ").repeat(20)] } }),
      () => ({ body: JSON.stringify(body).slice(0, -3) }),
      () => ({ headers: { ...request.headers, "content-type": `text/${request.words[0]}` } }),
      () => ({ headers: { ...request.headers, origin: `http://${request.words[0]}.example` } }),
      () => ({ headers: { ...request.headers, host: `${request.words[0]}.example` } }),
      () => ({ method: "DELETE" }),
    ])(),
  };
}
