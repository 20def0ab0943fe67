import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { OpenError } from "./errors.ts";

const SHORTEST = 32;

/** A secret of the installation: set by whoever runs it, or kept in a file. */
export type OwnSecret = {
  /** The secret itself, instead of a file. */
  value: string | undefined;
  file: string;
  /** What it is, for messages: "The audit key". */
  what: string;
  /** The settings that replace the file, for messages. */
  settings: string;
  /** What to do if it is too short. */
  ifShort: string;
};

/** The secret; undefined if it is neither set nor in its file. */
export function readSecret(secret: OwnSecret): string | undefined {
  const { value, file, what, settings, ifShort } = secret;
  const known = value ?? readFile(secret);
  if (known === undefined || known.length >= SHORTEST) return known;
  const where = value === undefined ? file : settings;
  throw new OpenError(`${what} in ${where} is shorter than ${SHORTEST} characters. ${ifShort}`);
}

/** The secret, created in its file if there is none. If several processes do so at once, one of them creates it. */
export function ensureSecret(secret: OwnSecret): string {
  const known = readSecret(secret);
  if (known !== undefined) return known;
  createFile(secret);
  return ensureSecret(secret);
}

function readFile({ file, what }: OwnSecret): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new OpenError(`${what} at ${file} cannot be read (${codeOf(error)}). Check its permissions.`);
  }
}

/** A random secret, for the owner of the file only. */
function createFile({ file, what, settings }: OwnSecret): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
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
