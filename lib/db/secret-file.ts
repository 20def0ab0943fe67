import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { OpenError } from "./errors.ts";

export type SecretFile = {
  file: string;
  /** What it holds, for messages: "The audit key". */
  what: string;
  /** The settings that replace it, for messages. */
  settings: string;
};

/** The secret in the file; undefined if there is no such file. */
export function readSecretFile({ file, what }: SecretFile): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new OpenError(`${what} at ${file} cannot be read (${codeOf(error)}). Check its permissions.`);
  }
}

/** Creates the file with a random secret, for its owner only. If several processes do so at once, one of them creates it. */
export function createSecretFile({ file, what, settings }: SecretFile): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST")
      throw new OpenError(
        `${what} cannot be created at ${file} (${codeOf(error)}). Make its folder writable, or set ${settings}.`,
      );
  } finally {
    rmSync(draft, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
