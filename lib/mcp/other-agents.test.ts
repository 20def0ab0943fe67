import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { ERAS, testClient } from "./test-clients.ts";

const options = [
  { label: "SQLite", description: "A file" },
  { label: "PostgreSQL", description: "A server" },
];
/** No field of it says that it is OpenCode's: the name of the tool does. */
const OPENCODE = { questions: [{ question: "Which database?", header: "Store", options }] };
const CODEX = { questions: [{ id: "store", ...OPENCODE.questions[0] }] };

const CALLS = [
  ["codex", "request_user_input", CODEX, { answers: { store: { answers: ["PostgreSQL"] } } }],
  ["opencode", "question", OPENCODE, { answers: [["PostgreSQL"]] }],
] as const;

describe.each(ABOVE_SQL)("other agents' calls on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    expect(server.errors).toEqual([]);
  });

  const rest = () => createClient({ url: server.url });
  const ask = async (body: Record<string, unknown>) => (await rest().call("ask", { body })).ask;
  const answer = (session_id: string, tool_use_id: string) =>
    rest().call("answer", { body: { session_id, tool_use_id, answers: { [tool_use_id]: "PostgreSQL" } } });
  const read = async (session_id: string, tool_use_id: string) =>
    (await rest().call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask;

  test.each(CALLS)("%s over REST: a whole tool call, its result, and both again from its export", async (...call) => {
    const [shape, name, input, output] = call;
    const asked = await ask({ type: "tool_use", id: `rest_${shape}`, name, input });
    expect(asked).toMatchObject({ shape, status: "pending", input });
    await answer(asked.session_id, asked.tool_use_id);
    const settled = await read(asked.session_id, asked.tool_use_id);
    expect(settled.result).toMatchObject({ outcome: "answered", output });

    const file = await (await fetch(`${server.url}/api/sessions/${asked.session_id}/export`)).text();
    const headers = { "content-type": "application/x-ndjson" };
    const response = await fetch(`${server.url}/api/sessions/import`, { method: "POST", headers, body: file });
    const { session_id } = (await response.json()) as { session_id: string };
    const imported = await read(session_id, asked.tool_use_id);
    expect(imported).toMatchObject({ shape, status: "answered", result: { output } });
    expect(imported.result?.answers).toEqual(settled.result?.answers);
  });

  test("Codex may use its ids again in the same conversation", async () => {
    const first = await ask({ tool_use_id: "again_1", ...CODEX });
    const second = await ask({ tool_use_id: "again_2", session_id: first.session_id, ...CODEX });
    expect(second.status).toBe("pending");
  });

  test("a secret is not asked, and nothing of it is kept", async () => {
    const body = { questions: [{ ...CODEX.questions[0], isSecret: true }], agent: "secretive" };
    await expect(ask(body)).rejects.toThrow("a secret cannot be asked here");
    const { sessions } = await rest().call("listSessions", {});
    expect(sessions.filter(({ agent }) => agent === "secretive")).toEqual([]);
  });

  test.each(ERAS.flatMap((era) => CALLS.map((call) => [era, ...call] as const)))(
    "over MCP %s, %s: under the name of its tool",
    async (era, shape, name, input, output) => {
      const agent = await testClient(era, server.url);
      const tool_use_id = `mcp_${shape}_${era}`;
      const calling = agent.call(name, input, { meta: { "claudecode/toolUseId": tool_use_id }, onprogress: () => {} });
      const item = await until(async () =>
        (await rest().call("inbox", {})).items.find((one) => one.tool_use_id === tool_use_id),
      );
      await answer(item.session_id, tool_use_id);
      const { reply } = await calling;
      expect(reply).toMatchObject({ status: "answered", result: { output } });
      expect((await read(item.session_id, tool_use_id)).shape).toBe(shape);
      await agent.close();
    },
  );
});

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
