// @ts-check
// Finds Firefox for the test of web push, the one browser whose push service can be replaced: PARLEY_FIREFOX, or the
// system's, installed with apt if possible. A machine that cannot have it skips that test.
import { existsSync } from "node:fs";
import { run, SetupError, step } from "./step.mjs";

const system = "/usr/bin/firefox-esr";

/** @returns {Promise<{ program: string } | { missing: string }>} */
export async function findFirefox() {
  const given = process.env.PARLEY_FIREFOX;
  if (given && !existsSync(given)) throw new SetupError(`PARLEY_FIREFOX is ${given}, which does not exist.`);
  const found = [given, system].find((program) => program && existsSync(program));
  if (found) return { program: found };
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    return { missing: "Firefox is not installed, and apt may not install it here. Set PARLEY_FIREFOX to its program." };
  try {
    await step("Installing Firefox for the test of web push", async () => {
      const quiet = { DEBIAN_FRONTEND: "noninteractive" };
      await run("Reading the list of packages", "apt-get", ["update"], quiet);
      const install = ["install", "-y", "--no-install-recommends", "firefox-esr"];
      await run("Installing Firefox", "apt-get", install, quiet);
    });
    return { program: system };
  } catch (error) {
    return { missing: `Firefox could not be installed: ${error instanceof Error ? error.message : error}` };
  }
}
