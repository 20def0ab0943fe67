import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { io } from "socket.io-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBrowserCookie } from "../auth/browser-cookie.ts";
import { createClient } from "../client.ts";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { byPerson, CHOICE } from "../hub/test-hub.ts";
import { testServer } from "./test-server.ts";

const SECRET = "a secret for tests, and for nothing else";
const [COOKIE = ""] = (createBrowserCookie(SECRET).forVisitor({}) ?? "").split(";");
// Its first character is changed: some bits of the last one mean nothing.
const FORGED = COOKIE.replace(/\.(.)/, (_, first) => (first === "A" ? ".B" : ".A"));

describe.each(ABOVE_SQL)("the provenance of a decision (%s)", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, { secret: { value: SECRET, file: undefined } });
    onTestFinished(server.stop);
    const client = (cookie?: string) =>
      createClient({ url: server.url, headers: () => ({ ...(cookie && { cookie }) }) });
    const asked = async () => (await client(COOKIE).call("ask", { body: { tool_use_id: "t", ...CHOICE } })).ask;
    return { server, client, asked };
  };
  const kinds = [
    ["browser", COOKIE],
    ["none", undefined],
    ["none", FORGED],
  ] as const;

  test.each(kinds)("%s is in the result, the thread, the inbox and the audit", async (provenance, cookie) => {
    const { client, asked } = await started();
    const { session_id, tool_use_id, asked_by } = await asked();
    expect(asked_by).not.toHaveProperty("provenance");
    const person = client(cookie);
    await person.call("answer", { body: { session_id, question_id: "t", answer: "a" } });
    const decided_by = { kind: "person", name: "local", surface: "rest", provenance };
    const { ask } = await client().call("readAsk", { params: { tool_use_id }, query: { session_id } });
    expect(ask).toMatchObject({ result: { decided_by }, questions: [{ answered_by: decided_by }] });
    const { items } = await client().call("inbox", { query: { status: "closed" } });
    expect(items).toMatchObject([{ settled: { decided_by } }]);
    const { messages } = await client().call("readMessages", { params: { id: session_id } });
    expect(messages.at(-1)).toMatchObject({ type: "tool_result", content: { decided_by } });
    const { events, chain } = await client().call("audit", { query: { session_id, whole: "true" } });
    expect(events.at(-1)).toMatchObject({ action: "question.answered", actor: decided_by, after: { decided_by } });
    expect(events[0]?.actor).not.toHaveProperty("provenance");
    expect(chain.intact).toBe(true);
  });

  test.each(kinds)("%s counts for a reply and a cancellation too", async (provenance, cookie) => {
    const { client } = await started();
    const person = client(cookie);
    for (const id of ["reply", "cancel"] as const) {
      const { ask } = await client().call("ask", { body: { tool_use_id: id, ...CHOICE } });
      const target = { session_id: ask.session_id, tool_use_id: id };
      const settled =
        id === "reply"
          ? await person.call("reply", { body: { ...target, text: "Neither." } })
          : await person.call("cancel", { body: { ...target, reason: "no longer needed" } });
      expect(settled.ask.result?.decided_by).toMatchObject({ kind: "person", provenance });
    }
  });

  test.each(kinds)("%s counts for an answer over a socket", async (provenance, cookie) => {
    const { server, client, asked } = await started();
    const { session_id, tool_use_id } = await asked();
    const socket = io(server.url, {
      query: { protocol: "v2", name: "ann" },
      transports: ["websocket"],
      ...(cookie && { extraHeaders: { cookie } }),
    });
    onTestFinished(() => void socket.disconnect());
    const answer = { conversation_id: session_id, question_id: "t", answer: "a" };
    expect(await socket.timeout(20_000).emitWithAck("user.input_response", answer)).toMatchObject({ ok: true });
    const { ask } = await client().call("readAsk", { params: { tool_use_id }, query: { session_id } });
    expect(ask.result?.decided_by).toMatchObject({ name: "ann", surface: "socket", provenance });
  });

  test("a report over REST is of one kind, and its name is as plain as any other", async () => {
    const { server, client, asked } = await started();
    const { session_id, tool_use_id } = await asked();
    const body = { session_id, tool_use_id, answers: { "0": "1" } };
    for (const more of [{ reason: "declined" }, { text: "Neither." }, { answers: undefined }])
      await expect(client().call("reportDecision", { body: { ...body, ...more } })).rejects.toMatchObject({
        code: "invalid_request",
      });
    const other = createClient({ url: server.url, headers: () => ({ "x-parley-name": "crawler" }) });
    await expect(other.call("reportDecision", { body })).rejects.toMatchObject({ code: "forbidden" });
    const { ask } = await client(COOKIE).call("reportDecision", { body: { ...body, by: "<b>ann</b>" } });
    expect(ask.result?.decided_by).toEqual({ kind: "person", name: "bannb", surface: "rest", provenance: "reported" });
  });

  test("a record without it has none: nothing is made up", async () => {
    const { server, client, asked } = await started();
    const { session_id, tool_use_id } = await asked();
    await server.hub.answer(byPerson(), { conversation_id: session_id, question_id: "t", answer: "a" });
    const { ask } = await client().call("readAsk", { params: { tool_use_id }, query: { session_id } });
    expect(ask.result?.decided_by).toStrictEqual({ kind: "person", name: "ann", surface: "browser" });
  });
});

test("the secret is created at the first start, for its owner only, and kept", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const file = join(dirname(database.url.slice("file:".length)), "secret");
  const first = await testServer(database.url);
  await first.stop();
  const { mode, mtimeMs } = statSync(file);
  expect(mode & 0o777).toBe(0o600);
  const second = await testServer(database.url);
  await second.stop();
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});
