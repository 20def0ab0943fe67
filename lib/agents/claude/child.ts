import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { SpawnOptions } from "@anthropic-ai/claude-agent-sdk";

const TAIL = 2_000;

export type Child = {
  process: ChildProcess;
  /** The end of its stderr. */
  lastWords: () => string;
  /** Kills immediately so the process cannot outlive us. */
  kill: () => Promise<void>;
  /** Waits until it exits, and kills it after `withinMs`. */
  ended: (withinMs: number) => Promise<void>;
};

/**
 * When its host dies, Claude Code tells the model that nobody answered, and continues. So it must not outlive Parley: on
 * Linux with setpriv, killing Parley kills it too.
 */
export function spawnTied({ command, args, cwd, env }: SpawnOptions): Child {
  const tied = canTie() ? (["setpriv", ["--pdeathsig", "KILL", command, ...args]] as const) : undefined;
  const [program, programArgs] = tied ?? [command, args];
  // Its questions reach Parley directly: the hooks of `parley connect` would ask them twice.
  const inside = { ...(env as NodeJS.ProcessEnv), PARLEY_INSIDE: "1" };
  const child = spawn(program, programArgs, { cwd, env: inside, stdio: "pipe" });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    words = (words + part).slice(-TAIL);
  });
  child.stdin.on("error", () => {});
  const exited = once(child, "close").catch(() => {});
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return {
    process: child,
    lastWords: () => words.trim(),
    kill,
    ended: async (withinMs) => {
      const patience = setTimeout(() => child.kill("SIGKILL"), withinMs);
      await exited;
      clearTimeout(patience);
    },
  };
}

let tieable: boolean | undefined;

function canTie(): boolean {
  tieable ??= process.platform === "linux" && spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status === 0;
  return tieable;
}
