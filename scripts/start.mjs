// @ts-check
// `npm start`: sets up what is missing and becomes the server. `npm run audit`: likewise, and verifies the audit chain.
// `npm run dev`: the server from the sources, restarted when they change.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { handOver } from "./setup/hand-over.mjs";
import { root } from "./setup/root.mjs";
import { setup } from "./setup/setup.mjs";
import { explain } from "./setup/step.mjs";

const dev = process.argv[2] === "dev";
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";

try {
  await setup({ dev, build: !dev });
} catch (error) {
  explain(error);
  process.exit(1);
}
if (dev) startSources();
else await become(process.argv[2] === "audit" ? "dist/verify-audit.js" : "dist/server.js");

/** In this very process, so that a signal sent to it reaches the server, and no server outlives it. @param {string} file */
async function become(file) {
  Object.assign(process.env, { NODE_ENV: "production" });
  process.setSourceMapsEnabled(true);
  const program = path.join(root, file);
  process.argv = [process.execPath, program, ...process.argv.slice(3)];
  await import(pathToFileURL(program).href);
}

function startSources() {
  const tsx = path.join(path.dirname(createRequire(import.meta.url).resolve("tsx/package.json")), "dist/cli.mjs");
  handOver([tsx, "watch", "--clear-screen=false", "server.ts"], { NODE_ENV: "development" });
}
