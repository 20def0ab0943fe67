// @ts-check
// Finds the browser for the browser tests: PARLEY_CHROMIUM, or the system's, installed with apt if possible.
import { existsSync } from "node:fs";
import { run, SetupError, step } from "./step.mjs";

const system = "/usr/bin/chromium";
/** Without it, Chinese and Japanese would be empty boxes, which no test may accept as text. */
const font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

export async function findChromium() {
  const given = process.env.PARLEY_CHROMIUM;
  if (given && !existsSync(given)) throw new SetupError(`PARLEY_CHROMIUM is ${given}, which does not exist.`);
  if (given || (existsSync(system) && existsSync(font))) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new SetupError(
      "The browser tests need Chromium: install it with fonts for Chinese and Japanese (fonts-noto-cjk), and set PARLEY_CHROMIUM to its program.",
    );
  }
  await step("Installing Chromium for the browser tests", async () => {
    const quiet = { DEBIAN_FRONTEND: "noninteractive" };
    await run("Reading the list of packages", "apt-get", ["update"], quiet);
    const install = ["install", "-y", "--no-install-recommends", "chromium", "fonts-liberation", "fonts-noto-cjk"];
    await run("Installing Chromium", "apt-get", install, quiet);
  });
}
