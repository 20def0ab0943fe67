// @ts-check
// Bundles the commands in chunks: each command loads only what it needs, so that all of them start fast.
import { rmSync } from "node:fs";
import path from "node:path";
import { bundle } from "./bundle.mjs";
import { clientsKey } from "./clients.mjs";
import { root } from "./root.mjs";
import { fingerprint, stamped } from "./stamp.mjs";

/** Builds them unless they are current. */
export async function ensureCommands() {
  const sources = ["lib", "scripts/setup/build-commands.mjs", "scripts/setup/bundle.mjs"];
  const counts = (/** @type {string} */ file) => !/\.(test\.ts|md)$|^lib\/db\/generated\//.test(file);
  await stamped({
    title: "Building the commands",
    stamp: "dist/parley/.stamp",
    makes: ["dist/parley.js"],
    key: `${clientsKey()} ${fingerprint(sources, counts)}`,
    work: buildCommands,
  });
}

export async function buildCommands() {
  rmSync(path.join(root, "dist/parley"), { recursive: true, force: true });
  await bundle("the commands", {
    entryPoints: { parley: "lib/cli/main.ts" },
    outdir: "dist",
    chunkNames: "parley/[name]-[hash]",
    splitting: true,
  });
}
