import { join } from "node:path";
import type { StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { buildCli } from "./test-cli.ts";
import { BEHIND_PROXY, type TestProxy, testProxy } from "./test-proxy.ts";

/** A hub behind a proxy that can fail, for clients that reach it through `parley mcp`. */
export type BridgedHub = {
  proxy: TestProxy;
  /** The hub that runs now. */
  server: () => TestServer;
  /** How a client starts its bridge. */
  command: StdioServerParameters;
  /** Starts the hub again, on the same database, after it was stopped. */
  startAgain: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function bridgedHub(options: Parameters<typeof testServer>[1]): Promise<BridgedHub> {
  await buildCli();
  const database = await testDatabase("sqlite");
  const proxy = await testProxy();
  const start = async () => {
    const server = await testServer(database.url, { publicUrl: proxy.url, ...BEHIND_PROXY, ...options });
    proxy.lead(Number(new URL(server.url).port));
    return server;
  };
  let server = await start();
  return {
    proxy,
    server: () => server,
    command: {
      command: process.execPath,
      args: [join(import.meta.dirname, "../../bin/parley.mjs"), "mcp"],
      env: { PARLEY_URL: proxy.url },
    },
    startAgain: async () => {
      server = await start();
    },
    stop: async () => {
      await proxy.close();
      await server.stop();
      await database.drop();
    },
  };
}
