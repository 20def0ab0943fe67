// @ts-check
// Only lib/auth says who someone is and what they may do. `npm test -- lint` looks for code that creates or changes actors
// elsewhere, because an object literal in any other file could give its caller every right.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** An object literal with rights, or a copy of an actor, whose rights could be changed. */
const ACTOR = [/\brights\s*:\s*\[/, /\.\.\.\s*(?:[\w$]+\.)*(?:[aA]ctor|SYSTEM|DEADLINE)\b/];

/** lib/protocol/actor.ts has Parley itself as an actor; lib/domain/rights.ts changes the name an actor goes by. */
const ALLOWED = /^lib\/(auth\/|protocol\/actor\.ts$|domain\/rights\.ts$)/;
const TEST = /(\.test\.ts|\/test-[a-z-]+\.ts)$/;
const ROOT = path.join(import.meta.dirname, "../..");

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => name !== "generated")
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** @param {string} file @param {string} text @returns {string[]} */
export function actorsIn(file, text) {
  if (ALLOWED.test(file) || TEST.test(file)) return [];
  return text
    .split("\n")
    .flatMap((line, index) =>
      ACTOR.some((pattern) => pattern.test(line))
        ? [`${file}:${index + 1}: creates an actor; call a function of lib/auth instead`]
        : [],
    );
}

/** Each place outside lib/auth that creates an actor. @returns {string[]} */
export function findActors() {
  const files = [...filesIn("lib"), ...filesIn("app"), "server.ts"].filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => actorsIn(file, readFileSync(path.join(ROOT, file), "utf8")));
}
