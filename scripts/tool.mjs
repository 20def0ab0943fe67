// @ts-check
// Runs a tool such as `npm run bench`, `chaos` or `format`. First installs development packages if they are missing,
// as they are after `npm start` alone.
import { handOver } from "./setup/hand-over.mjs";
import { root } from "./setup/root.mjs";
import { setup } from "./setup/setup.mjs";
import { explain } from "./setup/step.mjs";

const [program = "", ...args] = process.argv.slice(2);
const isSource = program.endsWith(".ts");
process.chdir(root);
try {
  await setup({ dev: true, build: false, addon: isSource });
} catch (error) {
  explain(error);
  process.exit(1);
}
handOver([...(isSource ? ["--import", "tsx"] : []), program, ...args]);
