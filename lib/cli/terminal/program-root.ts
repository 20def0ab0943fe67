import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the program, whose sources and built commands lie at different depths. */
export function programRoot(folder = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(folder, "package.json")) ? folder : programRoot(dirname(folder));
}
