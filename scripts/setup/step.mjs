// @ts-check
// A step of the setup prints one line that says what it does and how long it took.
import { spawn } from "node:child_process";
import { root } from "./root.mjs";

/** One sentence that says what went wrong, with the whole output of the failed program. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message, output = "") {
    super(message);
    this.output = output;
  }
}

/**
 * On a terminal the line counts the seconds. Elsewhere it is written once, so that a log stays readable.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 */
export async function step(title, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const out = process.stdout;
  out.write(`${title} … `);
  const ticking = out.isTTY ? setInterval(() => out.write(`\r\u001b[K${title} … ${seconds()}`), 1000) : undefined;
  try {
    const result = await work();
    out.write(`${out.isTTY ? `\r\u001b[K${title} … ` : ""}${seconds()}\n`);
    return result;
  } catch (error) {
    out.write(`failed after ${seconds()}\n`);
    throw error;
  } finally {
    clearInterval(ticking);
  }
}

/**
 * Runs a program and collects its output; the error of a failed program carries all of it.
 * @param {string} title What fails, in words.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] Added to the environment.
 * @param {string} [cwd] The folder of the project by default.
 * @returns {Promise<string>} What it wrote to stdout.
 */
export async function run(title, command, args, env = {}, cwd = root) {
  // In a separate process group, so that stopping the setup stops the program and everything it started.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stop = () => {
    if (child.pid) process.kill(-child.pid, "SIGTERM");
    process.exit(130);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, stop);
  let output = "";
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
      if (stream === child.stdout) written += chunk;
    });
  }
  const ended = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `exit code ${code ?? signal}`));
  });
  for (const signal of signals) process.off(signal, stop);
  if (ended) throw new SetupError(`${title} failed (${ended}).`, output);
  return written;
}

/** Prints why a step failed. Any unexpected error is a bug in the setup itself, and its stack is shown. @param {unknown} error */
export function explain(error) {
  const known = error instanceof SetupError;
  if (known && error.output) process.stderr.write(`${error.output.trimEnd()}\n\n`);
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : error}\n`);
}
