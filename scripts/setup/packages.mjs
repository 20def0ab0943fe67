// @ts-check
// Whether node_modules matches package-lock.json. npm leaves a list of installed packages in node_modules, so this check
// takes milliseconds and accepts a manual `npm install` as well.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */

/** @param {boolean} dev Whether development packages are needed as well. */
export function packagesInstalled(dev) {
  const installed = packagesIn("node_modules/.package-lock.json");
  if (!installed) return false;
  const wanted = Object.entries(packagesIn("package-lock.json") ?? {});
  return wanted
    .filter(([place, entry]) => place !== "" && isWanted(entry, dev))
    .every(([place, entry]) => {
      const there = installed[place];
      return there?.version === entry.version && there?.integrity === entry.integrity;
    });
}

/** @param {string} file @returns {Record<string, Package> | undefined} */
function packagesIn(file) {
  const full = path.join(root, file);
  if (!existsSync(full)) return undefined;
  return JSON.parse(readFileSync(full, "utf8")).packages;
}

/** @param {Package} entry @param {boolean} dev */
function isWanted(entry, dev) {
  if ((entry.dev || entry.devOptional) && !dev) return false;
  if (!entry.optional && !entry.devOptional) return true;
  // Optional packages for this machine are needed: otherwise a folder copied from another machine would pass. Packages
  // for one C library are skipped, because finding out which one this is takes longer than everything else here.
  return Boolean(entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !entry.libc);
}
