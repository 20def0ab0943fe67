import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../setup/root.mjs";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("the package holds only what an installation needs", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(listed) as [{ files: Array<{ path: string }> }];
  const paths = files.map(({ path }) => path);
  const allowed =
    /^(bin\/parley\.mjs|dist\/.+\.(js|css)|\.next\/(server|static)\/.+|\.next\/[\w.-]+|public\/.+|prisma\/migrations\/.+|scripts\/setup\/[\w-]+\.mjs|next\.config\.mjs|\.env\.example|(LICENSE|package\.json)|(README|CHANGELOG)\.md)$/;
  expect(paths.filter((path) => !allowed.test(path) || /\.map$|\.test\.|\/cache\//.test(path))).toEqual([]);
  for (const needed of [
    "bin/parley.mjs",
    "LICENSE",
    "CHANGELOG.md",
    "next.config.mjs",
    "scripts/setup/start-server.mjs",
  ])
    expect(paths).toContain(needed);
});

test("the changelog and the lock file name this version", () => {
  const { name, version } = JSON.parse(read("package.json"));
  expect(read("CHANGELOG.md")).toContain(`## [${version}] - `);
  expect(JSON.parse(read("package-lock.json"))).toMatchObject({ name, version, packages: { "": { name, version } } });
});

test("nobody is told to run the package of somebody else", () => {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  // Written in two parts, because this file is searched too.
  const wrong = ["npx", "parley"].join(" ");
  const found = tracked.filter((file) => /\.(md|tsx?|mjs|json|example)$/.test(file) && read(file).includes(wrong));
  expect(found).toEqual([]);
});
