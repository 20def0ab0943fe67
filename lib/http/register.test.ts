import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "./test-server.ts";

let server: TestServer;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase("sqlite");
  drop = database.drop;
  server = await testServer(database.url);
});
afterAll(async () => {
  await server.stop();
  await drop();
});

test.each([
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/a/b/c/d",
  "/mcp/.well-known/oauth-protected-resource",
  "/mcp/.well-known/openid-configuration",
])("%s says in JSON that there is no sign-in", async (path) => {
  const reply = await fetch(server.url + path);
  expect(reply.status).toBe(404);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(await reply.json()).toEqual({
    success: false,
    error: {
      code: "not_found",
      message: `There is nothing at ${path}. Parley has no sign-in for programs: an MCP client connects to /mcp without OAuth and without a key.`,
      details: { path },
    },
  });
});

test("a client that registers is told in the form that it can show", async () => {
  const body = JSON.stringify({ client_name: "test", redirect_uris: ["http://127.0.0.1:1/callback"] });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${server.url}/register`, { method: "POST", headers, body });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({
    error: "invalid_request",
    error_description:
      "Parley has no sign-in for programs: an MCP client connects to /mcp without OAuth and without a key. Remove the authorization from the client's settings for Parley.",
  });
  const looked = await fetch(`${server.url}/register`);
  expect([looked.status, looked.headers.get("allow")]).toEqual([405, "POST"]);
});
