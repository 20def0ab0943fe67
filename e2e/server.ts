import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 30_000;
const STOP_MS = 10_000;

export type TestServer = {
  url: string;
  /** As if the power went. */
  kill: () => Promise<void>;
  /** The same address and database again, after a kill. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the built server on a free port with a database of its own; `stop` ends it and deletes the database. */
export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  if (!existsSync("dist/server.js")) throw new Error("There is no dist/server.js: `npm test -- browser` builds it.");
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-e2e-"));
  let running = await launch(folder, "0", env);
  const { url } = running;
  const killNow = () => running.child.kill("SIGKILL");
  process.once("exit", killNow);
  return {
    url,
    kill: async () => {
      const exited = once(running.child, "exit");
      killNow();
      await exited;
    },
    restart: async () => {
      running = await launch(folder, new URL(url).port, env);
    },
    stop: async () => {
      await end(running.child);
      process.off("exit", killNow);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ["--enable-source-maps", "dist/server.js"], {
    stdio: ["ignore", "pipe", "pipe"],
    // Nothing of the developer's own settings: a test must not depend on them, nor write into their database.
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      HOST: "127.0.0.1",
      PORT: port,
      DATABASE_URL: `file:${path.join(folder, "parley.db")}`,
      GALLERY: "true",
      ...env,
    },
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      log = (log + chunk).slice(-65_536);
    });
  }
  const url = await addressOf(child, () => log);
  if (url && (await fetch(`${url}/health`)).ok) return { child, url };
  await end(child);
  await rm(folder, { recursive: true, force: true });
  throw new Error(`The server did not come up:\n${log}`);
}

/** Where it says that it is: it chooses its port itself, so that no other program can be faster. */
async function addressOf(child: ChildProcess, log: () => string) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const url = /is at (http:\S+)/.exec(log())?.[1];
    if (url) return url;
    await sleep(50);
  }
  return undefined;
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(timer);
}
