import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Block } from "../../test-model.ts";
import { resolvingBy } from "../../test-resolve.ts";
import { ask, question, type TestParley, testParley, text } from "./test-parley.ts";

// The real SDK and its real Claude Code, against a scripted model.

/** Long enough for all calls of one reply to have come, also where the machine is busy. */
const HELD_S = 2.5;

/** Node options that hide the SDK. */
const WITHOUT_SDK = resolvingBy(`(name, context, next) => {
  if (name !== "@anthropic-ai/claude-agent-sdk") return next(name, context);
  throw Object.assign(new Error("not installed"), { code: "ERR_MODULE_NOT_FOUND" });
}`);

/** Everything that comes, until the stream is closed. */
async function heard(response: Response): Promise<string> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += decoder.decode(part.value, { stream: true });
  } catch {
    // Closed from here.
  }
  return text;
}

describe("the agent claude", () => {
  let database: TestDatabase;
  let parley: TestParley;
  beforeAll(async () => {
    database = await testDatabase("sqlite");
    parley = await testParley(database.url);
    await parley.start();
  });
  afterAll(async () => {
    await parley.remove();
    await database.drop();
  });

  test("thinks, speaks, asks three rounds and reads each answer", async () => {
    const { model, client, say, asked, answer, ended } = parley;
    const thinking: Block = { type: "thinking", thinking: "I do not know that." };
    model.say(
      [thinking, text("First I ask."), ask(question("Deploy?"))],
      [ask(question("Where?"))],
      [ask(question("Now?"))],
      [text("It is done.")],
    );
    const { session_id: id } = await client.call("createSession", { body: { agent: "claude" } });
    const watching = new AbortController();
    const watched = heard(await client.fetch("events", { params: { id }, signal: watching.signal }));
    await say("deploy, please", id);
    await answer(await asked(id, 1), { answer: "Yes" });
    await asked(id, 2);
    expect(model.lastTold()).toContain('Your questions have been answered: "Deploy?"="Yes". You can now continue');
    await answer(await asked(id, 2), { answer: "No" });
    await answer(await asked(id, 3), { answer: "Yes" });
    const thread = await ended(id);
    expect(thread.map(({ type }) => type)).toEqual([
      "text",
      "thinking",
      "text",
      "ask_user_question",
      "tool_result",
      "ask_user_question",
      "tool_result",
      "ask_user_question",
      "tool_result",
      "text",
      "complete",
    ]);
    expect(thread[2]?.content.text).toBe("First I ask.");
    expect(thread[2]?.metadata?.raw_event).toMatchObject({ type: "assistant" });
    expect(thread[3]?.metadata?.raw_event).toMatchObject({ type: "assistant", session_id: expect.any(String) });
    expect(thread.at(-1)?.metadata?.raw_event).toMatchObject({ type: "result", subtype: "success" });
    // Claude Code's own events are stored and published; its version of the answers is stored.
    const { messages } = await client.call("readMessages", { params: { id } });
    const system = messages.filter(({ content }) => content.event === "agent.system");
    expect(system.map(({ content }) => content.subtype)).toEqual(["init", "tool_result", "tool_result", "tool_result"]);
    expect(system[0]?.content.text).toMatch(/^Claude Code \S+ works with \S+\.$/);
    expect(system[0]?.metadata?.raw_event).toMatchObject({ type: "system", subtype: "init" });
    expect(system[1]?.content.tool_use_id).toBe(thread[3]?.content.tool_use_id);
    expect(JSON.stringify(system[1]?.metadata?.raw_event)).toContain("Your questions have been answered");
    expect(thread.at(-2)?.content.text).toBe("It is done.");
    expect(model.strays).toEqual([]);
    watching.abort();
    expect(await watched).toMatch(/event: session\.system_event\ndata: .*"subtype":"init"/);
    const pieces = (await watched).matchAll(/event: (\S+)\ndata: (.*)/g);
    const streamed = [...pieces].flatMap(([, name, data = ""]) => {
      const { delta } = JSON.parse(data).payload;
      return delta === undefined ? [] : [[name, delta]];
    });
    expect(streamed.slice(0, 4)).toEqual([
      ["assistant.thinking", "I do not k"],
      ["assistant.thinking", "now that."],
      ["assistant.chunk", "First "],
      ["assistant.chunk", "I ask."],
    ]);
  });

  test("reads a reply in words, to a question and to a permission, and goes on", async () => {
    const { model, client, say, asked, ended, folder } = parley;
    const touch: Block = { type: "tool_use", name: "Bash", input: { command: `touch ${join(folder, "replied")}` } };
    model.say([ask(question("Deploy?"))], [touch], [text("I see.")]);
    const id = await say("deploy, please");
    const reply = async (nth: number, words: string) => {
      const { session_id, tool_use_id } = await asked(id, nth);
      await client.call("reply", { body: { session_id, tool_use_id, text: words } });
    };
    await reply(1, "Neither: first explain.");
    await asked(id, 2);
    expect(model.lastTold()).toMatch(/^The user answered: "Deploy\?"="Neither: first explain\."\. Read the answers/);
    await reply(2, "Why touch it at all?");
    const thread = await ended(id);
    expect(model.lastTold()).toContain("Why touch it at all?");
    expect(existsSync(join(folder, "replied"))).toBe(false);
    expect(thread.at(-2)?.content.text).toBe("I see.");
    expect(thread.filter(({ content }) => content.outcome === "replied")).toHaveLength(2);
  });

  test("a later message goes on in the same session of the model", async () => {
    const { model, say, ended } = parley;
    model.say([text("Hello.")], [text("I remember.")]);
    const id = await say("I am Ada");
    await ended(id);
    const before = model.requests.length;
    await say("who am I?", id);
    await parley.until(() => model.requests.length > before, "the model was not asked");
    await ended(id);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("I am Ada");
  });

  test("several questions in one ask: many options, free text and notes reach the model", async () => {
    const { model, say, asked, answer, ended } = parley;
    const many = question("Which?", { multiSelect: true, header: "A header that is long" });
    model.say([ask(many, question("Sure?"))], [text("Good.")]);
    const id = await say("choose");
    const open = await asked(id, 1);
    expect(open.questions[0]?.header).toBe("A header th…");
    await answer(open, { answer: ["Yes", "No"], other: "and a third", notes: "not in this order" }, { answer: "Yes" });
    await ended(id);
    const told = model.lastTold();
    expect(told).toContain('"Which?"="Yes, No, and a third"');
    expect(told).toContain("not in this order");
    expect(told).toContain('"Sure?"="Yes"');
    expect(told).not.toContain("did not answer");
  });

  test("two asks at once are both open, held, and answered in any order", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.stop("SIGTERM");
    await parley.start({ CLAUDE_PARK_AFTER_S: String(HELD_S) });
    model.say([ask(question("One?")), ask(question("Two?"))], [text("Both.")]);
    const id = await say("two");
    const first = await asked(id, 1);
    await answer(await asked(id, 2), { answer: "No" });
    await sleep(1.5 * HELD_S * 1_000);
    expect(parley.children()).toBe(1);
    await answer(first, { answer: "Yes" });
    await ended(id);
    const told = model.lastTold();
    expect(told).toContain('="Yes"');
    expect(told).toContain('="No"');
    await parley.stop("SIGTERM");
    await parley.start();
  });

  test("a cancelled question is told as an error, with the reason", async () => {
    const { model, say, asked, ended, client } = parley;
    model.say([ask(question("Still?"))], [text("Then not.")]);
    const id = await say("ask me");
    const { tool_use_id } = await asked(id, 1);
    await client.call("cancel", { body: { session_id: id, tool_use_id, reason: "not today" } });
    await ended(id);
    expect(model.lastTold()).toContain("not today");
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('"is_error":true');
  });

  test("a tool that needs a permission: denied with a reason, allowed once, allowed for the conversation", async () => {
    const { model, say, asked, answer, ended, folder } = parley;
    const touch = (name: string): Block => ({
      type: "tool_use",
      name: "Bash",
      input: { command: `touch ${join(folder, name)}` },
    });
    model.say([touch("a")], [touch("b")], [touch("c")], [touch("c")], [text("Enough.")]);
    const id = await say("touch them");
    const first = await asked(id, 1);
    expect(first.input.context).toEqual([{ path: "Bash", text: `touch ${join(folder, "a")}` }]);
    await answer(first, { answer: "deny", follow_up_answers: { [`${first.tool_use_id}_why`]: "wrong file" } });
    await answer(await asked(id, 2), { answer: "allow" });
    expect(model.lastTold()).toContain("wrong file");
    await answer(await asked(id, 3), { answer: "allow_conversation" });
    const thread = await ended(id);
    expect([existsSync(join(folder, "a")), existsSync(join(folder, "b")), existsSync(join(folder, "c"))]).toEqual([
      false,
      true,
      true,
    ]);
    // The fourth was not asked about.
    expect(thread.filter(({ type }) => type === "ask_user_question")).toHaveLength(3);
    expect(thread.filter(({ type }) => type === "tool_use")).toHaveLength(4);

    model.say([touch("c")], [text("Again.")]);
    await say("once more", id);
    await parley.until(async () => (await ended(id)).at(-2)?.content.text === "Again.", "it asked again");
  });

  test("interrupted while it asks: the card closes, no model goes on, and a new message leads back", async () => {
    const { model, say, asked, ended, client } = parley;
    model.say([ask(question("Wait?"))]);
    const id = await say("ask me");
    await asked(id, 1);
    const before = model.requests.length;
    await client.call("interrupt", { params: { id } });
    await ended(id, "interrupted");
    await parley.until(() => parley.children() === 0, "Claude Code still runs");
    expect(model.requests.length).toBe(before);
    model.say([text("Here again.")]);
    await say("go on", id);
    expect((await ended(id)).at(-2)?.content.text).toBe("Here again.");
  });

  test("a session that is gone is replaced by one that is told the history", async () => {
    const { model, say, ended, folder } = parley;
    model.say([text("Noted: blue.")], [text("Blue, you said.")]);
    const id = await say("my colour is blue");
    await ended(id);
    rmSync(join(folder, ".claude/projects"), { recursive: true });
    await say("which colour?", id);
    await parley.until(async () => (await ended(id)).at(-2)?.content.text === "Blue, you said.", "it did not go on");
    const told = model.lastTold();
    expect(told).toContain("my colour is blue");
    expect(told).toContain("Noted: blue.");
    expect(told).toContain("which colour?");
  });

  test("without the SDK everything else works, and it says how to add it", async () => {
    const { say, ended } = parley;
    await parley.stop("SIGTERM");
    await parley.start({}, WITHOUT_SDK);
    const thread = await ended(await say("hello"), "error");
    expect(thread.at(-1)?.content.text).toContain("npm install --no-save @anthropic-ai/claude-agent-sdk");
    await parley.stop("SIGTERM");
    await parley.start();
  });

  test("a model that refuses ends the turn with its words, and the next message is tried", async () => {
    const { model, say, ended, client } = parley;
    model.refuse({ type: "invalid_request_error", message: "your credit is used up" }, 400);
    const id = await say("hello");
    const thread = await ended(id, "error");
    expect(thread.at(-1)?.type).toBe("error");
    expect(String(thread.at(-1)?.content.text)).toContain("your credit is used up");
    expect(thread.map(({ type }) => type)).toEqual(["text", "error"]);
    model.refuse({ type: "overloaded_error", message: "too many at once" }, 529);
    await say("again", id);
    const told = async () => (await client.call("readMessages", { params: { id } })).messages.at(-1);
    await parley.until(
      async () => (await told())?.content.subtype === "api_retry",
      "nobody was told that it tries again",
    );
    await client.call("interrupt", { params: { id } });
    model.refuse(undefined);
    model.say([text("Now I can.")]);
    await say("again", id);
    expect((await ended(id)).at(-2)?.content.text).toBe("Now I can.");
  });

  test("continued from a round: another answer leads on, and the model knows what came before and nothing after", async () => {
    const { model, say, asked, answer, ended, client } = parley;
    model.say([text("I begin."), ask(question("First?"))], [ask(question("Second?"))], [text("The old end.")]);
    const id = await say("two rounds");
    await answer(await asked(id, 1), { answer: "Yes" });
    await answer(await asked(id, 2), { answer: "Yes" });
    await ended(id);

    const forked = await client.call("continueSession", { params: { id, n: 2 } });
    const open = await asked(forked.session_id, 2);
    model.say([text("Another end.")]);
    await answer(open, { answer: "No" });
    const thread = await ended(forked.session_id);
    expect(thread.at(-2)?.content.text).toBe("Another end.");
    const seen = JSON.stringify(model.requests.at(-1)?.messages);
    expect(seen).toContain("I begin.");
    expect(seen).toContain("No");
    expect(seen).not.toContain("The old end.");
    model.say([text("Old still.")]);
    await say("and you?", id);
    await ended(id);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("The old end.");
  });
});
