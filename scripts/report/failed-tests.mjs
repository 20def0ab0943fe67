// @ts-check
// What a test run reports to `npm test`, and how it names the tests that failed. The reporters of Vitest and Playwright
// write the same report, to the file that PARLEY_TEST_REPORT names.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** @typedef {{ name: string, error: string, alone?: string }} Failure `alone` is the command that runs only this test. */
/** @typedef {{ passed: number, failures: Failure[] }} Report */

// A machine that runs the tests may keep only the end of their output, about 13,000 characters.
const LINES_PER_ERROR = 8;
const CHARACTERS_PER_ERROR = 700;
const CHARACTERS = 8_000;
const LINES_PER_FAILURE = 3;
const LINE_WIDTH = 200;

/** @param {Report} report */
export function writeReport(report) {
  const file = process.env.PARLEY_TEST_REPORT;
  if (!file) throw new Error("Set PARLEY_TEST_REPORT to the file that the report is written to.");
  writeFileSync(file, JSON.stringify(report));
}

/**
 * A program that failed without a failed test has crashed, and one without tests has proved nothing.
 * @param {string} title The check that the report belongs to.
 * @param {string} file
 * @param {boolean} ok Whether the program ended well.
 * @returns {Report}
 */
export function readReport(title, file, ok) {
  if (!existsSync(file)) return { passed: 0, failures: [{ name: title, error: "The run ended without a report." }] };
  /** @type {Report} */
  const report = JSON.parse(readFileSync(file, "utf8"));
  if (report.failures.length > 0) return report;
  if (!ok) report.failures.push({ name: title, error: "The run failed, although none of its tests did." });
  else if (report.passed === 0) report.failures.push({ name: title, error: "The run had no tests." });
  return report;
}

/** The names of all failed tests with the first lines of their errors; if these grow too long, the rest by name only. @param {Failure[]} failures */
export function describeFailures(failures) {
  let room = CHARACTERS;
  return failures
    .map(({ name, error }) => {
      const lines = firstLines(error);
      room -= lines.length;
      return room > 0 ? `✗ ${name}\n${lines}` : `✗ ${name}\n`;
    })
    .join("");
}

/**
 * Which tests failed, why, and how to run each alone, in at most so many lines.
 * @param {Failure[]} failures
 * @param {number} lines
 */
export function listFailures(failures, lines) {
  const fit = Math.floor(lines / LINES_PER_FAILURE);
  const shown = failures.length <= fit ? failures : failures.slice(0, Math.floor((lines - 1) / LINES_PER_FAILURE));
  const rest = failures.length - shown.length;
  const listed = shown.map(({ name, error, alone }) => {
    const why = error.split("\n").find((line) => line.trim() !== "") ?? "";
    return [`✗ ${name}`, `  ${why.trim().slice(0, LINE_WIDTH)}`, `  ${alone ?? "npm test"}`].join("\n");
  });
  return `${[...listed, ...(rest > 0 ? [`… and ${rest} more, listed above`] : [])].join("\n")}\n`;
}

/** The command that runs a test alone, or all tests of a file. @param {string} file @param {string} [name] */
export function aloneCommand(file, name) {
  return `npm test -- ${file}${name === undefined ? "" : ` -t '${name.replaceAll("'", "'\\''")}'`}`;
}

/** @param {string} error */
function firstLines(error) {
  const lines = error.split("\n").filter((line) => line.trim() !== "");
  const text = lines.slice(0, LINES_PER_ERROR).join("\n    ");
  return `    ${text.length > CHARACTERS_PER_ERROR ? `${text.slice(0, CHARACTERS_PER_ERROR)} …` : text}\n`;
}

/**
 * The message of an error and the places in the project that it comes from.
 * @param {{ name?: string, message?: string, stack?: string, value?: string }} error
 * @param {string} root
 */
export function describeError(error, root) {
  const message = error.message ?? error.value ?? "An error without a message";
  const named = error.name && !message.startsWith(error.name) ? `${error.name}: ${message}` : message;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => !/node_modules|node:internal/.test(line)).slice(0, 2);
  const places = own.map((line) => line.trim().replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, ""));
  const shortened = named.split("\n").slice(0, LINES_PER_ERROR - places.length);
  return [...shortened, ...places].join("\n").replace(/\u001b\[[0-9;]*m/g, "");
}
