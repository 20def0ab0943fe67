// @ts-check
// A stamp is stored next to a step's output and says what it was made from. It is deleted before the step and written after
// it, so an interrupted step runs again.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";
import { step } from "./step.mjs";

/**
 * Runs the step unless its stamp is current and its results exist.
 * @param {{ title: string, stamp: string, makes: string[], key: string, work: () => Promise<void> }} step
 */
export async function stamped({ title, stamp, makes, key, work }) {
  const file = path.join(root, stamp);
  const current = existsSync(file) && readFileSync(file, "utf8") === key;
  if (current && makes.every((made) => existsSync(path.join(root, made)))) return;
  rmSync(file, { force: true });
  await step(title, work);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, key);
}

/**
 * One hash over the names and contents of files and of everything in folders.
 * @param {string[]} paths
 * @param {(file: string) => boolean} [counts] Which files matter.
 */
export function fingerprint(paths, counts = () => true) {
  const hash = createHash("sha256");
  const files = paths.flatMap((entry) => filesAt(entry)).filter(counts);
  for (const file of files.sort()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} entry @returns {string[]} */
function filesAt(entry) {
  const full = path.join(root, entry);
  const about = statSync(full, { throwIfNoEntry: false });
  if (!about) return [];
  return about.isDirectory() ? readdirSync(full).flatMap((name) => filesAt(`${entry}/${name}`)) : [entry];
}
