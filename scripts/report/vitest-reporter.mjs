// @ts-check
import { root } from "../setup/root.mjs";
import { aloneCommand, describeError, writeReport } from "./failed-tests.mjs";

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
    const fail = (
      /** @type {string} */ name,
      /** @type {ReadonlyArray<import("vitest").SerializedError>} */ errors,
      alone = "npm test -- unit",
    ) => failures.push({ name, error: errors.map((error) => describeError(error, root)).join("\n"), alone });

    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) fail(file, module.errors(), aloneCommand(file));
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0)
          fail(`${file} > ${suite.fullName}`, suite.errors(), aloneCommand(file, suite.name));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === "passed") passed += 1;
        if (state !== "failed" && state !== "pending") continue;
        const reasons = state === "failed" ? errors : [{ message: "The test did not end." }];
        fail(`${file} > ${test.fullName}`, reasons, aloneCommand(file, test.name));
      }
    }
    for (const error of unhandled) fail("An error that no test handled", [error]);
    writeReport({ passed, failures });
  }
}
