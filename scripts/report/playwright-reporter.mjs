// @ts-check
import path from "node:path";
import { root } from "../setup/root.mjs";
import { aloneCommand, describeError, writeReport } from "./failed-tests.mjs";

/** @typedef {import("@playwright/test/reporter").TestError} TestError */

/** Reports to `npm test`. A test that passes only when repeated counts as failed. */
export default class PlaywrightReporter {
  /** @type {import("@playwright/test/reporter").Suite | undefined} */
  #tests;
  /** Errors outside tests, such as a file that does not load. @type {TestError[]} */
  #errors = [];

  /** @param {unknown} _config @param {import("@playwright/test/reporter").Suite} tests */
  onBegin(_config, tests) {
    this.#tests = tests;
  }

  /** @param {TestError} error */
  onError(error) {
    this.#errors.push(error);
  }

  onEnd() {
    const tests = this.#tests?.allTests() ?? [];
    const errorText = (/** @type {TestError[]} */ errors) =>
      errors.map((error) => describeError(error, root)).join("\n") || "The test did not end.";
    const failures = tests
      .filter((test) => ["unexpected", "flaky"].includes(test.outcome()))
      .map((test) => ({
        name: test.titlePath().filter(Boolean).join(" > "),
        error: errorText(test.results.flatMap((result) => result.errors)),
        alone: aloneCommand(path.relative(root, test.location.file), test.title),
      }));
    failures.push(
      ...this.#errors.map((error) => ({
        name: "Outside a test",
        error: errorText([error]),
        alone: "npm test -- browser",
      })),
    );
    writeReport({ passed: tests.filter((test) => test.outcome() === "expected").length, failures });
  }

  printsToStdio() {
    return false;
  }
}
