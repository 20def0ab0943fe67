// @ts-check
// `npm start` sets up what is missing and becomes the server, as `parley serve` does. `npm run audit`, `npm run team` and
// `npm run person` do the same and become that command of `parley`. `npm run dev` runs the server from the sources and restarts it when they change.
import { createRequire } from "node:module";
import path from "node:path";
import { handOver } from "./setup/hand-over.mjs";
import { root } from "./setup/root.mjs";
import { setup } from "./setup/setup.mjs";
import { become, startServer } from "./setup/start-server.mjs";
import { explain } from "./setup/step.mjs";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) await startServer();
else {
  process.chdir(root);
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  try {
    await setup({ dev: command === "dev", build: false });
  } catch (error) {
    explain(error);
    process.exit(1);
  }
  if (command === "dev") startSources();
  else await become("bin/parley.mjs", [command, ...args]);
}

function startSources() {
  const tsx = path.join(path.dirname(createRequire(import.meta.url).resolve("tsx/package.json")), "dist/cli.mjs");
  handOver([tsx, "watch", "--clear-screen=false", "server.ts"], { NODE_ENV: "development" });
}
