import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { agentKey, setUp } from "../http/test-team.ts";
import {
  type ElicitationForm,
  type Filled,
  newClientOf2025,
  type Show,
  type TestClient,
  testClient,
} from "./test-clients.ts";

const CHOICE = {
  question_text: "Which way?",
  description: "Left is shorter.",
  type: "multiple_choice",
  options: [
    { id: "l", label: "Left", description: "by the river" },
    { id: "r", label: "Right", default: true },
  ],
};
const CLIENTS = {
  "the client of 2025": (url: string, show?: Show) => testClient("2025-11-25", url, show),
  "the client of 2026, in a protocol of 2025": newClientOf2025,
};
const PATIENCE = { progressMs: 60, silentMs: 60_000 };

/** A person at the client, who sees what is shown and does what the test says, when it says so. */
function person() {
  const forms: ElicitationForm[] = [];
  const withdrawn: string[] = [];
  let act: (filled: Filled) => void = () => {};
  const show: Show = (form, signal) => {
    forms.push(form);
    return new Promise<Filled>((resolve) => {
      act = resolve;
      signal.addEventListener("abort", () => {
        withdrawn.push(form.message);
        resolve({ action: "cancel" });
      });
    });
  };
  return { forms, withdrawn, show, act: (filled: Filled) => act(filled) };
}

async function until<Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(10);
  }
}

let client: TestClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
});
const calling = (input: Record<string, unknown>, name = "ask_user_question") => {
  if (!client) throw new Error("No client.");
  return client.call(name, input, { onprogress: () => {} });
};

const WAYS = ABOVE_SQL.flatMap((kind) =>
  Object.entries(CLIENTS).map(([name, connect]) => [name, kind, connect] as const),
);

describe.each(WAYS)("a question shown in %s, on %s", (_name, kind, connect) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url, { patience: PATIENCE, elicitation: true });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    expect(server.errors).toEqual([]);
  });
  const rest = () => createClient({ url: server.url });
  const open = async () => (await rest().call("inbox", {})).items;
  const answer = async (value: string) => {
    const { session_id, tool_use_id } = await until(async () => (await open())[0]);
    await rest().call("answer", { body: { session_id, tool_use_id, answers: { "0": value } } });
  };

  test("can be answered there, as by a person, and is then closed everywhere", async () => {
    const ann = person();
    client = await connect(server.url, ann.show);
    const asking = calling(CHOICE);
    const form = await until(() => ann.forms[0]);
    expect(form.message).toBe("Which way?\nLeft is shorter.");
    expect(form.requestedSchema).toMatchObject({
      properties: {
        answer_1: {
          type: "string",
          title: "Which way?",
          oneOf: [
            { const: "l", title: "Left — by the river" },
            { const: "r", title: "Right" },
          ],
          default: "r",
        },
      },
      required: ["answer_1"],
    });
    ann.act({ action: "accept", content: { answer_1: "l" } });
    expect((await asking).reply).toMatchObject({
      status: "answered",
      result: {
        answers: [{ value: "l" }],
        decided_by: { kind: "person", name: "local", surface: "mcp", provenance: "reported" },
      },
    });
    expect(await open()).toEqual([]);
  });

  test("can be answered elsewhere: the call gets that answer, and the form is withdrawn", async () => {
    const ann = person();
    client = await connect(server.url, ann.show);
    const asking = calling(CHOICE);
    await until(() => ann.forms[0]);
    await answer("2");
    expect((await asking).reply).toMatchObject({
      status: "answered",
      result: { answers: [{ value: "r" }], decided_by: { surface: "rest" } },
    });
    expect(await until(() => ann.withdrawn[0])).toBe("Which way?\nLeft is shorter.");
    // What is pressed on a form that is gone has no effect.
    ann.act({ action: "accept", content: { answer_1: "l" } });
    expect((await calling({ question: "And now?", timeout_s: 0.05 })).reply?.status).toBe("timeout");
  });

  test.each(["decline", "cancel"] as const)(
    "%s leaves it open for everyone else, and is not asked again",
    async (action) => {
      const ann = person();
      client = await connect(server.url, ann.show);
      const asking = calling(CHOICE);
      await until(() => ann.forms[0]);
      const before = client.accepted();
      ann.act({ action });
      await until(() => ((client?.accepted() ?? 0) > before ? true : undefined));
      const { session_id, tool_use_id } = await until(async () => (await open())[0]);
      const waiting = calling({ session_id, tool_use_id }, "wait_for_answer");
      await until(() => (server.hub.waiting() > 0 ? true : undefined));
      await answer("1");
      expect((await asking).reply).toMatchObject({ status: "answered", result: { answers: [{ value: "l" }] } });
      expect((await waiting).reply?.status).toBe("answered");
      expect(ann.forms).toHaveLength(1);
    },
  );

  test("can have every type, Other, and empty fields", async () => {
    const ann = person();
    client = await connect(server.url, ann.show);
    const asking = calling({
      questions: [
        { question: "Which?", header: "Which", options: [{ label: "a" }, { label: "b" }] },
        { question: "All?", options: [{ label: "c" }, { label: "d" }], multiSelect: true },
        { question: "Else?", options: [{ label: "e" }], required: false },
      ],
    });
    const form = await until(() => ann.forms[0]);
    expect(Object.keys(form.requestedSchema.properties)).toEqual(
      [1, 2, 3].flatMap((n) => [`answer_${n}`, `answer_${n}_other`]),
    );
    expect(form.requestedSchema.required).toEqual([]);
    ann.act({ action: "accept", content: { answer_1_other: "none of these", answer_2: ["option_2", "option_1"] } });
    expect((await asking).reply?.result?.output).toMatchObject({
      answers: { "Which?": "none of these", "All?": "c, d" },
    });

    const yesNo = calling({ question_text: "Sure?", type: "boolean" });
    await until(() => ann.forms[1]);
    ann.act({ action: "accept", content: { answer_1: false } });
    expect((await yesNo).reply?.result?.answers[0]?.value).toBe(false);
    const words = calling({ question: "Why?" });
    await until(() => ann.forms[2]);
    ann.act({ action: "accept", content: { answer_1: "Because." } });
    expect((await words).reply?.result?.answers[0]?.text).toBe("Because.");
  });

  test("is explained and shown again after an invalid answer, but not forever", async () => {
    const forms: ElicitationForm[] = [];
    client = await connect(server.url, async (form) => {
      forms.push(form);
      return { action: "accept", content: { answer_1: "nonsense" } };
    });
    const asking = calling(CHOICE);
    await until(() => forms[2]);
    expect(forms[1]?.message).toMatch(/was rejected: .*\n\nWhich way\?/s);
    await answer("1");
    expect((await asking).reply?.result?.decided_by.surface).toBe("rest");
    expect(forms).toHaveLength(3);
  });

  test("is not shown there if it has follow-ups, which a flat form cannot ask", async () => {
    const ann = person();
    client = await connect(server.url, ann.show);
    const why = { question_text: "Why?", type: "text", required: false };
    const asking = calling({ ...CHOICE, follow_up_questions: { l: [why] } });
    await answer("2");
    expect((await asking).reply?.status).toBe("answered");
    expect(ann.forms).toEqual([]);
  });

  test("is not sent to a client that cannot show it", async () => {
    client = await connect(server.url);
    const [{ reply }] = await Promise.all([calling(CHOICE), answer("1")]);
    expect(reply?.status).toBe("answered");
  });
});

