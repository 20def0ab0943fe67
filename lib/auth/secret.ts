import { join, resolve } from "node:path";
import { OpenError } from "../db/errors.ts";
import { dataFolder } from "../db/place.ts";
import { createSecretFile, readSecretFile } from "../db/secret-file.ts";

const SHORTEST = 32;

export type SecretSettings = {
  /** The secret itself, instead of a file. */
  secret: string | undefined;
  /** The file that holds it. */
  file: string;
};

/** The path of the file: next to the data unless configured. */
export function secretFile(file: string | undefined, { url, root }: { url: string; root: string }): string {
  return file === undefined ? join(dataFolder(url, root), "secret") : resolve(root, file);
}

/** The secret of this installation, created on first start. */
export function ensureSecret({ secret, file }: SecretSettings): string {
  if (secret !== undefined) return secret;
  const about = { file, what: "The secret of this installation", settings: "PARLEY_SECRET" };
  const known = readSecretFile(about);
  if (known === undefined) {
    createSecretFile(about);
    return ensureSecret({ secret, file });
  }
  if (known.length < SHORTEST)
    throw new OpenError(
      `The secret in ${file} is shorter than ${SHORTEST} characters. Remove the file, and Parley creates another.`,
    );
  return known;
}
