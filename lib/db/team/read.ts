import { StrongSignIn, TEAM_RECORD } from "../../protocol/space.ts";
import type { Database } from "../database.ts";
import { rowOf } from "../prisma.ts";
import {
  API_KEY,
  type ApiKeyRow,
  AUTH_SESSION,
  type AuthSessionRow,
  CHANNEL,
  KEY_PERSON,
  ONE_TIME_TOKEN,
  type OneTimeTokenRow,
  PASSKEY,
  type PasskeyRow,
  PERSON,
  SPACE,
  SPACE_WISH,
  type SpaceRow,
  type TokenKind,
} from "../tables.ts";

// People, keys, spaces and sessions, as their rows have them. Prisma returns instants as BigInt.

export type SpaceWithMembers = SpaceRow & { members: string[] };

/** Everything that decides who may do what: small enough to be read as a whole. */
export async function readTeam(db: Database) {
  const [people, spaces, members, keys, keyPeople, wishes, channels, state] = await db.prisma((tables) => {
    const { person, space, spaceMember, apiKey, keyPerson, spaceWish, channel, teamState } = tables;
    return Promise.all([
      person.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] }),
      space.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] }),
      spaceMember.findMany(),
      apiKey.findMany({ where: { kind: "agent" }, select: { id: true, owner_id: true } }),
      keyPerson.findMany(),
      spaceWish.findMany(),
      channel.findMany({ orderBy: { id: "asc" } }),
      teamState.findFirst(),
    ]);
  });
  const membersOf = new Map<string, string[]>();
  for (const { space_id, person_id } of members)
    membersOf.set(space_id, [...(membersOf.get(space_id) ?? []), person_id]);
  return {
    people: people.map((row) => rowOf(PERSON, row)),
    spaces: spaces.map((row) => ({ ...rowOf(SPACE, row), members: membersOf.get(row.id) ?? [] })),
    keys,
    keyPeople: keyPeople.map((row) => rowOf(KEY_PERSON, row)),
    wishes: wishes.map((row) => rowOf(SPACE_WISH, row)),
    channels: channels.map((row) => rowOf(CHANNEL, row)),
    settings: {
      built_in_agents: state?.built_in_agents ?? false,
      strong_sign_in: StrongSignIn.catch("off").parse(state?.strong_sign_in),
    },
  };
}

/** What the notices about upgrades depend on. */
export async function readUpgrade(db: Database) {
  const [state, conversations, people, claude, keys, invitations] = await db.prisma((tables) => {
    const { teamState, conversation, person, apiKey, oneTimeToken } = tables;
    return Promise.all([
      teamState.findFirst(),
      conversation.findFirst({ where: { id: { not: TEAM_RECORD } }, select: { id: true } }),
      person.count(),
      conversation.findFirst({ where: { agent: "claude" }, select: { id: true } }),
      apiKey.findMany({ orderBy: { id: "asc" } }),
      oneTimeToken.findMany({ where: { kind: "invite" } }),
    ]);
  });
  return {
    told: state?.upgrades_told ?? 0,
    isNew: conversations === null && people === 0,
    usedClaude: claude !== null,
    keys: keys.map((row) => rowOf(API_KEY, row)),
    invitations: invitations.map((row) => rowOf(ONE_TIME_TOKEN, row)),
  };
}
export type Upgrade = Awaited<ReturnType<typeof readUpgrade>>;

export async function findIdentity(db: Database, issuer: string, subject: string): Promise<string | undefined> {
  const where = { issuer_subject: { issuer, subject } };
  return (await db.prisma(({ authIdentity }) => authIdentity.findUnique({ where })))?.person_id;
}

/** Whether a person is linked to this identity provider, or to any. */
export async function hasIdentity(db: Database, person_id: string, issuer?: string): Promise<boolean> {
  const where = { person_id, ...(issuer !== undefined && { issuer }) };
  return (await db.prisma(({ authIdentity }) => authIdentity.count({ where }))) > 0;
}

export async function listSessions(db: Database, person_id: string): Promise<AuthSessionRow[]> {
  const rows = await db.prisma(({ authSession }) =>
    authSession.findMany({ where: { person_id }, orderBy: { seen_at: "desc" } }),
  );
  return rows.map((row) => rowOf(AUTH_SESSION, row));
}

/** The sessions that came from one at the identity provider, or all of a person's that came from there. */
export async function listProviderSessions(
  db: Database,
  { person_id, sid }: { person_id: string | undefined; sid: string | undefined },
): Promise<AuthSessionRow[]> {
  const any = { person_id: person_id ?? "", proof: "oidc" };
  // The provider may not have named its session when this one began.
  const where =
    sid === undefined
      ? any
      : {
          OR: [
            { sid, ...(person_id && { person_id }) },
            { ...any, sid: null },
          ],
        };
  const rows = await db.prisma(({ authSession }) => authSession.findMany({ where }));
  return rows.map((row) => rowOf(AUTH_SESSION, row));
}

/** Newest first: a person's own and these, or all. */
export async function listKeys(
  db: Database,
  of: { owner_id: string; ids: string[] } | undefined,
): Promise<ApiKeyRow[]> {
  const where = of ? { OR: [{ owner_id: of.owner_id }, { id: { in: of.ids } }] } : {};
  const rows = await db.prisma(({ apiKey }) => apiKey.findMany({ where, orderBy: { created_at: "desc" } }));
  return rows.map((row) => rowOf(API_KEY, row));
}

export async function findKey(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  const row = await db.prisma(({ apiKey }) => apiKey.findUnique({ where: { id } }));
  return row ? rowOf(API_KEY, row) : undefined;
}

export async function listPasskeys(db: Database, person_id: string): Promise<PasskeyRow[]> {
  const rows = await db.prisma(({ passkey }) =>
    passkey.findMany({ where: { person_id }, orderBy: { created_at: "desc" } }),
  );
  return rows.map((row) => rowOf(PASSKEY, row));
}

export async function findPasskey(db: Database, id: string): Promise<PasskeyRow | undefined> {
  const row = await db.prisma(({ passkey }) => passkey.findUnique({ where: { id } }));
  return row ? rowOf(PASSKEY, row) : undefined;
}

export async function findToken(db: Database, hash: string): Promise<OneTimeTokenRow | undefined> {
  const row = await db.prisma(({ oneTimeToken }) => oneTimeToken.findUnique({ where: { hash } }));
  return row ? rowOf(ONE_TIME_TOKEN, row) : undefined;
}

export async function findTokenByCode(db: Database, code: string): Promise<OneTimeTokenRow | undefined> {
  const row = await db.prisma(({ oneTimeToken }) => oneTimeToken.findFirst({ where: { code } }));
  return row ? rowOf(ONE_TIME_TOKEN, row) : undefined;
}

/** Those that still work, newest first. */
export async function listTokens(db: Database, kind: TokenKind, now: number): Promise<OneTimeTokenRow[]> {
  const where = { kind, used_at: null, expires_at: { gt: now } };
  const rows = await db.prisma(({ oneTimeToken }) =>
    oneTimeToken.findMany({ where, orderBy: { created_at: "desc" }, take: 200 }),
  );
  return rows.map((row) => rowOf(ONE_TIME_TOKEN, row));
}
