import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type LaunchOptions, type ServerProcess, startServer } from "../scripts/throwaway/server.ts";
import { type Program, programPath } from "./build.ts";

export type Memory = { rss: number; heap: number };

/** Node options of a server whose memory or stalls are measured. */
export const PROBED = ["--expose-gc", "--import", programPath("probe")];

/** A server in a separate process, with what can be measured of it from outside. */
export class MeasuredServer {
  readonly port: number;
  readonly pid: number;
  readonly #process: ServerProcess;

  private constructor(process: ServerProcess) {
    this.#process = process;
    this.port = process.port;
    this.pid = process.pid;
  }

  static async start(program: Program, options: LaunchOptions = {}): Promise<MeasuredServer> {
    const server = await startServer(programPath(program), { ...options, channel: true });
    server.child.stderr?.pipe(process.stderr);
    return new MeasuredServer(server);
  }

  /** CPU time of all threads since the start, in microseconds. */
  cpu(): number {
    return cpuOf(this.pid);
  }

  /** Measured after a full garbage collection. */
  async memory(): Promise<Memory> {
    const { rss, heapUsed, external } = (await this.#probe("memory")) as NodeJS.MemoryUsage;
    return { rss, heap: heapUsed + external };
  }

  /** The longest time, in milliseconds, for which the event loop stood still while `work` ran. */
  async longestStall(work: () => Promise<void>): Promise<number> {
    await this.#probe("watch the loop");
    await work();
    return (await this.#probe("longest stall")) as number;
  }

  async #probe(message: string): Promise<unknown> {
    const reply = once(this.#process.child, "message");
    this.#process.child.send(message);
    return (await reply)[0];
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

/** Read from `schedstat`, which counts in nanoseconds; `stat` counts in hundredths of a second. */
export function cpuOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const times = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1_000;
}
