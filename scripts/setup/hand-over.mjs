// @ts-check
// Runs a program in place of this process: same terminal, same signals, same exit code.
import { spawn } from "node:child_process";

/** @param {string[]} args Arguments of Node. @param {Record<string, string>} [env] Added to the environment. */
export function handOver(args, env = {}) {
  const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...env } });
  // Ctrl-C reaches the child directly; this process only waits for it to exit.
  process.on("SIGINT", () => {});
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
