// @ts-check
// Everything between a fresh clone and a server that can start. A step does nothing if nothing has changed. An installed
// package is built already; only its SQLite driver may be missing, if npm was told not to build it.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ensureCommands } from "./build-commands.mjs";
import { bundle, serverEntries } from "./bundle.mjs";
import { clientsKey, ensureClients } from "./clients.mjs";
import { alone } from "./lock.mjs";
import { packagesInstalled } from "./packages.mjs";
import { isInstalled, root } from "./root.mjs";
import { fingerprint, stamped } from "./stamp.mjs";
import { run, SetupError, step } from "./step.mjs";

const NODE = [20, 19];
const require = createRequire(import.meta.url);

/**
 * @param {{ dev: boolean, build: boolean, addon?: boolean }} options `dev` installs development packages, `build` builds
 *   the pages and the server, and `addon` the SQLite driver, which takes longest and which static checks do not need.
 */
export async function setup({ dev, build, addon = true }) {
  checkNode();
  if (isInstalled) return addonLoads() ? undefined : buildAddon();
  await alone("setup", async () => {
    await installPackages(dev);
    if (addon) await buildDriver();
    await ensureClients();
    await ensureCommands();
    if (build) await buildApp();
  });
}

/** Once the packages are installed. It takes a minute, and holds up no other part of the setup. */
export const buildDriver = () => alone("driver", buildAddon);

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new SetupError(`Parley needs Node ${NODE.join(".")} or newer; this is ${process.versions.node}.`);
}

/** @param {boolean} dev */
async function installPackages(dev) {
  if (packagesInstalled(dev)) return;
  // Not `npm ci`: it refuses a package-lock.json without the packages of other platforms, and npm leaves those
  // out if the registry does not offer them. This installs the same versions and writes nothing back.
  const args = ["install", "--no-save", "--no-progress", dev ? "--include=dev" : "--omit=dev"];
  await step("Installing packages (about a minute the first time)", () => npm("Installing packages", args));
}

/** better-sqlite3 contains native code, and .npmrc keeps npm from building it during the installation. */
async function buildAddon() {
  if (addonLoads()) return;
  // Where npm finds it: an installed package may share the packages of others.
  const cwd = path.resolve(path.dirname(require.resolve("better-sqlite3/package.json")), "../..");
  const title = "Building the SQLite driver (one to two minutes if no prebuilt one is available)";
  await step(title, async () => {
    const args = ["rebuild", "better-sqlite3", "--ignore-scripts=false", "--foreground-scripts"];
    await npm("Building the SQLite driver", args, ownHeaders(), cwd);
    const probe = "new (require('better-sqlite3'))(':memory:').close()";
    await run("Loading the SQLite driver", process.execPath, ["-e", probe], {}, cwd);
  });
}

/**
 * Node usually comes with its headers. If they are there, nothing needs to be downloaded for compiling.
 * @returns {Record<string, string>}
 */
function ownHeaders() {
  const prefix = path.dirname(path.dirname(process.execPath));
  return existsSync(path.join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {};
}

function addonLoads() {
  try {
    const Database = require("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch {
    return false;
  }
}

async function buildApp() {
  const sources = ["app", "components", "i18n", "instrumentation-client.ts", "lib", "public", "server.ts"];
  const settings = [
    "next.config.mjs",
    "postcss.config.mjs",
    "tsconfig.json",
    "package-lock.json",
    "scripts/setup/bundle.mjs",
    "scripts/setup/setup.mjs",
  ];
  const counts = (/** @type {string} */ file) => !/\.(test\.ts|md)$|^lib\/db\/generated\//.test(file);
  await stamped({
    title: "Building the pages and the server (about half a minute)",
    stamp: "dist/.stamp",
    makes: ["dist/server.js", "dist/server-thread.js", "dist/renderer.js", "dist/api-docs", ".next/BUILD_ID"],
    key: `${clientsKey()} ${fingerprint([...sources, ...settings], counts)}`,
    work: async () => {
      const next = path.join(path.dirname(require.resolve("next/package.json")), "dist/bin/next");
      await run("Building the pages", process.execPath, [next, "build"], { NODE_ENV: "production" });
      await bundleServer();
      copyApiDocs();
    },
  });
}

async function bundleServer() {
  await bundle("the server", {
    entryPoints: { ...serverEntries("server"), renderer: "lib/pages/renderer.ts" },
    outdir: "dist",
    sourcemap: true,
  });
}

/** The viewer of the API reference: two files of a package that is needed for nothing else. */
function copyApiDocs() {
  const from = path.dirname(require.resolve("swagger-ui-dist/package.json"));
  const to = path.join(root, "dist/api-docs");
  mkdirSync(to, { recursive: true });
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"])
    copyFileSync(path.join(from, name), path.join(to, name));
}

/** @param {string} title @param {string[]} args @param {Record<string, string>} [env] @param {string} [cwd] */
async function npm(title, args, env, cwd) {
  // Under `npm start` this is the npm that runs it, otherwise the one on the PATH.
  const cli = process.env.npm_execpath;
  const under = cli && /^npm/.test(path.basename(cli));
  await run(title, under ? process.execPath : "npm", under ? [cli, ...args] : args, env, cwd);
}
