// @ts-check
// Finds the browser for the browser tests: PARLEY_CHROMIUM, or the system's, installed with apt if possible.
import { existsSync } from "node:fs";
import { run, SetupError, step } from "./step.mjs";

const own = process.env.PARLEY_CHROMIUM;
/** The shell is the same engine without the windows around it, which take two fifths of the CPU time of a test. */
export const chromium = {
  shell: own || "/usr/bin/chromium-headless-shell",
  whole: own || "/usr/bin/chromium",
};
/** Without it, Chinese and Japanese would be empty boxes, which no test may accept as text. */
const font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
const PACKAGES = ["chromium", "chromium-headless-shell", "fonts-liberation", "fonts-noto-cjk"];

export async function findChromium() {
  if (own && !existsSync(own)) throw new SetupError(`PARLEY_CHROMIUM is ${own}, which does not exist.`);
  if (own || [chromium.shell, chromium.whole, font].every((file) => existsSync(file))) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new SetupError(
      "The browser tests need Chromium: install it with fonts for Chinese and Japanese (fonts-noto-cjk), and set PARLEY_CHROMIUM to its program.",
    );
  }
  await step("Installing Chromium for the browser tests", async () => {
    const quiet = { DEBIAN_FRONTEND: "noninteractive" };
    await run("Reading the list of packages", "apt-get", ["update"], quiet);
    await run("Installing Chromium", "apt-get", ["install", "-y", "--no-install-recommends", ...PACKAGES], quiet);
  });
}
