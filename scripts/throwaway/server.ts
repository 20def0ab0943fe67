import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../setup/root.mjs";

/** As long as a slow machine needs: only a failure takes this time. */
const START_MS = 180_000;
/** Much longer than the server itself allows for an orderly stop. */
const STOP_MS = 60_000;

export type LaunchOptions = {
  /** The server gets these, PATH and the defaults below, and nothing of the developer's own settings. */
  env?: Record<string, string>;
  args?: string[];
  /** Options of Node itself. */
  nodeFlags?: string[];
  /** Opens a channel for messages between the two processes. */
  channel?: boolean;
};

export type ServerProcess = {
  url: string;
  port: number;
  pid: number;
  child: ChildProcess;
  exited: Promise<unknown>;
  /** Everything the server has written so far, to both of its outputs. */
  output: () => string;
  /** Resolves when the process has exited. Fails if it ignores the signal, and then kills it. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
};

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Runs a server program in a separate process, on a free port that the server chooses. */
export function launchServer(program: string, options: LaunchOptions = {}): ChildProcess {
  const { env, args = [], nodeFlags = [], channel = false } = options;
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe", ...(channel ? (["ipc"] as const) : [])],
    env: { PATH: process.env.PATH, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", PORT: "0", ...env },
  });
  // Writing to the input of a server that has exited must not fail the run.
  child.stdin?.on("error", () => {});
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Launches a server and waits until it says where it is. */
export async function startServer(program: string, options: LaunchOptions = {}): Promise<ServerProcess> {
  const child = launchServer(program, options);
  const { stdout, stderr } = collectOutput(child);
  const output = () => stdout() + stderr();
  const exited = once(child, "exit");
  let timer: NodeJS.Timeout | undefined;
  const address = await new Promise<{ url: string; port: number }>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const [, url, port] = / at (http:\/\/\S+:(\d+))\n/.exec(stdout()) ?? [];
      if (url) resolve({ url, port: Number(port) });
    });
    exited.then(([code, signal]) => reject(new Error(`The server exited (${code ?? signal}): ${output()}`)), reject);
    timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The server did not start within ${START_MS / 1000} s: ${output()}`));
    }, START_MS);
  }).finally(() => clearTimeout(timer));
  return {
    ...address,
    pid: child.pid ?? 0,
    child,
    exited,
    output,
    stop: async (signal = "SIGTERM") => {
      let ignored = false;
      const timer = setTimeout(() => {
        ignored = true;
        child.kill("SIGKILL");
      }, STOP_MS);
      child.kill(signal);
      await exited.finally(() => clearTimeout(timer));
      if (ignored) throw new Error(`The server ignored ${signal} for ${STOP_MS / 1000} s: ${output()}`);
    },
  };
}

export function collectOutput(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  return { stdout: () => out, stderr: () => err };
}
