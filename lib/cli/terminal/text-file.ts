import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandExit, EXIT } from "./terminal.ts";

/** Undefined if the file does not exist. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new CommandExit(EXIT.badInput, `${file} cannot be read (${systemCode(error)}).`);
  }
}

/** Writes atomically, follows symlinks and keeps the file mode. Undefined removes the file. */
export function writeText(file: string, text: string | undefined): void {
  try {
    if (text === undefined) {
      rmSync(file, { force: true });
      return;
    }
    const existing = statSync(file, { throwIfNoEntry: false });
    const real = existing ? realpathSync(file) : file;
    mkdirSync(dirname(real), { recursive: true });
    const temporary = `${real}.${process.pid}.parley`;
    writeFileSync(temporary, text, { mode: existing ? existing.mode & 0o777 : 0o644 });
    renameSync(temporary, real);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

export function cannotWrite(file: string, error: unknown): CommandExit {
  return new CommandExit(EXIT.badInput, `${file} cannot be written (${systemCode(error)}).`);
}

/** The code of an error of the operating system, such as EACCES. */
function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
