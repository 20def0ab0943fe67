import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Block } from "../../test-model.ts";
import { ask, PARK_S, question, type TestParley, testParley, text } from "./test-parley.ts";

describe.each(ABOVE_SQL)("a long wait of the agent claude on %s", (kind) => {
  let database: TestDatabase;
  let parley: TestParley;
  beforeAll(async () => {
    database = await testDatabase(kind);
    parley = await testParley(database.url);
  });
  afterEach(() => parley.stop("SIGKILL"));
  afterAll(async () => {
    await parley.remove();
    await database.drop();
  });

  const soon = { CLAUDE_PARK_AFTER_S: String(PARK_S) };
  const away = () => parley.until(() => parley.children() === 0, "Claude Code still runs");
  /** The call that the model made, and what it was told about it. */
  const lastCall = () => {
    // Claude Code may add its own words behind them, as the system's.
    const said = parley.model.requests.at(-1)?.messages.filter(({ role }) => role !== "system") ?? [];
    // A process that is killed may not have written its session yet; the model then reads everything in one message.
    const [reply, told] = [said.at(-2), said.at(-1)];
    const id = JSON.stringify(reply ?? null).match(/"id":"(toolu_\w+)"/)?.[1] ?? "no call";
    return { id, told: JSON.stringify(told) };
  };

  test("kill -9 of Parley while it is put away, then the answer: the same call goes on", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.start(soon);
    model.say([ask(question("Over the kill?"))], [text("I was killed?")]);
    const id = await say("long");
    const { tool_use_id } = await asked(id, 1);
    await parley.until(async () => {
      const { events } = await parley.client.call("audit", { query: { session_id: id } });
      return events.some(({ action }) => action === "turn.parked");
    }, "it was not put away");
    await parley.stop("SIGKILL");
    await parley.start(soon);
    await answer(await asked(id, 1), { answer: "Yes" });
    expect((await ended(id)).at(-2)?.content.text).toBe("I was killed?");
    expect(lastCall()).toMatchObject({
      id: tool_use_id,
      told: expect.stringContaining("Your questions have been answered"),
    });
  });

  // How a wait is put away is the same on every database.
  if (kind !== "sqlite") return;

  test("a question that timed out and is opened again: the model gets the answer in the same turn", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.start({ ASK_DEFAULT_TIMEOUT_S: "1" });
    model.say([ask(question("In time?"))], [text("Better late.")]);
    const id = await say("late");
    const thread = await ended(id, "error");
    const { tool_use_id, turn_id } = { tool_use_id: "", ...thread.at(-2)?.content, turn_id: thread.at(-1)?.turn_id };
    await parley.client.call("reopen", { body: { session_id: id, tool_use_id } });
    await answer(await asked(id, 1), { answer: "Yes" });
    const after = await ended(id);
    expect(after.at(-2)).toMatchObject({ turn_id, content: { text: "Better late." } });
    expect(JSON.stringify(model.requests.at(-1))).toContain("Your question was answered while you were away");
  });

  test("kill -9 of Parley while a process waits: no model goes on by itself, and the answer is told", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.start();
    model.say([ask(question("Cut off?"))], [text("Understood.")]);
    const id = await say("long");
    await asked(id, 1);
    const requests = model.requests.length;
    await parley.stop("SIGKILL");
    await parley.start();
    await answer(await asked(id, 1), { answer: "No" });
    expect((await ended(id)).at(-2)?.content.text).toBe("Understood.");
    expect(model.requests.length).toBe(requests + 1);
    expect(lastCall().told).toContain('\\"Cut off?\\"=\\"No\\"');
  });

  test("stopped while a process waits: it is put away first, and the same call goes on after the start", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.start();
    model.say([ask(question("Over the restart?"))], [text("Nothing happened.")]);
    const id = await say("long");
    const { tool_use_id } = await asked(id, 1);
    const requests = model.requests.length;
    await parley.stop("SIGTERM");
    expect(model.requests.length).toBe(requests);
    await parley.start();
    await answer(await asked(id, 1), { answer: "Yes" });
    expect((await ended(id)).at(-2)?.content.text).toBe("Nothing happened.");
    expect(lastCall()).toMatchObject({
      id: tool_use_id,
      told: expect.stringContaining("Your questions have been answered"),
    });
  });

  test("holds no process; the answer brings the same call back, and it may be put away again", async () => {
    const { model, say, asked, answer, ended } = parley;
    await parley.start(soon);
    model.say([text("I ask."), ask(question("First?"))], [ask(question("Second?"))], [text("Done with both.")]);
    const id = await say("long");
    const first = await asked(id, 1);
    await away();
    const requests = model.requests.length;
    await answer(first, { answer: "Yes" });
    const second = await asked(id, 2);
    expect(model.requests.length).toBe(requests + 1);
    expect(lastCall()).toMatchObject({
      id: first.tool_use_id,
      told: expect.stringContaining('\\"First?\\"=\\"Yes\\"'),
    });
    await away();
    await answer(second, { answer: "No" });
    const thread = await ended(id);
    expect(thread.map(({ type }) => type).slice(-4)).toEqual(["ask_user_question", "tool_result", "text", "complete"]);
    expect(lastCall().id).toBe(second.tool_use_id);
  });

  test("a question that is cancelled meanwhile is told as not answered", async () => {
    const { model, say, asked, ended, client } = parley;
    await parley.start(soon);
    model.say([ask(question("Still there?"))], [text("Fine.")]);
    const id = await say("long");
    const { tool_use_id } = await asked(id, 1);
    await away();
    await client.call("cancel", { body: { session_id: id, tool_use_id, reason: "too late" } });
    await ended(id);
    expect(lastCall()).toMatchObject({ id: tool_use_id, told: expect.stringContaining("too late") });
  });

  test("a permission holds no process either, and is not asked for twice", async () => {
    const { model, say, asked, answer, ended, folder } = parley;
    await parley.start(soon);
    const file = join(folder, `allowed-${kind}`);
    const touch: Block = { type: "tool_use", name: "Bash", input: { command: `touch ${file}` } };
    model.say([touch], [touch], [text("Touched.")]);
    const id = await say("touch it");
    const permission = await asked(id, 1);
    await away();
    await answer(permission, { answer: "allow" });
    const thread = await ended(id);
    expect(existsSync(file)).toBe(true);
    expect(thread.filter(({ type }) => type === "ask_user_question")).toHaveLength(1);
    expect(thread.at(-2)?.content.text).toBe("Touched.");
  });
});
