// @ts-check
// `npm test` runs every check that a change must pass. `npm test -- unit lint` runs only these two, `static` those that run
// nothing of Parley, a path the tests in it, and `-t TEXT` only tests whose names contain it.
//
// A failing check does not stop the next one. The last 30 lines say which tests failed, why, and how to run each alone; the
// last one is always `tests: N passed, N failed`.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findActors } from "./lint/actors.mjs";
import { findStiltedWords } from "./lint/words.mjs";
import { describeFailures, listFailures, readReport } from "./report/failed-tests.mjs";
import { root } from "./setup/root.mjs";
import { setup } from "./setup/setup.mjs";
import { explain } from "./setup/step.mjs";

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {import("./report/failed-tests.mjs").Failure} Failure */

/** A failing run explains itself in its last lines. */
const LAST_LINES = 30;
const MEMORY = "/dev/shm";
const MEMORY_NEEDED = 4 * 1024 ** 3;
const passed = { passed: 1, failed: 0 };
const failed = { passed: 0, failed: 1 };
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const reports = mkdtempSync(path.join(os.tmpdir(), "parley-test-"));
/** @type {Failure[]} */
const failures = [];

/** `runs`: the check runs Parley instead of only reading its sources. @type {Record<string, { title: string, runs?: true, run: () => Promise<Count> }>} */
const checks = {
  types: {
    title: "Types",
    run: async () => one((await program("next", ["typegen"])) && (await program("tsc", ["--noEmit"]))),
  },
  lint: {
    title: "Format and lint",
    run: async () => {
      const colours = colour ? "--colors=force" : "--colors=off";
      const isClean = await program("biome", ["ci", "--error-on-warnings", colours, "."]);
      const places = [...findStiltedWords(), ...findActors()];
      for (const place of places) console.error(place);
      return one(isClean && places.length === 0);
    },
  },
  boundaries: {
    title: "Boundaries",
    run: async () => {
      const sources = ["app", "bench", "components", "e2e", "examples", "i18n", "lib", "scripts", "server.ts"];
      const present = sources.filter((source) => existsSync(path.join(root, source)));
      return one(await program("depcruise", ["--config", ".dependency-cruiser.cjs", ...present]));
    },
  },
  dead: {
    title: "Dead code",
    run: async () => one(await program("knip", ["--no-progress"])),
  },
  unit: {
    title: "Unit and database tests",
    runs: true,
    run: async () => {
      const reporter = "./scripts/report/vitest-reporter.mjs";
      const args = ["run", "--reporter=default", `--reporter=${reporter}`, ...chosen.unit];
      if (chosen.name) args.push("-t", literally(chosen.name));
      const env = { ...memory(), ...(chosen.both && { PARLEY_BOTH_DATABASES: "1" }) };
      return tests("Unit and database tests", "vitest", args, env);
    },
  },
  browser: {
    title: "Browser tests",
    runs: true,
    run: async () => {
      await buildPages();
      const reporter = "./scripts/report/playwright-reporter.mjs";
      const args = ["test", `--reporter=list,${reporter}`, ...chosen.browser];
      if (chosen.name) args.push("-g", literally(chosen.name));
      return tests("Browser tests", "playwright", args, memory());
    },
  },
};

const STATIC = ["types", "lint", "boundaries", "dead"];
const USAGE = `npm test -- [${Object.keys(checks).join(" | ")} | static | PATH …] [-t TEXT] [--both]`;

process.chdir(root);
process.on("exit", () => rmSync(reports, { recursive: true, force: true }));
const chosen = choose(process.argv.slice(2));
process.exitCode = await main();

/**
 * What the arguments choose: checks by name, and tests by the path of their file or folder and by their own name.
 * @param {string[]} args
 */
function choose(args) {
  const { values, positionals } = readArguments(args);
  const isBrowser = (/** @type {string} */ word) => /^(\.\/)?e2e(\/|$)|\.spec\.ts$/.test(word);
  const named = positionals.flatMap((word) => (word === "static" ? STATIC : word in checks ? [word] : []));
  const paths = positionals.filter((word) => word !== "static" && !(word in checks));
  for (const missing of paths.filter((word) => !existsSync(word)))
    giveUp(`${missing} is neither a check nor a file or folder.`);
  const unit = paths.filter((word) => !isBrowser(word));
  const browser = paths.filter(isBrowser);
  if (unit.length > 0) named.push("unit");
  if (browser.length > 0) named.push("browser");
  const names = named.length > 0 ? named : values.name ? ["unit", "browser"] : Object.keys(checks);
  return { names, unit, browser, name: values.name, both: values.both };
}

