import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const question = {
  question: "请选择一个功能",
  header: "选择功能",
  multiSelect: true,
  options: [{ label: "背唐诗" }, { label: "讲笑话" }],
};
const more = "再给一个多选框";
const said = (role: string, ...content: object[]) => ({ type: role, message: { role, content } });
const line = (n: number, body: object) => ({
  ...body,
  uuid: `msg_00${n}`,
  parentUuid: n === 1 ? null : `msg_00${n - 1}`,
  sessionId: "old",
  cwd: "e:\\project",
  timestamp: `2026-02-11T10:00:0${n}.000Z`,
});
const thread = [
  { type: "summary", summary: "Poems", leafUuid: "x" },
  line(1, said("user", { type: "text", text: "给我弹一个多选对话框" })),
  line(
    2,
    said(
      "assistant",
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "tool_use", id: "call_1", name: "AskUserQuestion", input: { questions: [question] } },
    ),
  ),
  line(3, {
    ...said("user", {
      type: "tool_result",
      tool_use_id: "call_1",
      content: `User has answered your questions: "请选择一个功能"="背唐诗, 讲笑话". You can now continue with the user's answers in mind.`,
    }),
    toolUseResult: { questions: [question], answers: { 请选择一个功能: "背唐诗, 讲笑话" } },
  }),
  line(
    4,
    said("assistant", { type: "tool_use", id: "call_2", name: "AskUserQuestion", input: { questions: [question] } }),
  ),
  line(
    5,
    said("user", {
      type: "tool_result",
      tool_use_id: "call_2",
      content: `User has answered your questions: "请选择一个功能"="${more}". You can now continue with the user's answers in mind.`,
    }),
  ),
  line(
    6,
    said(
      "assistant",
      { type: "tool_use", id: "call_3", name: "Bash", input: { command: "ls" } },
      { type: "redacted_thinking", data: "?" },
    ),
  ),
  line(
    7,
    said("assistant", {
      type: "tool_use",
      id: "call_4",
      name: "ask_user_question",
      input: { question_id: "p", question_text: "Port?", type: "text" },
    }),
  ),
  { type: "file-history-snapshot", messageId: "m", snapshot: { a: 1 } },
];
const jsonl = (lines: unknown[]) => `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`;

