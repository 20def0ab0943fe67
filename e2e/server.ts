import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startServer as startProcess } from "../scripts/throwaway/server.ts";

export type TestServer = {
  url: string;
  databaseUrl: string;
  /** The process that runs now. */
  readonly pid: number;
  /** Ends the server as a power failure would. */
  kill: () => Promise<void>;
  /** Starts it again after a kill, at the same address and on the same database. */
  restart: () => Promise<void>;
  /** Ends the server and deletes its database. */
  stop: () => Promise<void>;
};

/** Starts the built server on a free port, with its own home and database. */
export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  if (!existsSync("dist/server.js")) throw new Error("There is no dist/server.js: `npm test -- browser` builds it.");
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-e2e-"));
  const databaseUrl = `file:${path.join(folder, "parley.db")}`;
  const start = (port: string) =>
    startProcess("dist/server.js", {
      nodeFlags: ["--enable-source-maps"],
      env: {
        HOME: folder,
        HOST: "127.0.0.1",
        PORT: port,
        DATABASE_URL: databaseUrl,
        GALLERY: "true",
        ...env,
      },
    });
  let server = await start("0");
  const { url, port } = server;
  return {
    url,
    databaseUrl,
    get pid() {
      return server.pid;
    },
    kill: () => server.stop("SIGKILL"),
    restart: async () => {
      server = await start(String(port));
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
