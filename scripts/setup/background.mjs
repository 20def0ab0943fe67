// @ts-check
// Parts of the setup that `npm test` runs beside other work, each in a separate process.
import { findChromium } from "./chromium.mjs";
import { findFirefox } from "./firefox.mjs";
import { buildDriver } from "./setup.mjs";
import { explain } from "./step.mjs";

/** @type {Record<string, () => Promise<void>>} */
const parts = {
  /** It compiles on one core. */
  driver: buildDriver,
  browsers: async () => {
    await findChromium();
    await findFirefox();
  },
};

try {
  await parts[process.argv[2] ?? ""]?.();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
