// @ts-check
// `npm run package` builds Parley and packs it as parley-hub-VERSION.tgz, which runs without a build step. It holds the
// files that package.json lists, and depends only on the packages that the built programs load.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../setup/root.mjs";
import { setup } from "../setup/setup.mjs";
import { explain, run, SetupError } from "../setup/step.mjs";

/** Next loads them automatically. */
const OF_PAGES = ["next", "react", "react-dom"];

try {
  process.chdir(root);
  await setup({ dev: true, build: true });
  refuseLinks();
  console.log(await pack());
} catch (error) {
  explain(error);
  process.exit(1);
}

/** Next links to packages that it leaves out of the built pages, and npm packs no links. */
function refuseLinks() {
  const links = existsSync(".next/node_modules") ? readdirSync(".next/node_modules") : [];
  if (links.length > 0)
    throw new SetupError(`The pages are not whole: add ${links.join(", ")} to transpilePackages in next.config.mjs.`);
}

async function pack() {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-package-"));
  try {
    for (const file of await packedFiles()) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      copyFileSync(file, path.join(folder, file));
    }
    const { devDependencies: _, scripts: __, dependencies, ...rest } = manifest;
    const needed = await neededPackages();
    const kept = Object.entries(dependencies).filter(([name]) => needed.has(name));
    const lean = { ...rest, files: [...rest.files, "npm-shrinkwrap.json"], dependencies: Object.fromEntries(kept) };
    writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(lean, null, 2)}\n`);
    await shrinkwrap(folder);
    await run("Packing", "npm", ["pack", "--ignore-scripts", "--pack-destination", root], {}, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return `${manifest.name}-${manifest.version}.tgz`;
}

/**
 * Pins the packages to the versions and hashes of our own lockfile, without the development packages. npm reads it in the
 * unpacked folder, but not when it installs the tarball itself. It names no registry, so any will do.
 * @param {string} folder
 */
async function shrinkwrap(folder) {
  const lock = path.join(folder, "package-lock.json");
  copyFileSync("package-lock.json", lock);
  const pruning = ["install", "--package-lock-only", "--offline", "--ignore-scripts"];
  await run("Pruning the lockfile", "npm", pruning, { npm_config_omit_lockfile_registry_resolved: "true" }, folder);
  const text = readFileSync(lock, "utf8");
  const { "": _, ...packages } = JSON.parse(text).packages;
  const loose = Object.keys(packages).filter((name) => packages[name].resolved || !packages[name].integrity);
  if (loose.length > 0) throw new SetupError(`The lockfile does not pin ${loose.join(", ")} by hash alone.`);
  renameSync(lock, path.join(folder, "npm-shrinkwrap.json"));
}

/** What `npm pack` takes, as package.json lists it. */
async function packedFiles() {
  const listed = await run("Listing the files", "npm", ["pack", "--dry-run", "--ignore-scripts", "--json"]);
  /** @type {[{ files: { path: string }[] }]} */
  const [{ files }] = JSON.parse(listed.slice(listed.indexOf("[")));
  return files.map((file) => file.path);
}

/** The packages that the built programs import. */
async function neededPackages() {
  const { metafile } = await build({
    entryPoints: readdirSync("dist")
      .filter((file) => file.endsWith(".js"))
      .map((file) => `dist/${file}`),
    outdir: "dist",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((one) => one.path));
  return new Set([
    ...OF_PAGES,
    ...imported.map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  ]);
}
