// @ts-check
// `npm run bench`, `chaos`, `format` and the like: installs the packages for development where they are missing, as after
// `npm start` alone, and runs the program.
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
