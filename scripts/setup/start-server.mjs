// @ts-check
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isInstalled, root } from "./root.mjs";
import { setup } from "./setup.mjs";
import { explain } from "./step.mjs";

/** Sets up what is missing, and becomes the server. */
export async function startServer() {
  if (!isInstalled) process.chdir(root);
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  try {
    await setup({ dev: false, build: true });
  } catch (error) {
    explain(error);
    process.exit(1);
  }
  await become("dist/server.js", []);
}

/**
 * Runs a program in this very process, so that signals reach it and it cannot outlive its starter.
 * @param {string} file
 * @param {string[]} args
 */
export async function become(file, args) {
  Object.assign(process.env, { NODE_ENV: "production" });
  process.setSourceMapsEnabled(true);
  const program = path.join(root, file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}
