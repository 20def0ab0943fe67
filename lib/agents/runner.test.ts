import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import type { Hub } from "../hub/hub.ts";
import { byPerson, testHub } from "../hub/test-hub.ts";
import type { AskView } from "../protocol/ask.ts";
import type { Limits } from "../protocol/limits.ts";
import type { Agent } from "./agent.ts";
import { createDemo } from "./demo/demo.ts";
import { type Runner, startRunner } from "./runner.ts";

/** Streams one word and waits until it is stopped. */
const busy: Agent = {
  name: "busy",
  about: "never ends",
  run: async (run) => {
    await run.text("working");
    await new Promise((_, reject) => run.signal.addEventListener("abort", () => reject(run.signal.reason)));
  },
};
/** Says and asks what no text may hold. */
const dirty: Agent = {
  name: "dirty",
  about: "does not clean up",
  run: async (run) => {
    await run.text("NUL \u0000, \u202ebidi");
    await run.ask({ question: "NUL \u0000, half \ud83d, \u202ebidi?", tool_use_id: "dirty\u0000" });
  },
};
const broken: Agent = { name: "broken", about: "fails", run: async () => Promise.reject(new Error("secret cause")) };

type Node = { hub: Hub; runner: Runner; errors: unknown[]; deltas: string[]; stop: () => Promise<void> };

