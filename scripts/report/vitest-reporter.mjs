// @ts-check
import { root } from "../setup/root.mjs";
import { describeError, writeReport } from "./failed-tests.mjs";

/** @typedef {import("vitest/node").TestModule} TestModule */
/** @typedef {import("./failed-tests.mjs").Failure} Failure */

/** Reports to `npm test`. Files that do not load, hooks that fail and errors that nobody handled count as failed tests. */
export default class VitestReporter {
  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<import("vitest").SerializedError>} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    let passed = 0;
    /** @type {Failure[]} */
    const failures = [];
    const fail = (/** @type {string} */ name, /** @type {ReadonlyArray<import("vitest").SerializedError>} */ errors) =>
      failures.push({ name, error: errors.map((error) => describeError(error, root)).join("\n") });

    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) fail(file, module.errors());
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) fail(`${file} > ${suite.fullName}`, suite.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") fail(`${file} > ${test.fullName}`, errors);
        if (state === "pending") fail(`${file} > ${test.fullName}`, [{ message: "The test did not end." }]);
      }
    }
    for (const error of unhandled) fail("An error that no test handled", [error]);
    writeReport({ passed, failures });
  }
}