describe.each(DATABASES)("import and export on %s", (kind) => {
  let database: TestDatabase;
  let hub: Hub;
  beforeAll(async () => {
    database = await testDatabase(kind);
    hub = testHub(await database.open());
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });

  const exported = async (conversation_id: string) => {
    let text = "";
    for await (const part of (await hub.exportConversation(byPerson(), conversation_id)).lines) text += part;
    return text
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one));
  };

  test("an imported thread is exported unchanged, line by line", async () => {
    const { conversation_id } = await hub.importConversation(byAgent(), jsonl(thread));
    expect(await exported(conversation_id)).toEqual(thread);
  });

  test("its questions become rounds with their answers; one without an answer is not asked again", async () => {
    const { conversation_id, rounds, messages } = await hub.importConversation(byAgent(), jsonl(thread));
    expect([rounds, messages]).toEqual([3, 11]);
    const state = await hub.readConversation(byPerson(), conversation_id);
    expect(state).toMatchObject({ title: "Poems", pending: [], current_round: 3 });
    expect(state.dialog_history.map(({ answer, status }) => [answer, status])).toEqual([
      ["背唐诗, 讲笑话", "answered"],
      [more, "answered"],
      [null, "cancelled"],
    ]);
    const { messages: all } = await hub.readMessages(byPerson(), { conversation_id });
    expect(all.map((message) => message.sequence_num)).toEqual(all.map((_, index) => index + 1));
    expect(all.slice(1, 4).map(({ type, parentUuid }) => [type, parentUuid])).toEqual([
      ["text", null],
      ["thinking", "msg_001"],
      ["ask_user_question", "msg_002"],
    ]);
  });

  test("an imported round can be continued and answered", async () => {
    const { conversation_id } = await hub.importConversation(byAgent(), jsonl(thread));
    const forked = await hub.continueFrom(byPerson(), conversation_id, 1);
    const done = await hub.answer(byPerson(), { conversation_id: forked, question_id: "call_1", answer: ["讲笑话"] });
    expect(done.result?.output).toMatchObject({ answers: { 请选择一个功能: "讲笑话" } });
  });

  test("Parley's own export stays the same after an import and another export", async () => {
    const conversation_id = await hub.createConversation(byAgent(), {});
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    await hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "b" });
    const lines = await exported(conversation_id);
    expect(lines.map((one) => [one.type, one.parentUuid === null])).toEqual([
      ["assistant", true],
      ["user", false],
    ]);
    const { file } = await hub.exportConversation(byPerson(), conversation_id);
    expect(file).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/);
    expect(lines[1]).toMatchObject({ sessionId: file.slice(0, 36), toolUseResult: { question_id: "t", answer: "b" } });
    const again = await hub.importConversation(byAgent(), jsonl(lines));
    expect(await exported(again.conversation_id)).toEqual(lines);
    // Claude Code knows it by the same name.
    expect((await hub.exportConversation(byPerson(), again.conversation_id)).file).toBe(file);
    expect((await hub.readConversation(byPerson(), again.conversation_id)).dialog_history).toMatchObject([
      { answer: "B" },
    ]);
  });

  test("lines that are not JSON are named, and nothing is imported", async () => {
    const before = (await hub.listConversations(byPerson(), {})).sessions.length;
    await expect(hub.importConversation(byAgent(), '{"type":"user"}\nnonsense\n[]\n')).rejects.toMatchObject({
      code: "invalid_request",
      details: { problems: [{ path: "line 2" }, { path: "line 3" }] },
    });
    expect((await hub.listConversations(byPerson(), {})).sessions).toHaveLength(before);
  });

  test("a thread or a line that is too long is refused, with advice", async () => {
    const refused = (text: string) =>
      hub.importConversation(byAgent(), text).catch((error) => [error.code, error.message]);
    for (const text of ['{"type":"a"}\n'.repeat(100_001), "\n".repeat(100_002)])
      expect(await refused(text)).toEqual([
        "payload_too_large",
        "The thread has more than 100000 lines. Split it and import the parts.",
      ]);
    const blocks = `{"type":"user","message":{"role":"user","content":[${'"",'.repeat(40_000)}""]}}\n`;
    expect(await refused(blocks.repeat(3))).toEqual([
      "payload_too_large",
      "The thread has more than 100000 messages. Split it and import the parts.",
    ]);
    expect(await refused(`{"type":"a","b":"${"c".repeat(8 * 1024 * 1024)}"}`)).toEqual([
      "payload_too_large",
      "The thread has a line of more than 8 MiB (line 1). Split it and import the parts.",
    ]);
  });

  test("errors and turn endings in Parley's own threads survive an import", async () => {
    const system = (subtype: string, text: string) => ({ type: "system", subtype, content: text, parley: { text } });
    const lines = [system("error", "It broke."), system("complete", "It is done."), system("info", "By the way.")];
    const { conversation_id } = await hub.importConversation(byAgent(), jsonl(lines));
    const { messages } = await hub.readMessages(byPerson(), { conversation_id });
    expect(messages.map(({ type, content }) => [type, content.text])).toEqual([
      ["error", "It broke."],
      ["complete", "It is done."],
      ["info", "By the way."],
    ]);
    expect(await exported(conversation_id)).toEqual(lines);
  });

  test("a question whose id is a property of every object is not answered by that property", async () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const asked = { questions: [{ question: name, header: "h", options: [{ label: "a" }, { label: "b" }] }] };
      const lines = [
        said("assistant", { type: "tool_use", id: "t1", name: "AskUserQuestion", input: asked }),
        { ...said("user", { type: "tool_result", tool_use_id: "t1", content: "x" }), toolUseResult: { answers: {} } },
      ];
      const { conversation_id } = await hub.importConversation(byAgent(), jsonl(lines));
      const { dialog_history } = await hub.readConversation(byPerson(), conversation_id);
      expect(dialog_history).toMatchObject([{ question: name, answer: "", status: "answered" }]);
    }
  });

  test("a question with the latest possible deadline can be continued", async () => {
    const deadline_at = "9999-12-31T23:59:59.999Z";
    const { conversation_id } = await hub.ask(byAgent(), { ...CHOICE, deadline_at });
    const forked = await hub.continueFrom(byPerson(Date.now() + 60_000), conversation_id, 1);
    expect((await hub.readConversation(byPerson(), forked)).pending).toMatchObject([{ deadline_at }]);
  });
});
