import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../scripts/setup/bundle.mjs";
import { root } from "../scripts/setup/root.mjs";
import { setup } from "../scripts/setup/setup.mjs";

/** Each runs in a separate process and is bundled like the product, so that none pays for being TypeScript. */
const SOURCES = {
  server: new URL("../server.ts", import.meta.url),
  /** The server looks for it next to itself. */
  "server-thread": new URL("../lib/db/sqlite-thread.ts", import.meta.url),
  load: new URL("./programs/load.ts", import.meta.url),
  limit: new URL("./programs/limit.ts", import.meta.url),
  "same-rows": new URL("./programs/same-rows.ts", import.meta.url),
  "bare-search": new URL("./programs/bare-search.ts", import.meta.url),
  "bare-inbox": new URL("./programs/bare-inbox.ts", import.meta.url),
  "bare-sockets": new URL("./programs/bare-sockets.ts", import.meta.url),
  probe: new URL("./programs/probe.ts", import.meta.url),
};
export type Program = keyof typeof SOURCES;
const names = Object.keys(SOURCES) as Program[];

/** The bundles must be in `dist`, because the server uses its parent as its home. The names keep runs apart. */
const bundleName = (name: Program) => `bench-${process.pid}-${name}`;

export function programPath(name: Program): string {
  return join(root, "dist", `${bundleName(name)}.js`);
}

export async function buildPrograms(): Promise<void> {
  await setup({ dev: true, build: true });
  await bundle("the programs", {
    entryPoints: Object.fromEntries(names.map((name) => [bundleName(name), fileURLToPath(SOURCES[name])])),
    outdir: "dist",
    sourcemap: true,
  });
}

export async function removePrograms(): Promise<void> {
  await Promise.all(
    names.flatMap((name) => ["", ".map"].map((end) => rm(`${programPath(name)}${end}`, { force: true }))),
  );
}