describe("a question is not shown in the client", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase("sqlite");
  });
  afterAll(() => database.drop());

  /** Asked and answered over REST; how many forms were shown, and which session there was. */
  async function formsShown(elicitation: boolean, connect: (url: string, show: Show) => Promise<TestClient>) {
    const server = await testServer(database.url, { patience: PATIENCE, ...(elicitation && { elicitation }) });
    const ann = person();
    client = await connect(server.url, ann.show);
    const asking = calling(CHOICE);
    const rest = createClient({ url: server.url });
    const { session_id, tool_use_id } = await until(async () => (await rest.call("inbox", {})).items[0]);
    await rest.call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
    expect((await asking).reply?.status).toBe("answered");
    await server.stop();
    expect(server.errors).toEqual([]);
    return ann.forms.length;
  }

  test.each(Object.entries(CLIENTS))("unless the setting says so: %s", async (_name, connect) => {
    expect(await formsShown(false, connect)).toBe(0);
  });

  test("in the protocol of 2026, where a server cannot ask and take it back", async () => {
    expect(await formsShown(true, (url, show) => testClient("2026-07-28", url, show))).toBe(0);
  });

  test("and a reply to an unknown session is refused: it would be lost silently", async () => {
    const server = await testServer(database.url, { elicitation: true });
    const post = (body: object) =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-session-id": "of-before",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
      });
    expect((await post({ result: { action: "accept", content: { answer_1: "l" } } })).status).toBe(404);
    // A call is served all the same: Parley has restarted, and the client need not know.
    const listed = await post({ method: "tools/list" });
    expect(await listed.text()).toContain("ask_user_question");
    await server.stop();
  });
});

test("a session works only with the key that began it", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { elicitation: true });
  onTestFinished(async () => {
    await server.stop();
    await database.drop();
  });
  const admin = await setUp(server);
  const [own, other] = [await agentKey(server, admin, "own"), await agentKey(server, admin, "other")];
  const send = (headers: Record<string, string>, method: string, body?: object) =>
    fetch(`${server.url}/mcp`, {
      method,
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...(body && { body: JSON.stringify({ jsonrpc: "2.0", ...body }) }),
    });
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: { elicitation: {} },
    clientInfo: { name: "test", version: "1" },
  };
  const begun = await send(own.headers, "POST", { id: 1, method: "initialize", params });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  const list = { id: 2, method: "tools/list" };
  // To fill in a form of the session, to use it, and to end it.
  for (const [method, body] of [
    ["POST", { id: 0, result: { action: "accept", content: {} } }],
    ["POST", list],
    ["DELETE", undefined],
  ] as const)
    expect([method, (await send({ ...other.headers, ...session }, method, body)).status]).toEqual([method, 404]);
  expect((await send({ ...own.headers, ...session }, "POST", list)).status).toBe(200);
  expect((await send({ ...own.headers, ...session }, "DELETE")).status).toBe(200);
});
