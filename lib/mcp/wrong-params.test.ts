import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";

const CLIENT = { name: "test", version: "1" };
const RIGHT = { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo: CLIENT };

test.each([true, false])(
  "wrong parameters of initialize are named as the client's mistake (forms: %s)",
  async (elicitation) => {
    const database = await testDatabase("sqlite");
    onTestFinished(database.drop);
    const server = await testServer(database.url, { elicitation });
    onTestFinished(server.stop);
    const initialize = async (params: unknown) => {
      const reply = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params }),
      });
      return reply.text();
    };
    for (const [params, words] of [
      [undefined, "params: expected object, received undefined"],
      [{ ...RIGHT, protocolVersion: 5 }, "params.protocolVersion: expected string, received number"],
      [{ ...RIGHT, clientInfo: { name: "x" } }, "params.clientInfo.version: expected string, received undefined"],
      [
        { ...RIGHT, capabilities: { roots: 3, elicitation: {} } },
        "params.capabilities.roots: expected object, received number",
      ],
    ] as const) {
      const { id, error } = JSON.parse(await initialize(params));
      expect({ id, code: error.code, message: error.message }).toEqual({
        id: 7,
        code: -32_602,
        message: `Invalid initialize request. ${words}`,
      });
    }
    expect(await initialize(RIGHT)).toContain('"serverInfo"');
    expect(server.errors).toEqual([]);
  },
);
