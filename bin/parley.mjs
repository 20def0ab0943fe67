#!/usr/bin/env node
// The commands `parley` and `AskUserQuestion`. The program itself is built; where it is missing it is built first.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/parley.js");
if (!existsSync(program)) await build();

const { main } = await import(pathToFileURL(program).href);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
process.exitCode = await main(basename(process.argv[1] ?? ""), process.argv.slice(2), version);

async function build() {
  try {
    const { generateMissingClients } = await import("../scripts/setup/clients.mjs");
    const { buildCommands } = await import("../scripts/setup/build-commands.mjs");
    await generateMissingClients();
    await buildCommands();
  } catch {
    process.stderr.write(`Parley is not set up yet. Run this once: npm start --prefix ${root}\n`);
    process.exit(1);
  }
}
