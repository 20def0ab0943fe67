import { createHmac, timingSafeEqual } from "node:crypto";
import type { FoundSession } from "../db/hot/identity.ts";

const MAX_KNOWN = 10_000;

/**
 * What a browser needs besides the cookie of its session (lib/protocol/page-secret.ts). It is derived from the session's token
 * and the installation's secret, so nothing is stored.
 */
export class PageSecrets {
  readonly #secret: string;
  /** By session, so that a request costs no HMAC. A session's token never changes. */
  readonly #known = new Map<string, Buffer>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  of(token: string): string {
    return createHmac("sha256", this.#secret).update(`parley page ${token}`).digest("base64url");
  }

  fits(session: Pick<FoundSession, "id">, token: string, pageSecret: string): boolean {
    let expected = this.#known.get(session.id);
    if (!expected) {
      expected = Buffer.from(this.of(token));
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(session.id, expected);
    }
    const bytes = Buffer.from(pageSecret);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }
}
