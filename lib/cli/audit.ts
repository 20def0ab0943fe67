import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { End, EXIT, type Run } from "./terminal.ts";

/**
 * Verification reads the database itself and asks no server, so it is a program of the installation: this only runs it.
 * Its exit code is 0 if everything is as it was written, otherwise 1.
 */
export const run: Run = async (terminal, ids, values) => {
  const program = findProgram(dirname(fileURLToPath(import.meta.url)));
  if (!program) throw new End(EXIT.badInput, "Run this where Parley is installed, after its first `npm start`.");
  const since = [values.since ?? []].flat().flatMap((given) => ["--since", checkpointOrFile(String(given))]);
  const flags = ["checkpoint", "new-chain"].filter((name) => values[name]).map((name) => `--${name}`);
  const args = [program, ...flags, ...since, "--", ...ids];
  const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...terminal.env, NODE_ENV: "production" } });
  const [code] = await once(child, "exit");
  return code ?? EXIT.badInput;
};

/** The command is built into `dist`, whatever its pieces are called. */
function findProgram(folder: string): string | undefined {
  const program = join(folder, "dist/verify-audit.js");
  if (existsSync(program)) return program;
  return dirname(folder) === folder ? undefined : findProgram(dirname(folder));
}

function checkpointOrFile(given: string): string {
  return existsSync(given) ? resolve(given) : given;
}
