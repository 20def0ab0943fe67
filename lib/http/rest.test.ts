import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { AskView } from "../protocol/ask.ts";
import { ERRORS } from "../protocol/errors.ts";
import { errorsOf, type Operation } from "../protocol/operation.ts";
import { OPERATIONS, type OperationId } from "../protocol/operations.ts";
import { type TestServer, testServer } from "./test-server.ts";

const CHOICE = {
  question_text: "Which way?",
  type: "multiple_choice",
  options: [
    { id: "a", label: "A" },
    { id: "b", label: "B" },
  ],
};

describe.each(ABOVE_SQL)("REST on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url, { limits: { maxDepth: 3 } });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    expect(server.errors).toEqual([]);
  });

  type Reply = {
    status: number;
    body: Record<string, never> & { success: boolean; error?: { code: string; message: string; details?: unknown } };
  };

  async function call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api${path}`, {
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
    const reply = { status: response.status, body: (await response.json()) as Reply["body"] };
    if (reply.body.error) expectDocumented(body === undefined ? "get" : "post", path, reply.body.error.code);
    return reply;
  }

  function expectDocumented(method: string, path: string, code: string): void {
    const place = `/api${path.split("?")[0]}`;
    const operation = Object.values<Operation>(OPERATIONS).find(
      (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(place),
    );
    if (operation) expect(errorsOf(operation), `${method} ${place}`).toContain(code);
  }

  /** A success must be just what the contract says, and nothing more. */
  function expectContract(id: OperationId, { status, body }: Reply): void {
    expect(status, JSON.stringify(body)).toBe(OPERATIONS[id].status);
    const { success, ...rest } = body;
    expect(success).toBe(true);
    const parsed = OPERATIONS[id].response.strict().safeParse(rest);
    expect(parsed.error?.issues ?? []).toEqual([]);
  }

  async function session(body: object = {}): Promise<string> {
    return String((await call("/sessions", body)).body.session_id);
  }

  test("a conversation goes by session_id alone", async () => {
    const [mine, other] = [await session(), await session()];
    const named = await call("/asks", { session_id: mine, conversation_id: other, tool_use_id: "named", ...CHOICE });
    expect(named.body.ask).toMatchObject({ session_id: mine });
    const unnamed = await call("/asks", { conversation_id: other, tool_use_id: "unnamed", ...CHOICE });
    expect(unnamed.body.ask).toMatchObject({ session_id: expect.not.stringMatching(other) });
  });

  test("the reply to an answer contains the ask only if the caller wants it", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "plain", ...CHOICE });
    const plain = await call("/task/answer", { session_id, question_id: "plain", answer: "b" });
    expect(plain.body).not.toHaveProperty("ask");
    await call("/asks", { session_id, tool_use_id: "shown", ...CHOICE });
    const shown = await call("/task/answer?ask=true", { session_id, question_id: "shown", answer: "b" });
    expectContract("answer", shown);
    expect(shown.body.ask).toEqual((await call(`/asks/shown?session_id=${session_id}`)).body.ask);
  });

  test("every operation replies as its contract says", async () => {
    const made = await call("/sessions", { title: "Login", agent: "builder", metadata: { a: 1 } });
    expectContract("createSession", made);
    const session_id = String(made.body.session_id);
    expectContract(
      "ask",
      await call("/asks", { session_id, tool_use_id: "t1", context: [{ path: "auth.py" }], ...CHOICE }),
    );
    expectContract("readAsk", await call(`/asks/t1?session_id=${session_id}`));
    expectContract("inbox", await call("/inbox?status=all&limit=5"));
    const answered = await call("/task/answer", { session_id, question_id: "t1", answer: "b" });
    expectContract("answer", answered);
    expect(answered.body).toMatchObject({ success: true, message: "Answer submitted, the task continues" });
    expectContract("readAsk", await call(`/asks/t1?session_id=${session_id}&wait=5`));
    expectContract("ask", await call("/asks", { session_id, tool_use_id: "t2", ...CHOICE }));
    expectContract(
      "answerMany",
      await call("/task/answers", {
        answers: [
          { session_id, question_id: "t2", answer: "a" },
          { session_id, question_id: "x", answer: "a" },
        ],
      }),
    );
    expectContract("ask", await call("/asks", { session_id, tool_use_id: "t3", timeout_s: 0.001, ...CHOICE }));
    await call(`/asks/t3?session_id=${session_id}&wait=20`);
    expectContract("reopen", await call("/task/reopen", { session_id, question_id: "t3" }));
    expectContract("extend", await call("/task/extend", { session_id, question_id: "t3", deadline_at: null }));
    expectContract("extend", await call("/task/extend", { session_id, tool_use_id: "t3", timeout_s: 600 }));
    expectContract("cancel", await call("/task/cancel", { session_id, question_id: "t3", reason: "no" }));
    const { body: replied } = await call("/asks", { ...CHOICE, irreversible: true });
    const { session_id: elsewhere, tool_use_id } = AskView.parse(replied.ask);
    expectContract("reply", await call("/task/reply", { session_id: elsewhere, tool_use_id, text: "Neither." }));
    expectContract("readAsk", await call(`/asks/${tool_use_id}?session_id=${elsewhere}`));
    expectContract("readSession", await call(`/sessions/${session_id}`));
    expectContract("listSessions", await call("/sessions?limit=1"));
    expectContract("readMessages", await call(`/sessions/${session_id}/messages?after=1&limit=2`));
    expectContract("audit", await call(`/audit?session_id=${session_id}&question_id=t1`));
    expectContract("continueSession", await call(`/sessions/${session_id}/rounds/1/continue`, {}));
    expectContract("allowMore", await call(`/sessions/${session_id}/allow-more`, {}));
    expectContract("closeSession", await call(`/sessions/${session_id}/close`, {}));
    const exported = await fetch(`${server.url}/api/sessions/${session_id}/export`);
    expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
    const imported = await fetch(`${server.url}/api/sessions/import`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: await exported.text(),
    });
    expectContract("importSession", { status: imported.status, body: (await imported.json()) as Reply["body"] });
  });

  test("a long poll returns at once when the answer comes, and with the pending ask when its time is up", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
    expect((await call(`/asks/t?session_id=${session_id}&wait=0.01`)).body).toMatchObject({
      ask: { status: "pending" },
    });
    const waiting = call(`/asks/t?session_id=${session_id}&wait=55`);
    await call("/task/answer", { session_id, question_id: "t", answer: "a" });
    expect((await waiting).body).toMatchObject({
      ask: { status: "answered", result: { output: { question_id: "t", answer: "a" } } },
    });
  });

  test("an ask with wait returns its result; a caller that goes away frees everything and cancels nothing", async () => {
    const session_id = await session();
    const gone = new AbortController();
    const asking = fetch(`${server.url}/api/asks`, {
      method: "POST",
      signal: gone.signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ session_id, tool_use_id: "t", wait: 55, ...CHOICE }),
    }).catch(() => "gone");
    await expect.poll(() => server.hub.waiting()).toBe(1);
    gone.abort();
    expect(await asking).toBe("gone");
    await expect.poll(() => server.hub.waiting()).toBe(0);
    const again = call("/asks", { session_id, tool_use_id: "t", wait: 55, ...CHOICE });
    await expect.poll(() => server.hub.waiting()).toBe(1);
    await call("/task/answer", { session_id, question_id: "t", answer: "b" });
    expect((await again).body).toMatchObject({ ask: { result: { outcome: "answered" } } });
  });

  test("the reply is in the language of the person", async () => {
    const session_id = await session();
    const languages = {
      "en-GB,en;q=0.9": "Answer submitted, the task continues",
      ja: "回答を送信しました。タスクを続行します",
      "fr, zh;q=0.5": "答案已提交，任务继续执行",
    };
    for (const [index, [language, message]] of Object.entries(languages).entries()) {
      await call("/asks", { session_id, tool_use_id: `t${index}`, ...CHOICE });
      const { body } = await call(
        "/task/answer",
        { session_id, question_id: `t${index}`, answer: "a" },
        { "accept-language": language },
      );
      expect(body.message).toBe(message);
    }
  });

  test("an error is too, in English by default; its code and details are the same in every language", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
    const answer = { session_id, question_id: "t", answer: "a" };
    await call("/task/answer", answer, { "x-parley-name": "ann" });
    const refused = async (path: string, body: unknown, language: string) =>
      (await call(path, body, { "accept-language": language })).body.error as { message: string };
    const plain = await refused("/task/answer", answer, "*");
    expect(plain).toMatchObject({
      code: "duplicate_answer",
      message: expect.stringMatching(/^ann already answered t/),
    });
    expect(await refused("/task/answer", answer, "fr")).toEqual(plain);
    const chinese = await refused("/task/answer", answer, "zh-CN,zh;q=0.9,en;q=0.8");
    expect(chinese).toEqual({ ...plain, message: "ann 已经回答了这个问题。" });
    const many = await call("/task/answers", { answers: [answer] }, { "accept-language": "zh" });
    expect(many.body.results).toMatchObject([{ error: chinese }]);
    expect(await refused("/sessions/ses_none", undefined, "ja")).toMatchObject({ message: "この会話は存在しません。" });
    for (const path of ["/nowhere", "/sessions/ses_none/events"])
      expect((await refused(path, undefined, "ja")).message).toMatch(/\p{Script=Hiragana}/u);
    expect((await refused("/task/answer", { ...answer, question_id: 7 }, "zh")).message).toMatch(
      /^请求不符合要求。.*question_id/,
    );
  });

  test("a reply is retried with its key; a new deadline is given in exactly one way", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
    const target = { session_id, question_id: "t" };
    for (const body of [target, { ...target, timeout_s: 5, deadline_at: null }, { session_id, timeout_s: 5 }])
      expect((await call("/task/extend", body)).body.error?.code).toBe("invalid_request");
    expect((await call("/task/reply", { ...target, text: " \n" })).body.error?.code).toBe("invalid_request");
    expect((await call("/task/reply", { session_id, text: "Neither." })).body.error?.code).toBe("invalid_request");
    const reply = { ...target, text: "  Neither.  " };
    const first = await call("/task/reply", reply, { "idempotency-key": "k" });
    expect(first.body.ask).toMatchObject({ status: "replied", result: { reply: "Neither." } });
    expect(await call("/task/reply", reply, { "idempotency-key": "k" })).toEqual(first);
    expect((await call("/task/reply", reply)).body.error?.code).toBe("duplicate_answer");
    expect((await call("/task/extend", { ...target, timeout_s: 5 })).body.error?.code).toBe("duplicate_answer");
  });

  test("text comes back unchanged, except for deceptive characters", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", question: "Type? <script>alert(1)</script>\u202e\u0000" });
    await call("/task/answer", { session_id, question_id: "t", answer: "Map<string>\u0007\u2066 e\u0301\n\tend" });
    const { body } = await call(`/asks/t?session_id=${session_id}`);
    expect(body).toMatchObject({
      ask: {
        questions: [{ text: "Type? <script>alert(1)</script>" }],
        result: { answers: [{ text: "Map<string> é\n\tend" }] },
      },
    });
  });

  describe("each error that REST can return", () => {
    const errors: Array<[keyof typeof ERRORS, () => Promise<Reply>]> = [
      ["session_not_found", () => call("/sessions/ses_none")],
      ["question_not_found", async () => call(`/asks/none?session_id=${await session()}`)],
      ["invalid_answer", async () => call("/task/answer", { ...(await open()), answer: "c" })],
      ["invalid_request", () => call("/asks", { question: "" })],
      [
        "duplicate_answer",
        async () => {
          const target = await open();
          await call("/task/answer", { ...target, answer: "a" });
          return call("/task/answer", { ...target, answer: "b" });
        },
      ],
      [
        "question_closed",
        async () => {
          const target = await open();
          await call("/task/cancel", { ...target, reason: "no" });
          return call("/task/answer", { ...target, answer: "b" });
        },
      ],
      [
        "duplicate_question_id",
        async () =>
          call("/asks", { session_id: (await open()).session_id, tool_use_id: "u", question_id: "t", ...CHOICE }),
      ],
      [
        "idempotency_conflict",
        async () =>
          call("/asks", {
            session_id: (await open()).session_id,
            tool_use_id: "t",
            ...CHOICE,
            question_text: "Other?",
          }),
      ],
      ["non_interactive", async () => call("/asks", { session_id: await session({ interactive: false }), ...CHOICE })],
      [
        "conversation_interrupted",
        async () => {
          const session_id = await session();
          await call(`/sessions/${session_id}/close`, {});
          return call("/asks", { session_id, ...CHOICE });
        },
      ],
      [
        "recursive_limit_exceeded",
        async () => {
          const session_id = await session();
          for (const n of [1, 2, 3]) await call("/asks", { session_id, tool_use_id: `t${n}`, ...CHOICE });
          return call("/asks", { session_id, ...CHOICE });
        },
      ],
      ["payload_too_large", () => call("/asks", { question: "x".repeat(1024 * 1024) })],
      ["forbidden", () => call("/inbox", undefined, { origin: "http://evil.example" })],
    ];

    async function open(): Promise<{ session_id: string; question_id: string }> {
      const session_id = await session();
      await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
      return { session_id, question_id: "t" };
    }

    test.each(errors)("%s", async (code, provoke) => {
      const { status, body } = await provoke();
      expect(body).toMatchObject({ success: false, error: { code } });
      expect(status).toBe(ERRORS[code].http);
    });
  });

  test("the second answer learns who was first, where and when", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
    await call("/task/answer", { session_id, question_id: "t", answer: "a" }, { "x-parley-name": "ann" });
    const { body } = await call(
      "/task/answer",
      { session_id, question_id: "t", answer: "a" },
      { "x-parley-name": "bob" },
    );
    expect(body.error?.details).toMatchObject({
      answered_by: { name: "ann", surface: "rest" },
      answered_at: expect.any(String),
    });
  });

  test("a retry with the same Idempotency-Key gets the first reply", async () => {
    const session_id = await session();
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE });
    const replies = [1, 2].map(() =>
      call("/task/answer", { session_id, question_id: "t", answer: "a" }, { "idempotency-key": "k" }),
    );
    expect((await Promise.all(replies)).map((reply) => reply.status)).toEqual([200, 200]);
  });

  test("a wrong path is 404", async () => {
    for (const path of ["/api/nothing", "/api", "/api/asks/", "/api/docs/swagger-uiXcss"]) {
      const response = await fetch(`${server.url}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toEqual({
        success: false,
        error: {
          code: "not_found",
          message: `There is nothing at ${path}. See /api/docs for what there is.`,
          details: { path },
        },
      });
    }
  });

  test.each([
    ["DELETE", "/api/asks", "POST", "/api/asks does not take DELETE. It takes POST."],
    ["POST", "/api/inbox", "GET, HEAD", "/api/inbox does not take POST. It takes GET, HEAD."],
    ["PUT", "/api/sessions", "POST, GET, HEAD", "/api/sessions does not take PUT. It takes POST, GET, HEAD."],
    ["PATCH", "/api/asks/some-id", "GET, HEAD", "/api/asks/some-id does not take PATCH. It takes GET, HEAD."],
    ["POST", "/", "GET, HEAD", "/ does not take POST. It takes GET, HEAD."],
  ])("a wrong method is 405 with Allow: %s %s", async (method, path, allow, message) => {
    const response = await fetch(`${server.url}${path}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ success: false, error: { code: "method_not_allowed", message } });
  });

  test("a page is not changed by an action sent to it", async () => {
    const response = await fetch(server.url, { headers: { "next-action": "x" } });
    expect(response.status).toBe(400);
  });

  test("a body that cannot be read is refused with what to send instead", async () => {
    const json = { "content-type": "application/json" };
    const refusal = async (body: string, headers: Record<string, string> = json) => {
      const response = await fetch(`${server.url}/api/asks`, { method: "POST", body, headers });
      expect(response.status).toBe(400);
      return (await response.json()).error.message;
    };
    expect(await refusal("{}", { "content-type": "text/plain" })).toBe("content-type: must be application/json");
    expect(await refusal('{\n  "question": "Which port?",\n  type: "text"\n}')).toBe(
      "the body is not valid JSON (line 3, column 3: this is not a JSON value; text needs double quotes)",
    );
    expect(await refusal('{"question": "Which port?"')).toMatch(/line 1, column 27: a closing } is expected/);
    expect(await refusal('{"question": 7}')).toBe("question: must be text, not a number");
    expect(await refusal('{"question": "Which port?", "timeout_s": "soon"}')).toBe(
      "timeout_s: must be a number, not text",
    );
  });

  test("a label in place of an id gets the id", async () => {
    const session_id = await session();
    const options = [
      { id: "yes", label: "Yes" },
      { id: "no", label: "No" },
    ];
    await call("/asks", { session_id, tool_use_id: "t", ...CHOICE, options });
    const { status, body } = await call("/task/answer", { session_id, question_id: "t", answer: "Yes" });
    expect(status).toBe(400);
    expect(body.error?.message).toBe('The answer to t was rejected: "Yes" is the label of option "yes": send its id.');
  });

  test("the first example of the API reference works", async () => {
    const page = await (await fetch(`${server.url}/api/docs`)).text();
    expect(page).toContain("<title>API reference · Parley</title>");
    for (const path of page.matchAll(/(?:href|src)="(\/api\/[^"]+)"/g))
      expect([path[1], (await fetch(`${server.url}${path[1]}`)).status]).toEqual([path[1], 200]);
    const { info } = await (await fetch(`${server.url}/api/openapi.json`)).json();
    const example = JSON.parse(/-d '(\{[\s\S]+?\n\})'/.exec(info.description)?.[1] ?? "");
    const session_id = await session();
    const asked = call("/asks", { ...example, session_id });
    await expect.poll(async () => (await call(`/asks/deploy-1?session_id=${session_id}`)).status).toBe(200);
    await call("/task/answer", { session_id, question_id: "deploy-1", answer: "yes" });
    expect((await asked).body).toMatchObject({
      ask: { result: { outcome: "answered", output: { question_id: "deploy-1", answer: "yes" } } },
    });
  });

  test("health and metrics", async () => {
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({
      status: "ok",
      version: "0.0.0",
      database: "reachable",
      migrations: "current",
    });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const name of [
      "parley_asks_total",
      "parley_outcomes_total{",
      "parley_pending_asks",
      "parley_time_to_answer_seconds_count",
      "parley_commit_batch_size_count",
      "nodejs_eventloop_lag_seconds",
    ]) {
      expect(metrics).toContain(name);
    }
  });
});

test("requests beyond the limit are refused, and learn for how long", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { rateLimit: 3 });
  const replies = [];
  for (let n = 0; n < 4; n++) replies.push(await fetch(`${server.url}/api/inbox`));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 429]);
  expect(Number(replies[3]?.headers.get("retry-after"))).toBeGreaterThan(0);
  for (const path of ["/health", "/metrics"]) expect((await fetch(server.url + path)).status).toBe(200);
  await server.stop();
  await database.drop();
});
