// @ts-check
import { root } from "./root.mjs";
import { SetupError } from "./step.mjs";

let running = 0;

/**
 * The entry points of a server called `name`: it looks next to itself for the thread that writes to SQLite.
 * @param {string} name
 */
export function serverEntries(name) {
  return { [name]: "server.ts", [`${name}-thread`]: "lib/db/sqlite-thread.ts" };
}

/**
 * Bundles programs for Node. Packages stay outside the bundle.
 * @param {string} what Named in the error, as in "the server".
 * @param {import("esbuild").BuildOptions} options
 */
export async function bundle(what, options) {
  // Imported late: a fresh clone does not have it until the packages are installed.
  const { build, stop } = await import("esbuild");
  running += 1;
  try {
    await build({
      absWorkingDir: root,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      logLevel: "silent",
      ...options,
    });
  } catch (error) {
    throw new SetupError(`Building ${what} failed.`, error instanceof Error ? error.message : String(error));
  } finally {
    running -= 1;
    // `npm start` becomes the server in this process, and esbuild's own process must not outlive the build.
    if (running === 0) await stop();
  }
}
