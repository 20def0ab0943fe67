// @ts-check
// The commands, in pieces: each loads only what it needs, so that all of them start fast.
import { rmSync } from "node:fs";
import path from "node:path";
import { fingerprint, stamped } from "./stamp.mjs";
import { root, SetupError } from "./step.mjs";

/** Builds them unless they are current. */
export async function ensureCommands() {
  const sources = ["lib/cli", "lib/protocol", "lib/client.ts", "lib/config.ts", "scripts/setup/build-commands.mjs"];
  await stamped({
    title: "Building the commands",
    stamp: "dist/parley/.stamp",
    makes: ["dist/parley.js"],
    key: fingerprint(sources, (file) => !file.endsWith(".test.ts")),
    work: buildCommands,
  });
}

export async function buildCommands() {
  // Only here: on a fresh clone it is not installed before.
  const { build, stop } = await import("esbuild");
  try {
    rmSync(path.join(root, "dist/parley"), { recursive: true, force: true });
    await build({
      absWorkingDir: root,
      entryPoints: { parley: "lib/cli/main.ts" },
      outdir: "dist",
      chunkNames: "parley/[name]-[hash]",
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      logLevel: "silent",
    });
  } catch (error) {
    throw new SetupError("Building the commands failed.", error instanceof Error ? error.message : String(error));
  } finally {
    await stop();
  }
}
