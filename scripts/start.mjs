// @ts-check
// `npm start` sets up what is missing and becomes the server. `npm run audit` does the same and becomes `parley audit`.
// `npm run dev` runs the server from the sources and restarts it when they change.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { handOver } from "./setup/hand-over.mjs";
import { root } from "./setup/root.mjs";
import { setup } from "./setup/setup.mjs";
import { explain } from "./setup/step.mjs";

const [command, ...args] = process.argv.slice(2);
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";

try {
  await setup({ dev: command === "dev", build: command === undefined });
} catch (error) {
  explain(error);
  process.exit(1);
}
if (command === "dev") startSources();
else if (command === "audit") await become("bin/parley.mjs", ["audit", ...args]);
else await become("dist/server.js", []);

/**
 * Runs a program in this very process, so that signals reach it and it cannot outlive its starter.
 * @param {string} file
 * @param {string[]} args
 */
async function become(file, args) {
  Object.assign(process.env, { NODE_ENV: "production" });
  process.setSourceMapsEnabled(true);
  const program = path.join(root, file);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

function startSources() {
  const tsx = path.join(path.dirname(createRequire(import.meta.url).resolve("tsx/package.json")), "dist/cli.mjs");
  handOver([tsx, "watch", "--clear-screen=false", "server.ts"], { NODE_ENV: "development" });
}
