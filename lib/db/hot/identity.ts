import type { Database } from "../database.ts";
import { Query, select } from "../query.ts";
import { API_KEY, AUTH_SESSION } from "../tables.ts";

// Read for every request whose credential is not cached.

const SESSION = select(AUTH_SESSION, [
  "id",
  "person_id",
  "kind",
  "method",
  "created_at",
  "seen_at",
  "expires_at",
  "confirmed_at",
  "proof",
  "sid",
])<{ hash: string }>("where hash = @hash");
export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSessionByHash>>>;

export async function findSessionByHash(db: Database, hash: string) {
  return (await db.read(SESSION, { hash }))[0];
}

const KEY = select(API_KEY, [
  "id",
  "kind",
  "name",
  "space_id",
  "agent",
  "owner_id",
  "can_report",
  "expires_at",
  "revoked_at",
])<{ hash: string }>("where hash = @hash");
export type FoundKey = NonNullable<Awaited<ReturnType<typeof findKeyByHash>>>;

export async function findKeyByHash(db: Database, hash: string) {
  const [row] = await db.read(KEY, { hash });
  return row && { ...row, can_report: Boolean(row.can_report) };
}

const VERSION = new Query<object, { version: number }>("select version from team_state where id = 'state'");

/** Changes whenever people, keys, spaces or sessions do, on any node. */
export async function readTeamVersion(db: Database): Promise<number> {
  return (await db.read(VERSION, {}))[0]?.version ?? 0;
}
