// @ts-check
// Wording that readers stumble over. `npm test -- lint` looks for it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** @type {Array<[pattern: RegExp, instead: string]>} */
const WORDS = [
  [/\bfor ever\b/i, "forever"],
  [/\banew\b/i, "again"],
  [/\bMOST_[A-Z]/, "MAX_"],
  [/\bawhile\b/i, "for a while, or a name that says how long"],
  [/\bsingly\b/i, "one by one"],
  [/\bwho(ever)? (listens|waits|comes|looks)\b/i, "name the reader, listener or caller"],
  [/\bstands? twice\b/i, "appears twice"],
  [/\bwhere nothing is (set|said)\b/i, "by default"],
  [/\b(type|interface|class) (Told|Given|Gone|Said|Heard|Named|Known|Kept|Wanted|Parted|Shown|Marked)\b/, "a noun"],
  [/\b(a|an|A|An) [\w-]+ of (its|their) own\b/, "its own …, or a separate …"],
  [/\b(some|any)body else than\b/i, "someone other than"],
  [
    /\bwhoever (has|is|was|can|had|sends?|gets?|answers?|asks?)\b/i,
    "name the person: someone who, the person who, people who",
  ],
  [/(\/\/|\*|describe\().*\b(some|every|any)body\b/i, "someone, everyone or anyone"],
  [/\bhears? of (every|a|the|it|what|questions?)\b/i, "is notified of, receives or learns of"],
  [/\b(ends|expires|goes away|recovers) by itself\b/i, "automatically, or a verb that says so"],
  [/代理/, "智能体"],
];

const ROOT = path.join(import.meta.dirname, "../..");
const FOLDERS = ["app", "bench", "bin", "components", "docs", "e2e", "examples", "i18n", "lib", "scripts"];
const FILES = ["server.ts", "prisma/schema.prisma", "README.md", "CONTRIBUTING.md", ".env.example"];
const TEXT = /\.(ts|tsx|mjs|md|json|prisma|example)$/;
const SKIPPED = new Set(["generated", "node_modules", path.basename(import.meta.filename)]);

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** Each place that uses such wording, with what to write instead. @returns {string[]} */
export function findStiltedWords() {
  const files = [...FOLDERS.flatMap(filesIn), ...FILES].filter((file) => TEXT.test(file));
  return files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        WORDS.flatMap(([pattern, instead]) => {
          const found = pattern.exec(line)?.[0];
          return found === undefined ? [] : [`${file}:${index + 1}: “${found}”; write ${instead}`];
        }),
      ),
  );
}
