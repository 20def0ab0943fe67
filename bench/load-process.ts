import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "./build.ts";
import type { Commands, Done, Told } from "./client/commands.ts";

/** The one source of load for all contestants. */
export class LoadProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<never>;

  constructor() {
    this.#child = spawn(process.execPath, [programPath("load")], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#gone = once(this.#child, "exit").then(() => {
      throw new Error("the load process ended");
    });
    this.#gone.catch(() => {});
  }

  async tell<Name extends keyof Commands>(
    name: Name,
    ...given: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>> {
    const reply = once(this.#child, "message");
    this.#child.send({ name, given: given[0] } satisfies Told);
    const [{ result, error }] = (await Promise.race([reply, this.#gone])) as [Done];
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    return result as Awaited<ReturnType<Commands[Name]>>;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