describe.each(ABOVE_SQL)("turns on %s", (kind) => {
  let database: TestDatabase;
  const nodes: Node[] = [];
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
  });
  afterAll(() => database.drop());

  async function start(limits: Partial<Limits> = {}): Promise<Node> {
    const db: Database = await database.open();
    const errors: unknown[] = [];
    const deltas: string[] = [];
    const agents = [createDemo({ wordsPerSecond: 100_000 }), busy, dirty, broken];
    const hub = testHub(db, { limits, agents: agents.map((agent) => agent.name), maxQueue: 2 });
    const runner = startRunner({
      hub,
      agents,
      clock: Date.now,
      onDelta: ({ delta }) => deltas.push(delta),
      onError: (error) => errors.push(error),
    });
    await hub.begin(byPerson());
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      await runner.stop();
      await hub.stop();
      await db.close();
    };
    const node = { hub, runner, errors, deltas, stop };
    nodes.push(node);
    return node;
  }

  const status = async (hub: Hub, id: string) => (await hub.readConversation(byPerson(), id)).status;
  const said = async (hub: Hub, id: string) => (await hub.readMessages(byPerson(), { conversation_id: id })).messages;
  const types = async (hub: Hub, id: string) => (await said(hub, id)).map((message) => message.type);
  async function question(hub: Hub, id: string, round: number): Promise<AskView> {
    await expect.poll(async () => (await hub.readConversation(byPerson(), id)).pending.at(-1)?.round).toBe(round);
    const ask = (await hub.readConversation(byPerson(), id)).pending.at(-1);
    if (!ask) throw new Error("it was there");
    return ask;
  }
  const reply = (hub: Hub, ask: AskView, answer: string | string[]) =>
    hub.answer(byPerson(), { conversation_id: ask.session_id, question_id: ask.tool_use_id, answer });
  const create = (hub: Hub, agent: string) =>
    hub.createConversation(
      { actor: { kind: "agent", name: "x", surface: "rest", rights: ["ask"] }, now: 1 },
      { agent },
    );

  test("choose, once more, and then it does what was chosen", async () => {
    const { hub, deltas } = await start();
    const id = await create(hub, "demo");
    await hub.sendMessage(byPerson(), id, "使用ask_user_question工具，给我弹一个多选对话框");
    await reply(hub, await question(hub, id, 1), ["再给一个多选框"]);
    await reply(hub, await question(hub, id, 2), ["再给一个多选框"]);
    await reply(hub, await question(hub, id, 3), ["背唐诗", "输出笑脸图标"]);
    await expect.poll(() => status(hub, id)).toBe("active");
    const texts = (await said(hub, id)).map((message) => String(message.content.text ?? "")).join("\n");
    expect(texts).toContain("床前明月光");
    expect(texts).toContain("😊");
    expect((await types(hub, id)).at(-1)).toBe("complete");
    expect(deltas.join("")).toContain("床前明月光");
    const { dialog_history } = await hub.readConversation(byPerson(), id);
    expect(dialog_history.map((round) => round.answer)).toEqual([
      "再给一个多选框",
      "再给一个多选框",
      "背唐诗, 输出笑脸图标",
    ]);
  });

  test("at the depth limit it says so and ends; a new message resets the count", async () => {
    const { hub } = await start({ maxDepth: 2 });
    const id = await create(hub, "demo");
    await hub.sendMessage(byPerson(), id, "rounds please");
    await reply(hub, await question(hub, id, 1), ["One more multi-select"]);
    await reply(hub, await question(hub, id, 2), ["One more multi-select"]);
    await expect.poll(() => status(hub, id)).toBe("active");
    const messages = await said(hub, id);
    expect(messages.some((message) => message.content.event === "depth.limit")).toBe(true);
    await hub.sendMessage(byPerson(), id, "rounds please");
    await reply(hub, await question(hub, id, 3), ["Tell a joke"]);
    await expect.poll(() => status(hub, id)).toBe("active");
  });

  test("every scenario works within the smallest limits that can be set", async () => {
    const { hub } = await start({ maxQuestions: 1, maxOptions: 1, headerMax: 1, questionMax: 1, maxDepth: 1 });
    const id = await create(hub, "demo");
    const ended = async () => (await types(hub, id)).filter((type) => type === "complete").length;
    const replies = { "rounds please": ["option_2"], batch: "option_1", port: "8080", "delete the files": false };
    for (const [index, [message, given]] of Object.entries(replies).entries()) {
      await hub.sendMessage(byPerson(), id, message);
      const { tool_use_id, questions } = await question(hub, id, index + 1);
      const answers = { [questions[0]?.question_id ?? ""]: given };
      await hub.answer(byPerson(), { conversation_id: id, tool_use_id, answers });
      await expect.poll(ended).toBe(index + 1);
    }
    await hub.sendMessage(byPerson(), id, "parallel");
    await expect.poll(ended).toBe(Object.keys(replies).length + 1);
    expect((await said(hub, id)).filter(({ type }) => type === "error")).toEqual([]);
  });

  test.each(["auth", "port", "delete the files", "batch", "parallel", "menu"])(
    "%s asks, and goes on when it is cancelled",
    async (message) => {
      const { hub } = await start();
      const id = await create(hub, "demo");
      await hub.sendMessage(byPerson(), id, message);
      await question(hub, id, message === "parallel" ? 2 : 1);
      for (const ask of (await hub.readConversation(byPerson(), id)).pending) {
        await hub.cancel(byPerson(), { conversation_id: id, tool_use_id: ask.tool_use_id }, "not now");
      }
      await expect.poll(() => status(hub, id)).toBe("active");
    },
  );

  test("what an agent says and asks is cleaned, as at every door", async () => {
    const { hub, deltas } = await start();
    const id = await create(hub, "dirty");
    await hub.sendMessage(byPerson(), id, "go");
    const ask = await question(hub, id, 1);
    expect(ask).toMatchObject({ tool_use_id: "dirty", questions: [{ text: "NUL , half \ufffd, bidi?" }] });
    expect((await said(hub, id)).map((message) => message.content.text)).toContain("NUL , bidi");
    expect(deltas).toEqual(["NUL , bidi"]);
  });

  test("every type of message occurs", async () => {
    const { hub } = await start();
    const id = await create(hub, "demo");
    for (const message of ["fail", "long"]) await hub.sendMessage(byPerson(), id, message);
    await expect.poll(async () => (await types(hub, id)).filter((type) => type === "complete").length).toBe(2);
    await hub.sendMessage(byPerson(), id, "poem");
    await reply(hub, await question(hub, id, 1), ["Recite a poem"]);
    await expect.poll(() => status(hub, id)).toBe("active");
    expect(new Set(await types(hub, id))).toEqual(
      new Set(["text", "thinking", "tool_use", "tool_result", "error", "info", "complete", "ask_user_question"]),
    );
  });

  test("one turn at a time: the next messages wait in order, and one too many is refused", async () => {
    const { hub } = await start();
    const id = await create(hub, "busy");
    const sent = await Promise.all([1, 2, 3].map((n) => hub.sendMessage(byPerson(), id, `message ${n}`)));
    expect(sent.map((one) => one.status).sort()).toEqual(["queued", "queued", "running"]);
    await expect(hub.sendMessage(byPerson(), id, "one too many")).rejects.toMatchObject({ code: "turn_queue_full" });
    await expect.poll(async () => (await types(hub, id)).length).toBe(4);
    for (const left of [1, 0, 0]) {
      const before = (await types(hub, id)).length;
      await hub.interrupt(byPerson(), id);
      if (left + 1 > 0) await expect.poll(async () => (await types(hub, id)).length).toBeGreaterThan(before);
    }
    await expect.poll(() => status(hub, id)).toBe("interrupted");
    expect(await hub.interrupt(byPerson(), id)).toEqual({ interrupted: false });
  });

  test("interrupted while it waits: the question is cancelled, and a message leads back", async () => {
    const { hub } = await start();
    const id = await create(hub, "demo");
    await hub.sendMessage(byPerson(), id, "port");
    const ask = await question(hub, id, 1);
    await hub.interrupt(byPerson(), id);
    expect(await hub.readConversation(byPerson(), id)).toMatchObject({ status: "interrupted", pending: [] });
    await expect(reply(hub, ask, "8080")).rejects.toMatchObject({ code: "question_closed" });
    await hub.sendMessage(byPerson(), id, "port");
    await reply(hub, await question(hub, id, 2), "8080");
    await expect.poll(() => status(hub, id)).toBe("active");
  });

  test("an agent that fails ends its turn with an error that keeps its cause to the log", async () => {
    const { hub, errors } = await start();
    const id = await create(hub, "broken");
    await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => status(hub, id)).toBe("error");
    expect(JSON.stringify(await said(hub, id))).not.toContain("secret cause");
    expect(errors).toHaveLength(1);
  });

  test("after a restart a turn that waited still waits, and goes on with the answer; one at work is interrupted", async () => {
    const first = await start();
    const [waiting, working] = [await create(first.hub, "demo"), await create(first.hub, "busy")];
    await first.hub.sendMessage(byPerson(), waiting, "port");
    await reply(first.hub, await question(first.hub, waiting, 1), "not a port");
    const ask = await question(first.hub, waiting, 2);
    await first.hub.sendMessage(byPerson(), working, "go");
    await expect.poll(async () => (await types(first.hub, working)).length).toBe(2);
    const before = await said(first.hub, waiting);
    await first.stop();

    const second = await start();
    expect(await status(second.hub, waiting)).toBe("waiting_input");
    expect(await status(second.hub, working)).toBe("interrupted");
    expect(await said(second.hub, waiting)).toEqual(before);
    await reply(second.hub, ask, "8080");
    await expect.poll(() => status(second.hub, waiting)).toBe("active");
    const after = await said(second.hub, waiting);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-2)?.content.text).toContain("8080");
  });

  test("a question that is opened again is waited for again, also over a restart and behind another turn", async () => {
    const first = await start({ defaultTimeoutS: 3_600 });
    const [id, busy] = [await create(first.hub, "demo"), await create(first.hub, "demo")];
    const asks: AskView[] = [];
    for (const one of [id, busy]) {
      await first.hub.sendMessage(byPerson(), one, "port");
      const ask = await question(first.hub, one, 1);
      asks.push(ask);
      await first.hub.expire(Date.now() + 1_000_000_000);
      await expect.poll(() => status(first.hub, one)).toBe("error");
    }
    await first.hub.sendMessage(byPerson(), busy, "port");
    await question(first.hub, busy, 2);
    for (const { session_id: conversation_id, tool_use_id } of asks)
      expect((await first.hub.reopen(byPerson(), { conversation_id, tool_use_id })).status).toBe("pending");
    expect(await status(first.hub, id)).toBe("waiting_input");
    expect(await first.hub.readState(byPerson(), busy)).toMatchObject({ queued: 1 });
    await first.stop();

    const second = await start();
    expect((await second.hub.readConversation(byPerson(), id)).pending).toHaveLength(1);
    expect((await second.hub.readConversation(byPerson(), busy)).pending).toHaveLength(2);
    for (const ask of asks) await reply(second.hub, ask, "8080");
    await expect.poll(() => status(second.hub, id)).toBe("active");
    await reply(second.hub, await question(second.hub, busy, 2), "9090");
    await expect.poll(() => status(second.hub, busy)).toBe("active");
    for (const [one, ports] of [
      [id, ["8080"]],
      [busy, ["9090", "8080"]],
    ] as const) {
      const texts = (await said(second.hub, one))
        .filter(({ type }) => type === "text")
        .map(({ content }) => content.text);
      expect(texts.filter((text) => /\d{4}/.test(String(text))).map((text) => /\d{4}/.exec(String(text))?.[0])).toEqual(
        ports,
      );
    }
    expect(second.errors).toEqual([]);
  });

  test("continued from a round, it goes on from there with the new answer, and the old conversation stays as it was", async () => {
    const { hub } = await start();
    const id = await create(hub, "demo");
    await hub.sendMessage(byPerson(), id, "rounds please");
    await reply(hub, await question(hub, id, 1), ["One more multi-select"]);
    await reply(hub, await question(hub, id, 2), ["Tell a joke"]);
    await expect.poll(() => status(hub, id)).toBe("active");
    const before = await said(hub, id);

    const forked = await hub.continueFrom(byPerson(), id, 2);
    const ask = await question(hub, forked, 2);
    expect(ask.status).toBe("pending");
    await reply(hub, ask, ["Print a smiley"]);
    await expect.poll(() => status(hub, forked)).toBe("active");
    const after = await said(hub, forked);
    expect(after.at(-1)?.type).toBe("complete");
    expect(JSON.stringify(after)).toContain("😊");
    expect(after.filter((message) => message.type === "ask_user_question")).toHaveLength(2);
    expect(await said(hub, id)).toEqual(before);
  });

  test("an answer that came while no node was there is found", async () => {
    const first = await start();
    const id = await create(first.hub, "demo");
    await first.hub.sendMessage(byPerson(), id, "port");
    const ask = await question(first.hub, id, 1);
    await first.stop();
    const alone = testHub(await database.open());
    await reply(alone, ask, "8080");
    await alone.stop();
    const second = await start();
    await expect.poll(() => status(second.hub, id)).toBe("active");
  });
});
