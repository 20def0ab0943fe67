import { setTimeout as sleep } from "node:timers/promises";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { countHeldCalls } from "../../mcp/test-held-calls.ts";
import { type BridgedHub, bridgedHub } from "../test-bridged-hub.ts";
import { start } from "../test-cli.ts";

const QUESTIONS = {
  questions: [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] }],
};
const INFO = { name: "test", version: "1.0.0" };

let bridged: BridgedHub;
beforeAll(async () => {
  bridged = await bridgedHub({ patience: { progressMs: 100, silentMs: 60_000 } });
});
afterAll(() => bridged.stop());

const hub = () => createClient({ url: bridged.server().url });
const items = async (status: "open" | "all") => (await hub().call("inbox", { query: { status } })).items;
async function answer(): Promise<void> {
  for (;;) {
    const [item] = await items("open");
    if (item) {
      const { session_id, tool_use_id } = item;
      await hub().call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
      return;
    }
    await sleep(20);
  }
}

/** The same calls by the clients of both eras. */
const CLIENTS = {
  "2025-11-25": async () => {
    const client = new OldClient(INFO);
    await client.connect(new OldTransport(bridged.command));
    return {
      tools: async () => (await client.listTools()).tools.length,
      ask: async (meta: object, onprogress: () => void, signal?: AbortSignal) =>
        client.callTool({ name: "ask_user_question", arguments: QUESTIONS, _meta: { ...meta } }, undefined, {
          onprogress,
          ...(signal && { signal }),
        }),
      close: () => client.close(),
    };
  },
  "2026-07-28": async () => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new NewTransport(bridged.command));
    return {
      tools: async () => (await client.listTools()).tools.length,
      ask: async (meta: object, onprogress: () => void, signal?: AbortSignal) =>
        client.callTool(
          { name: "ask_user_question", arguments: QUESTIONS, _meta: { ...meta } },
          { onprogress, ...(signal && { signal }) },
        ),
      close: () => client.close(),
    };
  },
};

describe.each(["2025-11-25", "2026-07-28"] as const)("parley mcp, protocol %s", (era) => {
  test("lists the tools of the hub, asks, and receives progress", async () => {
    const agent = await CLIENTS[era]();
    expect(await agent.tools()).toBe(5);
    let heard = 0;
    const asking = agent.ask({}, () => heard++);
    while (heard < 3) await sleep(20);
    await answer();
    expect((await asking).structuredContent).toMatchObject({ status: "answered" });
    await agent.close();
  });

  test("asks once, although the reply is lost and the connection drops", async () => {
    const before = (await items("all")).length;
    const agent = await CLIENTS[era]();
    bridged.proxy.loseReply();
    let heard = 0;
    const asking = agent.ask({}, () => heard++);
    while (heard < 2) await sleep(20);
    bridged.proxy.cut();
    const heardBefore = heard;
    while (heard === heardBefore) await sleep(20);
    await answer();
    expect((await asking).structuredContent).toMatchObject({ status: "answered" });
    expect(await items("all")).toHaveLength(before + 1);
    await agent.close();
  });

  test("a client that gives up and asks again finds its first card; another client asks separately", async () => {
    const before = (await items("all")).length;
    const [agent, other] = [await CLIENTS[era](), await CLIENTS[era]()];
    let heard = 0;
    const gone = new AbortController();
    const held = countHeldCalls(bridged.server().hub);
    const asking = agent.ask({}, () => heard++, gone.signal);
    while (heard < 1) await sleep(20);
    gone.abort();
    await expect(asking).rejects.toThrow();
    while (held() > 0) await sleep(20);
    await answer();
    expect((await agent.ask({}, () => {})).structuredContent).toMatchObject({ status: "answered" });
    expect(await items("all")).toHaveLength(before + 1);
    const theirs = other.ask({}, () => {});
    await answer();
    expect((await theirs).structuredContent).toMatchObject({ status: "answered" });
    expect(await items("all")).toHaveLength(before + 2);
    await Promise.all([agent.close(), other.close()]);
  });

  test("survives a restart of the hub: the same call gets the answer", async () => {
    const before = (await items("all")).length;
    const agent = await CLIENTS[era]();
    const meta = { "claudecode/toolUseId": `toolu_${era}` };
    let heard = 0;
    const asking = agent.ask(meta, () => heard++);
    while (heard < 1) await sleep(20);
    await bridged.server().stop();
    expect((await asking).structuredContent).toMatchObject({ status: "pending" });
    await bridged.startAgain();
    const again = agent.ask(meta, () => {});
    await answer();
    expect((await again).structuredContent).toMatchObject({ status: "answered" });
    expect(await items("all")).toHaveLength(before + 1);
    await agent.close();
  });
});

test("without a hub, listing tools is refused in words, and so is anything that is not JSON", async () => {
  const bridge = start(["mcp"], { env: { PARLEY_URL: "http://127.0.0.1:1" } });
  bridge.child.stdin?.write('nonsense\n[]\n{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}\n');
  while (!bridge.stdout().includes('"id":7')) await sleep(50);
  bridge.child.stdin?.end();
  const { code, stdout } = await bridge.ended;
  expect(code).toBe(0);
  const replies = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(replies.map(({ error }) => error.code)).toEqual([-32_700, -32_700, -32_000]);
  expect(replies[2].error.message).toBe("Parley cannot be reached at http://127.0.0.1:1. Start it with: parley serve");
});
