// @ts-check
// Two setups of one folder at once would delete each other's builds, so the second waits for the first.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./root.mjs";

/** `what` only one process does at a time. @template T @param {string} what @param {() => Promise<T>} work */
export async function alone(what, work) {
  const file = path.join(root, `dist/.${what}-lock`);
  mkdirSync(path.dirname(file), { recursive: true });
  let waiting = false;
  while (!take(file)) {
    const holder = holderOf(file);
    if (!isAlive(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waiting) process.stdout.write(`Waiting for another setup of this folder (process ${holder}) …\n`);
    waiting = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** The file must appear together with its content: an empty one would look like that of a dead process. @param {string} file */
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @param {string} file */
function holderOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
