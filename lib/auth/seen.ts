import type { Database } from "../db/database.ts";
import type { FoundKey, FoundSession } from "../db/hot/identity.ts";
import { removeOld, seenKey, seenSession } from "../db/team/statements.ts";

const DAY_MS = 86_400_000;
/** A session lasts for 30 days after it was last used, and for 90 at most. */
export const SLIDES_MS = 30 * DAY_MS;
export const AT_MOST_MS = 90 * DAY_MS;
/** Of a terminal, which an agent on the same machine could read: it does not slide. */
export const TERMINAL_MS = 12 * 3_600_000;

const EVERY_MS = 30_000;
/** What can no longer be used is removed a month later, once an hour. */
const KEPT_MS = 30 * DAY_MS;
const TIDY_MS = 3_600_000;

/** When sessions, keys and people were last seen, and where sessions were. Written together every half minute; a crash loses that much. */
export class Seen {
  readonly #db: Database;
  readonly #onError: (error: unknown) => void;
  readonly #sessions = new Map<string, { session: FoundSession; at: number; address: string | null }>();
  readonly #keys = new Map<string, number>();
  readonly #people = new Map<string, number>();
  #latestAt = 0;
  readonly #timer: NodeJS.Timeout;
  #tidiedAt = performance.now();

  constructor(db: Database, onError: (error: unknown) => void, everyMs = EVERY_MS) {
    this.#db = db;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush().catch(this.#onError), everyMs);
    this.#timer.unref();
  }

  /** `address` is null if its caller is only looked up again. */
  session(session: FoundSession, at: number, address: string | null): void {
    this.#sessions.set(session.id, {
      session,
      at,
      address: address ?? this.#sessions.get(session.id)?.address ?? null,
    });
    this.person(session.person_id, at);
  }

  /** Records that someone has just used Parley. */
  person(id: string, at: number): void {
    this.#people.set(id, at);
    this.#latestAt = at;
  }

  /** Who has used this node since then. */
  since(at: number): string[] {
    if (this.#latestAt < at) return [];
    return [...this.#people].flatMap(([id, seen]) => (seen >= at ? [id] : []));
  }

  key({ id }: FoundKey, at: number): void {
    this.#keys.set(id, at);
  }

  async flush(): Promise<void> {
    const statements: ReturnType<typeof seenSession> = [];
    for (const [id, { session, at, address }] of this.#sessions) {
      const { person_id, kind, created_at } = session;
      const slid = Math.min(created_at + AT_MOST_MS, at + SLIDES_MS);
      // Extended once a day at most: most uses change nothing but `seen_at`.
      const expires_at = kind === "browser" && slid > session.expires_at + DAY_MS ? slid : session.expires_at;
      statements.push(...seenSession({ id, person_id, at, expires_at, address }));
    }
    for (const [id, at] of this.#keys) statements.push(seenKey(id, at));
    this.#sessions.clear();
    this.#keys.clear();
    if (performance.now() - this.#tidiedAt > TIDY_MS) {
      this.#tidiedAt = performance.now();
      statements.push(...removeOld(Date.now() - KEPT_MS, Date.now()));
    }
    if (statements.length > 0) await this.#db.runAll(statements);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }
}
