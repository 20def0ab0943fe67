import { setTimeout as sleep } from "node:timers/promises";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import type { Filled, Show } from "../../mcp/test-clients.ts";
import { type BridgedHub, bridgedHub } from "../test-bridged-hub.ts";

const INFO = { name: "test", version: "1.0.0" };
const call = {
  name: "ask_user_question",
  arguments: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
};

let bridged: BridgedHub;
beforeAll(async () => {
  bridged = await bridgedHub({ patience: { progressMs: 50, silentMs: 60_000 }, elicitation: true });
});
afterAll(() => bridged.stop());

const CLIENTS = {
  "of 2025": async (show: Show) => {
    const client = new OldClient(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => show(params as never, signal));
    await client.connect(new OldTransport(bridged.command));
    return { ask: () => client.callTool(call, undefined, { onprogress: () => {} }), close: () => client.close() };
  },
  "of 2026, in a protocol of 2025": async (show: Show) => {
    const client = new NewClient(INFO, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => show(params as never, mcpReq.signal));
    await client.connect(new NewTransport(bridged.command));
    return { ask: () => client.callTool(call, { onprogress: () => {} }), close: () => client.close() };
  },
};

/** Shows a form until it is filled in or taken back. */
function person() {
  const seen = { shown: 0, taken: 0 };
  let act: (filled: Filled) => void = () => {};
  const show: Show = (_form, signal) =>
    new Promise((resolve) => {
      seen.shown++;
      act = resolve;
      signal.addEventListener("abort", () => {
        seen.taken++;
        resolve({ action: "cancel" });
      });
    });
  return { seen, show, act: (filled: Filled) => act(filled) };
}

describe.each(Object.entries(CLIENTS))("parley mcp shows a question in a client %s", (_name, connect) => {
  test("where accepting the form answers the question", async () => {
    const ann = person();
    const client = await connect(ann.show);
    const asking = client.ask();
    while (ann.seen.shown < 1) await sleep(20);
    ann.act({ action: "accept", content: { answer_1: "option_2" } });
    expect((await asking).structuredContent).toMatchObject({
      status: "answered",
      result: { answers: [{ labels: ["B"] }], decided_by: { kind: "person", surface: "mcp" } },
    });
    await client.close();
  });

  test("which it withdraws when the connection drops, shows again, and withdraws when someone else answers", async () => {
    const ann = person();
    const client = await connect(ann.show);
    const asking = client.ask();
    while (ann.seen.shown < 1) await sleep(20);
    bridged.proxy.cut();
    while (ann.seen.taken < 1 || ann.seen.shown < 2) await sleep(20);
    const hub = createClient({ url: bridged.server().url });
    const { items } = await hub.call("inbox", {});
    expect(items).toHaveLength(1);
    const { session_id = "", tool_use_id } = items[0] ?? {};
    await hub.call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
    expect((await asking).structuredContent).toMatchObject({
      status: "answered",
      result: { answers: [{ labels: ["A"] }] },
    });
    while (ann.seen.taken < 2) await sleep(20);
    await client.close();
  });
});
