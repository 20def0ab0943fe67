import { hash } from "node:crypto";
import { ownFile } from "../../db/place.ts";
import { ensureSecret, type OwnSecret, readSecret } from "../../db/secret-file.ts";

/** Signs the audit seals. The database only has its fingerprint, never the key. */
export type AuditKey = { secret: string; fingerprint: string };

export function auditKeyOf(secret: string): AuditKey {
  return { secret, fingerprint: hash("sha256", `parley audit key ${secret}`, "hex").slice(0, 16) };
}

/** The path of the key file. */
export function auditKeyFile(file: string | undefined, place: { url: string; root: string }): string {
  return ownFile("audit.key", file, place);
}

export type AuditKeySettings = {
  /** The key itself, instead of a file. */
  key: string | undefined;
  file: string;
};

/** The key of this installation; undefined if there is none yet. */
export function readAuditKey(settings: AuditKeySettings): AuditKey | undefined {
  const secret = readSecret(secretOf(settings));
  return secret === undefined ? undefined : auditKeyOf(secret);
}

/** The key of this installation, created on first start. */
export function ensureAuditKey(settings: AuditKeySettings): AuditKey {
  return auditKeyOf(ensureSecret(secretOf(settings)));
}

function secretOf({ key, file }: AuditKeySettings): OwnSecret {
  const settings = "AUDIT_KEY_FILE or AUDIT_KEY";
  return { value: key, file, what: "The audit key", settings, ifShort: "Put the right key there." };
}
