import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "./build.ts";
import type { Commands, LoadCommand, LoadReply } from "./client/commands.ts";

/** The process that generates the load for all contestants. */
export class LoadProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<never>;

  constructor() {
    this.#child = spawn(process.execPath, [programPath("load")], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#exited = once(this.#child, "exit").then(() => {
      throw new Error("the load process exited");
    });
    this.#exited.catch(() => {});
  }

  async run<Name extends keyof Commands>(
    name: Name,
    ...input: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>> {
    const reply = once(this.#child, "message");
    this.#child.send({ name, input: input[0] } satisfies LoadCommand);
    const [{ result, error }] = (await Promise.race([reply, this.#exited])) as [LoadReply];
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    return result as Awaited<ReturnType<Commands[Name]>>;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
