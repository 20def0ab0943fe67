import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aloneCommand, describeFailures, listFailures, readReport } from "./failed-tests.mjs";

const folder = mkdtempSync(join(tmpdir(), "parley-reporters-"));
symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test runner on the files in `folder`, as `npm test` runs it on the project. */
function run(runner: "vitest" | "playwright", args: string[], files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = join(folder, `${runner}.json`);
  const env = { ...process.env, PARLEY_TEST_REPORT: file, NODE_OPTIONS: "" };
  const { status } = spawnSync(resolve("node_modules/.bin", runner), args, { cwd: folder, env, encoding: "utf8" });
  return readReport(runner, file, status === 0);
}

test("Vitest reports failed tests, hooks, files and errors that no test handled", () => {
  const reporter = resolve("scripts/report/vitest-reporter.mjs");
  const { passed, failures } = run("vitest", ["run", "--globals", `--reporter=${reporter}`], {
    "vitest.config.mjs": `export default { test: { include: ["*.test.mjs"] } };`,
    "a.test.mjs": `test("passes", () => {});
      describe("sums", () => { test("adds", () => { expect(1 + 1).toBe(3); }); });`,
    "b.test.mjs": `describe("hooked", () => {
      beforeAll(() => { throw new Error("no database"); }); test("never runs", () => {}); });`,
    "c.test.mjs": `throw new Error("does not load");`,
    "d.test.mjs": `test("passes too early", () => { setImmediate(() => { throw new Error("afterwards"); }); });
      test("waits", () => new Promise((done) => setTimeout(done, 100)));`,
  });
  expect(passed).toBe(3);
  expect(failures.map(({ name, error, alone }) => [name, error.split("\n")[0], alone]).sort()).toEqual([
    ["An error that no test handled", "Error: afterwards", "npm test -- unit"],
    [
      "a.test.mjs > sums > adds",
      "AssertionError: expected 2 to be 3 // Object.is equality",
      "npm test -- a.test.mjs -t 'adds'",
    ],
    ["b.test.mjs > hooked", "Error: no database", "npm test -- b.test.mjs -t 'hooked'"],
    ["c.test.mjs", "Error: does not load", "npm test -- c.test.mjs"],
  ]);
});

test("Playwright reports failed tests, tests that pass only when repeated, and files that do not load", () => {
  const reporter = resolve("scripts/report/playwright-reporter.mjs");
  const spec = `import { expect, test } from "@playwright/test";
    test("passes", () => {});
    test("fails", () => { expect(1 + 1).toBe(3); });
    test("is flaky", ({}, { retry }) => { expect(retry).toBe(1); });`;
  const { passed, failures } = run("playwright", ["test", "--retries=1", `--reporter=${reporter}`], {
    "a.spec.mjs": spec,
    "playwright.config.mjs": `export default { testMatch: "*.spec.mjs" };`,
  });
  expect(passed).toBe(1);
  expect(failures.map(({ name }) => name)).toEqual(["a.spec.mjs > fails", "a.spec.mjs > is flaky"]);
  expect(failures[0]?.error).toContain("Expected: 3");
  expect(failures[0]?.error).not.toContain("\u001b");
  expect(failures[0]?.alone).toMatch(/^npm test -- \S*a\.spec\.mjs -t 'fails'$/);

  const broken = run("playwright", ["test", `--reporter=${reporter}`], { "b.spec.mjs": `throw new Error("broken");` });
  expect(broken.failures).toEqual([
    { name: "Outside a test", error: expect.stringContaining("Error: broken"), alone: "npm test -- browser" },
  ]);
});

test("a run that crashed, proved nothing or left no report has failed", () => {
  const file = join(folder, "report.json");
  expect(readReport("unit", join(folder, "missing.json"), true).failures).toHaveLength(1);
  writeFileSync(file, JSON.stringify({ passed: 5, failures: [] }));
  expect(readReport("unit", file, true).failures).toEqual([]);
  expect(readReport("unit", file, false).failures).toHaveLength(1);
  writeFileSync(file, JSON.stringify({ passed: 0, failures: [] }));
  expect(readReport("unit", file, true).failures).toHaveLength(1);
});

test("many long failures keep every name, and the errors fit in what a machine shows of the output", () => {
  const failures = Array.from({ length: 60 }, (_, index) => ({
    name: `test ${index}`,
    error: "long line\n".repeat(500),
  }));
  const text = describeFailures(failures);
  for (const { name } of failures) expect(text).toContain(`✗ ${name}\n`);
  expect(text).toContain("✗ test 0\n    long line\n");
  expect(text.length).toBeLessThan(11_000);
});

test("the end of a failing run says which tests failed, why, and how to run each alone", () => {
  const failures = Array.from({ length: 9 }, (_, index) => ({
    name: `lib/a.test.ts > test ${index}`,
    error: `\nwhy ${index}\nat lib/a.ts:1`,
    alone: aloneCommand("lib/a.test.ts", `it's ${index}`),
  }));
  const few = listFailures(failures.slice(0, 6), 19);
  expect(few).toContain("✗ lib/a.test.ts > test 5\n  why 5\n  npm test -- lib/a.test.ts -t 'it'\\''s 5'\n");
  const many = listFailures(failures, 19);
  expect(many.trimEnd().split("\n")).toHaveLength(19);
  expect(many).toMatch(/test 5\n[\s\S]*\n… and 3 more, listed above\n$/);
});
