import { createHmac, timingSafeEqual } from "node:crypto";
import type { FoundSession } from "../db/hot/identity.ts";

/**
 * What a browser needs besides the cookie of its session (lib/protocol/page-secret.ts). It is derived from the session's token
 * and the installation's secret, so nothing is stored.
 */
export class PageSecrets {
  readonly #secret: string;
  /** Kept as long as the session is cached, so that a request costs no HMAC. */
  readonly #known = new WeakMap<FoundSession, Buffer>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  of(token: string): string {
    return createHmac("sha256", this.#secret).update(`parley page ${token}`).digest("base64url");
  }

  fits(session: FoundSession, token: string, pageSecret: string): boolean {
    const expected = this.#known.get(session) ?? Buffer.from(this.of(token));
    this.#known.set(session, expected);
    const bytes = Buffer.from(pageSecret);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }
}
