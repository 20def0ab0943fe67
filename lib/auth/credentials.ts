import { LRUCache } from "lru-cache";
import type { Database } from "../db/database.ts";
import { type FoundKey, type FoundSession, findKeyByHash, findSessionByHash } from "../db/hot/identity.ts";
import { digestOf, isApiKey } from "./secrets.ts";

/** What a credential is worth: a session, a key, or nothing. */
export type Credential = { session: FoundSession; key?: undefined } | { key: FoundKey; session?: undefined } | null;

/** A revocation reaches this node over the wire; this is how long it may take if the wire is down. */
const TTL_MS = 5_000;

/**
 * Sessions and keys by their hash, also those that do not exist, so that a wrong one costs one read in five seconds. A hit
 * is answered without a promise: nearly every request is one.
 */
export class Credentials {
  readonly #db: Database;
  readonly #known = new LRUCache<string, { credential: Credential }>({ max: 10_000, ttl: TTL_MS });

  #forgotten = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The session of a cookie or of a terminal's token. */
  session(token: string): Credential | Promise<Credential> {
    if (token.length !== 43) return null;
    const hash = digestOf(token);
    const known = this.#known.get(hash);
    if (known) return known.credential;
    return this.#keep(
      hash,
      findSessionByHash(this.#db, hash).then((session) => (session ? { session } : null)),
    );
  }

  key(text: string): Credential | Promise<Credential> {
    if (!isApiKey(text)) return null;
    const hash = digestOf(text);
    const known = this.#known.get(hash);
    if (known) return known.credential;
    return this.#keep(
      hash,
      findKeyByHash(this.#db, hash).then((key) => (key ? { key } : null)),
    );
  }

  /** Something was revoked, on this node or another. */
  forget(): void {
    this.#forgotten += 1;
    this.#known.clear();
  }

  async #keep(hash: string, found: Promise<Credential>): Promise<Credential> {
    const before = this.#forgotten;
    const credential = await found;
    // What was read before a revocation may not be kept after it.
    if (before === this.#forgotten) this.#known.set(hash, { credential });
    return credential;
  }
}
