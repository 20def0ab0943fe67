import { hash } from "node:crypto";
import { join, resolve } from "node:path";
import { OpenError } from "../../db/errors.ts";
import { dataFolder } from "../../db/place.ts";
import { createSecretFile, readSecretFile, type SecretFile } from "../../db/secret-file.ts";

/** Signs the audit seals. The database only has its fingerprint, never the key. */
export type AuditKey = { secret: string; fingerprint: string };

const SHORTEST = 32;

export function auditKeyOf(secret: string): AuditKey {
  return { secret, fingerprint: hash("sha256", `parley audit key ${secret}`, "hex").slice(0, 16) };
}

/** The path of the key file: next to the data unless configured. */
export function auditKeyFile(file: string | undefined, { url, root }: { url: string; root: string }): string {
  return file === undefined ? join(dataFolder(url, root), "audit.key") : resolve(root, file);
}

export type AuditKeySettings = {
  /** The key itself, instead of a file. */
  key: string | undefined;
  file: string;
};

/** The key of this installation; undefined if there is none yet. */
export function readAuditKey({ key, file }: AuditKeySettings): AuditKey | undefined {
  const secret = key ?? readSecretFile(about(file));
  if (secret === undefined) return undefined;
  if (secret.length < SHORTEST) {
    const where = key === undefined ? file : "AUDIT_KEY";
    throw new OpenError(`The audit key in ${where} is shorter than ${SHORTEST} characters. Put the right key there.`);
  }
  return auditKeyOf(secret);
}

/** The key of this installation, created on first start. If several processes start at once, one of them creates it. */
export function ensureAuditKey(settings: AuditKeySettings): AuditKey {
  const known = readAuditKey(settings);
  if (known) return known;
  createSecretFile(about(settings.file));
  return ensureAuditKey(settings);
}

function about(file: string): SecretFile {
  return { file, what: "The audit key", settings: "AUDIT_KEY_FILE or AUDIT_KEY" };
}