/** @param {string[]} args */
function readArguments(args) {
  try {
    const options = /** @type {const} */ ({ name: { type: "string", short: "t" }, both: { type: "boolean" } });
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} why @returns {never} */
function giveUp(why) {
  process.stderr.write(`${why}\nUsage: ${USAGE}\n`);
  process.exit(1);
}

async function main() {
  const running = Object.entries(checks).filter(([name]) => chosen.names.includes(name));
  /** @type {string[]} */
  const summary = [];
  const total = { passed: 0, failed: 0 };
  const add = (/** @type {string} */ title, /** @type {Count} */ count, note = "") => {
    summary.push(
      `${count.failed ? "✗" : "✓"} ${title.padEnd(26)} ${count.passed} passed, ${count.failed} failed${note}`,
    );
    total.passed += count.passed;
    total.failed += count.failed;
  };

  const ready = await attempt(async () => {
    await setup({ dev: true, build: false, addon: false });
    return passed;
  });
  if (ready.failed) add("Setup", ready);
  // The driver compiles on one core for a minute. Meanwhile the sources are checked and the pages built on another.
  const runs = !ready.failed && running.some(([, check]) => check.runs);
  const driver = runs ? inBackground("driver") : undefined;
  // Before the unit tests, which use apt too.
  const browsers = runs && chosen.names.includes("browser") ? inBackground("browsers") : undefined;
  for (const [name, check] of ready.failed ? [] : running) {
    if (check.runs && browsers) await attempt(buildPages);
    if (check.runs && !((await driver?.()) && (browsers === undefined || (await browsers())))) {
      add(check.title, failed, "  the setup failed");
      continue;
    }
    process.stdout.write(`\n${colour ? `\u001b[1m${check.title}\u001b[0m` : `== ${check.title}`}\n`);
    const started = performance.now();
    const count = await attempt(check.run);
    add(check.title, count, `  ${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (count.failed > 0 && !check.runs)
      failures.push({ name: check.title, error: "Its output is above.", alone: `npm test -- ${name}` });
  }
  if (failures.length > 0) process.stdout.write(`\n== Failed tests\n${describeFailures(failures)}`);
  process.stdout.write(`\n${summary.join("\n")}\n`);
  if (failures.length > 0) process.stdout.write(`\n${listFailures(failures, LAST_LINES - summary.length - 4)}`);
  process.stdout.write(`\ntests: ${total.passed} passed, ${total.failed} failed\n`);
  return total.failed > 0 ? 1 : 0;
}

/** Does nothing the second time. @returns {Promise<Count>} */
async function buildPages() {
  await setup({ dev: true, build: true, addon: false });
  return passed;
}

/** A regular expression for the text itself. @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Starts a part of the setup. The result waits for it, prints its output once and says whether it succeeded. @param {"driver" | "browsers"} part */
function inBackground(part) {
  const child = spawn(process.execPath, ["scripts/setup/background.mjs", part], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  return async () => {
    const code = await ended;
    process.stdout.write(said);
    said = "";
    return code === 0;
  };
}

/**
 * Keeps temporary files in memory, if there is room. Test databases must survive killed processes, not the machine, so their
 * syncs need not reach a disk: the tests take a fifth less CPU time.
 * @returns {Record<string, string>} Added to the environment.
 */
function memory() {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  if (bavail * bsize < MEMORY_NEEDED) return {};
  const folder = mkdtempSync(path.join(MEMORY, "parley-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another user, who must be able to reach its folder.
  chmodSync(folder, 0o711);
  return { TMPDIR: folder };
}

/** @param {boolean} ok @returns {Count} */
function one(ok) {
  return ok ? passed : failed;
}

/** Runs a test runner, counts its tests and keeps the names of those that failed. @param {string} title @param {string} runner @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<Count>} */
async function tests(title, runner, args, env = {}) {
  const file = path.join(reports, `${runner}.json`);
  const ok = await program(runner, args, { PARLEY_TEST_REPORT: file, ...env });
  const report = readReport(title, file, ok);
  failures.push(...report.failures);
  return { passed: report.passed, failed: report.failures.length };
}

/** @param {() => Promise<Count>} check */
async function attempt(check) {
  try {
    return await check();
  } catch (error) {
    explain(error);
    return failed;
  }
}

/**
 * Runs a program from node_modules and shows its output.
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<boolean>}
 */
function program(name, args, env = {}) {
  const child = spawn(path.join(root, "node_modules/.bin", name), args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...(colour ? {} : { NO_COLOR: "1" }), ...env },
  });
  // Test runners stop their children when they are interrupted once, and leave them behind when they are interrupted
  // twice or killed. Ctrl-C reaches them directly; other signals are passed on as one interrupt.
  let stopping = false;
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stopping = true;
    if (signal !== "SIGINT") child.kill("SIGINT");
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, stop);
  return new Promise((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`${name} could not be started: ${error.message}\n`);
      resolve(false);
    });
    child.on("close", (code) => {
      for (const signal of signals) process.off(signal, stop);
      if (stopping) process.exit(130);
      resolve(code === 0);
    });
  });
}
