import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { End, EXIT } from "./terminal.ts";

/** Undefined where there is none. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new End(EXIT.badInput, `${file} cannot be read (${code}).`);
  }
}

/** All of it or nothing, where a link leads, with the rights it had; undefined takes it away. */
export function writeText(file: string, text: string | undefined): void {
  try {
    if (text === undefined) {
      rmSync(file, { force: true });
      return;
    }
    const there = statSync(file, { throwIfNoEntry: false });
    const real = there ? realpathSync(file) : file;
    mkdirSync(dirname(real), { recursive: true });
    const beside = `${real}.${process.pid}.parley`;
    writeFileSync(beside, text, { mode: there ? there.mode & 0o777 : 0o644 });
    renameSync(beside, real);
  } catch (error) {
    throw new End(EXIT.badInput, `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
