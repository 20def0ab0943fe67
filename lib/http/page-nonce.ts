import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * The page that a locked one loads is shown under the locked one's content security policy (lib/pages/locked.ts), so it is
 * rendered with that nonce. Only pages of this origin can send the header, and each nonce is still used for one document.
 */
export const NONCE_HEADER = "x-parley-nonce";

/** The nonce that the scripts of a page need. */
export function nonceFor({ [NONCE_HEADER]: wanted }: IncomingHttpHeaders): string {
  return typeof wanted === "string" && /^[\w+/]{22}==$/.test(wanted) ? wanted : randomBytes(16).toString("base64");
}

/** The nonce in a content security policy. */
export function nonceIn(policy: string): string {
  return /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
}
