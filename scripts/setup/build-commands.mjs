// @ts-check
// The commands, in pieces: each loads only what it needs, so that all of them start fast.
import { rmSync } from "node:fs";
import path from "node:path";
import { bundle } from "./bundle.mjs";
import { root } from "./root.mjs";
import { fingerprint, stamped } from "./stamp.mjs";

/** Builds them unless they are current. */
export async function ensureCommands() {
  const sources = [
    "lib/cli",
    "lib/protocol",
    "lib/client.ts",
    "lib/config.ts",
    "scripts/setup/build-commands.mjs",
    "scripts/setup/bundle.mjs",
  ];
  await stamped({
    title: "Building the commands",
    stamp: "dist/parley/.stamp",
    makes: ["dist/parley.js"],
    key: fingerprint(sources, (file) => !file.endsWith(".test.ts")),
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
