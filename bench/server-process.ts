import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Program, programPath, root } from "./build.ts";

export type Memory = { rss: number; heap: number };
export type ServerOptions = { args?: string[]; env?: Record<string, string>; node?: string[] };

/** For servers that are asked how they are. */
export const PROBED = ["--expose-gc", "--import", programPath("probe")];

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A server in a process of its own, seen from outside: its port, its CPU, its memory. */
export class ServerProcess {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.pid = child.pid ?? 0;
  }

  static async start(program: Program, { args = [], env = {}, node = [] }: ServerOptions = {}): Promise<ServerProcess> {
    const child = spawn(process.execPath, [...node, programPath(program), ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    running.add(child);
    const exited = once(child, "exit").then(([code]) => {
      running.delete(child);
      throw new Error(`${program} ended with exit code ${code} before it was up`);
    });
    exited.catch(() => {});
    const lines = createInterface(child.stdout as NodeJS.ReadableStream);
    for (;;) {
      const [line] = (await Promise.race([once(lines, "line"), exited])) as [string];
      const port = /localhost:(\d+)/.exec(line)?.[1];
      if (port) return new ServerProcess(child, Number(port));
    }
  }

  /** Of all threads since the start, in microseconds. */
  cpu(): number {
    return cpuOf(this.pid);
  }

  /** After a full collection. */
  async memory(): Promise<Memory> {
    const { rss, heapUsed, external } = (await this.#probe("memory")) as NodeJS.MemoryUsage;
    return { rss, heap: heapUsed + external };
  }

  /** The longest time that nothing else was served while the work was done, in milliseconds. */
  async longestStall(work: () => Promise<void>): Promise<number> {
    await this.#probe("watch the loop");
    await work();
    return (await this.#probe("longest stall")) as number;
  }

  async #probe(message: string): Promise<unknown> {
    const reply = once(this.#child, "message");
    this.#child.send(message);
    return (await reply)[0];
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }
}

/** `stat` counts in hundredths of a second, `schedstat` in nanoseconds. */
export function cpuOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1_000;
}
