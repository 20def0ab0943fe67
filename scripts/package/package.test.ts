import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../setup/root.mjs";

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** What a build leaves behind: files that the package needs, and others next to them. */
const BUILT = ["dist/server.js", "dist/api-docs/swagger-ui.css", ".next/BUILD_ID", ".next/server/app/page.js"];
const BESIDE = [
  "dist/server.js.map",
  ".next/cache/fetch",
  ".next/trace",
  ".next/server/page.js.map",
  "lib/new.test.ts",
];
const tracked = () => execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);

test("the package holds only what an installation needs", () => {
  // A copy: other tests build in the folder itself at the same time, and npm fails on files that vanish.
  const folder = mkdtempSync(join(tmpdir(), "parley-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [...tracked(), ...BUILT, ...BESIDE]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (existsSync(join(root, file)) && !BUILT.includes(file)) copyFileSync(join(root, file), join(folder, file));
    else writeFileSync(join(folder, file), "built");
  }
  const listed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(listed) as [{ files: Array<{ path: string }> }];
  const paths = files.map(({ path }) => path);
  const allowed =
    /^(bin\/parley\.mjs|dist\/.+\.(js|css)|\.next\/(server|static)\/.+|\.next\/[\w.-]+|public\/.+|prisma\/migrations\/.+|scripts\/setup\/[\w-]+\.mjs|\.claude\/skills\/.+|next\.config\.mjs|\.env\.example|(LICENSE|package\.json)|(README|CHANGELOG)\.md)$/;
  expect(paths.filter((path) => !allowed.test(path) || BESIDE.includes(path))).toEqual([]);
  for (const needed of [
    ...BUILT,
    "bin/parley.mjs",
    "LICENSE",
    "CHANGELOG.md",
    "next.config.mjs",
    "scripts/setup/start-server.mjs",
  ])
    expect(paths).toContain(needed);
});

test("`npm pack` by itself packs nothing, and says what to run", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ["package.json", ".npmrc"]) copyFileSync(join(root, file), join(folder, file));
  // Said explicitly, because `npm test --silent` silences every npm below it.
  const packing = spawnSync("npm", ["pack", "--loglevel=error"], { cwd: folder, encoding: "utf8" });
  expect(packing.status).not.toBe(0);
  expect(packing.stderr).toContain("npm pack does not build Parley: run npm run package");
  expect(readdirSync(folder).sort()).toEqual([".npmrc", "package.json"]);
});

test("the changelog and the lock file name this version", () => {
  const { name, version } = JSON.parse(read("package.json"));
  expect(read("CHANGELOG.md")).toContain(`## [${version}] - `);
  expect(JSON.parse(read("package-lock.json"))).toMatchObject({ name, version, packages: { "": { name, version } } });
});

test("nobody is told to run the package of someone else", () => {
  // Written in two parts, because this file is searched too.
  const wrong = ["npx", "parley"].join(" ");
  const found = tracked().filter((file) => /\.(md|tsx?|mjs|json|example)$/.test(file) && read(file).includes(wrong));
  expect(found).toEqual([]);
});
