import { createServer } from "node:http";
import { Server as SocketServer } from "socket.io";
import { describe, expect, onTestFinished, test } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { TOOL_NAMES } from "../domain/shapes/shapes.ts";
import type { Hub } from "../hub/hub.ts";
import { byAgent, CHOICE, testHub } from "../hub/test-hub.ts";
import { createMcp } from "../mcp/handler.ts";
import { rightsOfTool, toolList } from "../mcp/tools.ts";
import { type Actor, Right, type Rights } from "../protocol/actor.ts";
import { type ClientCommand, ClientCommands, COMMAND_ACCESS } from "../protocol/events.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { NOTIFY_OPERATIONS } from "../protocol/notify-operations.ts";
import type { Operation } from "../protocol/operation.ts";
import { OPERATIONS } from "../protocol/operations.ts";
import { TEAM_OPERATIONS } from "../protocol/team-operations.ts";
import { Connection } from "../realtime/connection.ts";
import { Feed } from "../realtime/feed.ts";
import { createInboxFeed } from "../realtime/inbox-feed.ts";
import { TestClient } from "../realtime/test-client.ts";
import { handlersOf } from "./handlers.ts";
import { operationRoutes } from "./operation-routes.ts";
import { portOf } from "./port-of.ts";
import { createRouter } from "./router.ts";

// Every entry point refuses a caller who has every right but those that it declares, and lets one through who has one of
// them. What it then needs besides, such as valid input, is not tested here.

const withRights = (rights: readonly Right[]): Actor => ({ kind: "person", name: "ann", surface: "rest", rights });
/** The right to enrol stands alone: who has it is held back, and hears that instead. */
const TOGETHER = Right.options.filter((right) => right !== "enrol");
const allBut = (needed: Rights) => withRights(TOGETHER.filter((right) => !needed.includes(right)));
const rightsIn = ({ needs }: Operation): Rights => {
  if (needs === "anyone") throw new Error("what the hub does always needs a right");
  return needs;
};
const fail = (error: unknown) => {
  throw error;
};
const unexpected = (_reference: string, error: unknown) => fail(error);

describe.each(ABOVE_SQL)("rights (%s)", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const hub = testHub(await database.open());
    onTestFinished(hub.stop);
    const { conversation_id } = await hub.ask(byAgent(), { tool_use_id: "t", ...CHOICE });
    const feed = new Feed(hub, byAgent, fail);
    const inbox = createInboxFeed(hub, fail);
    onTestFinished(() => feed.stop());
    onTestFinished(() => inbox.stop());
    return { hub, feed, inbox, conversation_id };
  };
  /** What a refused call must not change. */
  const recordOf = async (hub: Hub, conversation_id: string) => ({
    sessions: await hub.listConversations(byAgent(), {}),
    audit: (await hub.audit(byAgent(), { conversation_id })).events.length,
    ask: await hub.readAsk(byAgent(), { conversation_id, tool_use_id: "t" }),
  });
  const listening = async (server: ReturnType<typeof createServer>) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${portOf(server)}`;
  };

  test("of every REST operation", async () => {
    const { hub, feed, conversation_id } = await started();
    let actor = withRights([]);
    const routes = operationRoutes(handlersOf(hub, feed.watch.bind(feed), unexpected), Date.now, () => actor);
    const operations = Object.entries<Operation>(OPERATIONS).filter(
      ([id]) => !(id in TEAM_OPERATIONS) && !(id in NOTIFY_OPERATIONS),
    );
    const router = createRouter(routes, unexpected);
    const url = await listening(
      createServer((req, res) => router({ req, res }, new URL(req.url ?? "", "http://x").pathname)),
    );
    const call = async ({ method, path, body }: Operation) => {
      const filled = path.replace("{tool_use_id}", "t").replace("{n}", "1").replace("{id}", conversation_id);
      const stop = new AbortController();
      const headers = { "content-type": "application/json" };
      const sent = { method: method.toUpperCase(), headers, signal: stop.signal, ...(body && { body: "{}" }) };
      const { status } = await fetch(url + filled, sent);
      // The stream of events would not end automatically.
      stop.abort();
      return status;
    };
    const before = await recordOf(hub, conversation_id);
    for (const [id, operation] of operations) {
      actor = allBut(rightsIn(operation));
      expect([id, await call(operation)]).toEqual([id, 403]);
    }
    expect(await recordOf(hub, conversation_id)).toEqual(before);
    for (const [id, operation] of operations) {
      actor = withRights(rightsIn(operation));
      expect([id, await call(operation)]).not.toEqual([id, 403]);
    }
  });

  test("of every socket command", async () => {
    const { hub, feed, inbox, conversation_id } = await started();
    let actor = withRights([]);
    const server = createServer();
    const io = new SocketServer(server);
    onTestFinished(() => void io.close());
    const call = () => ({ actor, now: Date.now() });
    io.on("connection", (socket) =>
      new Connection({
        socket,
        hub,
        feed,
        inbox,
        opened: call(),
        call,
        clock: Date.now,
        onInternal: unexpected,
      }).open(),
    );
    const client = await new TestClient(await listening(server)).connected();
    onTestFinished(() => void client.socket.disconnect());
    const target = { conversation_id, question_id: "t", tool_use_id: "t" };
    const input = { ...target, text: "x", reason: "x", answer: "a", answers: { 0: "1" } };
    const before = await recordOf(hub, conversation_id);
    const commands = Object.keys(ClientCommands) as ClientCommand[];
    for (const command of commands) {
      actor = allBut(COMMAND_ACCESS[command].needs);
      expect([command, await client.send(command, input)]).toMatchObject([command, { error: { code: "FORBIDDEN" } }]);
    }
    expect(await recordOf(hub, conversation_id)).toEqual(before);
    expect(feed.totalWatchers()).toBe(0);
    expect(inbox.isWatched()).toBe(false);
    for (const command of commands) {
      actor = withRights(COMMAND_ACCESS[command].needs);
      const reply = await client.send(command, input);
      if (!reply.ok) expect([command, reply.error.code]).not.toEqual([command, "FORBIDDEN"]);
    }
  });

  test("of every MCP tool", async () => {
    const { hub, conversation_id } = await started();
    let actor = withRights([]);
    const options = { hub, limits: DEFAULT_LIMITS, version: "0", clock: Date.now, onInternal: unexpected };
    const patience = { progressMs: 10, silentMs: 10 };
    const mcp = createMcp({ ...options, patience, identify: () => actor });
    const call = async (name: string): Promise<string> => {
      const input = { session_id: conversation_id, tool_use_id: "t", reason: "x" };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const sent = { method: "POST", headers, body: JSON.stringify(message) };
      return (await mcp(new Request("http://127.0.0.1/mcp", sent))).text();
    };
    const before = await recordOf(hub, conversation_id);
    const names = [...new Set([...toolList(DEFAULT_LIMITS).map(({ name }) => name), ...TOOL_NAMES])];
    for (const name of names) {
      const rights = rightsOfTool(name);
      if (!rights) throw new Error(`The tool ${name} declares no rights.`);
      actor = allBut(rights);
      expect([name, await call(name)]).toEqual([name, expect.stringContaining("forbidden: ann may not do this")]);
    }
    expect(await recordOf(hub, conversation_id)).toEqual(before);
    for (const name of names) {
      actor = withRights(rightsOfTool(name) ?? []);
      expect([name, await call(name)]).toEqual([name, expect.not.stringContaining("forbidden")]);
    }
    expect(rightsOfTool("constructor")).toBeUndefined();
  });
});
