import { newId } from "../../protocol/ids.ts";
import { Statement } from "../statement.ts";
import {
  API_KEY,
  AUTH_IDENTITY,
  AUTH_SESSION,
  CHANNEL,
  type ChannelRow,
  KEY_PERSON,
  ONE_TIME_TOKEN,
  type OneTimeTokenRow,
  PASSKEY,
  PERSON,
  type PersonRow,
  type RowOf,
  SPACE,
  SPACE_MEMBER,
  type SpaceRow,
  type Table,
} from "../tables.ts";

// The statements that change people, keys, spaces and sessions. Each states how many rows it must write: a different number
// means that someone else was faster, and the whole change is rolled back.

export type TeamStatement = Statement;

export const insertPerson = insert(PERSON);
export const insertIdentity = insert(AUTH_IDENTITY);
export const insertPasskey = insert(PASSKEY);
export const insertSession = insert(AUTH_SESSION);
export const insertKey = insert(API_KEY);
export const insertToken = insert(ONE_TIME_TOKEN);
export const insertSpace = insert(SPACE);
export const insertMember = insert(SPACE_MEMBER);
export const insertChannel = insert(CHANNEL);

export const updatePerson = (id: string, set: Partial<PersonRow>) => update(PERSON, set, { id });
export const updateSpace = (id: string, set: Partial<SpaceRow>) => update(SPACE, set, { id });
export const updateKey = (id: string, set: Partial<RowOf<typeof API_KEY>>) => update(API_KEY, set, { id });
export const updatePasskey = (id: string, set: Partial<RowOf<typeof PASSKEY>>) => update(PASSKEY, set, { id });

/** Someone has received the key's secret, or may no longer be told from those who have. */
export function insertKeyPerson(row: RowOf<typeof KEY_PERSON>): Statement {
  return new Statement(
    `insert into ${KEY_PERSON.name} (key_id, person_id, part) values (@key_id, @person_id, @part)
     on conflict (key_id, person_id, part) do nothing`,
    row,
  );
}

/** Nobody is responsible for the key any more, until someone else is named. */
export function removeResponsible(key_id: string): Statement {
  return new Statement("delete from key_person where key_id = @key_id and part = 'responsible'", { key_id });
}

/** Uses a token up. Of two that use it at once, one fails. */
export function spendToken({ id }: Pick<OneTimeTokenRow, "id">, now: number): Statement {
  return new Statement(
    "update one_time_token set used_at = @now where id = @id and used_at is null and expires_at > @now",
    { id, now },
    1,
  );
}

/** Records what a person decided about a token, unless someone else already has. The token ends with that person. */
export function decideToken(
  { id, data: before }: OneTimeTokenRow,
  { data, person_id }: Pick<OneTimeTokenRow, "data" | "person_id">,
): Statement {
  return new Statement(
    "update one_time_token set data = @data, person_id = @person_id where id = @id and used_at is null and data = @before",
    { id, data, person_id, before },
    1,
  );
}

/** Links, codes and challenges that a person made, or that let them in, stop working. */
export function endTokensOf(person_id: string, now: number): Statement {
  return new Statement(
    `update one_time_token set used_at = @now
     where used_at is null and (person_id = @person_id or created_by = @person_id)`,
    { person_id, now },
  );
}

/** Earlier links that set a person's password stop working. */
export function endResetLinksOf(person_id: string, now: number): Statement {
  return new Statement(
    "update one_time_token set used_at = @now where used_at is null and kind = 'reset' and person_id = @person_id",
    { person_id, now },
  );
}

/** Revokes the keys that a person owns. */
export function endKeysOf(owner_id: string, now: number): Statement {
  return new Statement("update api_key set revoked_at = @now where revoked_at is null and owner_id = @owner_id", {
    owner_id,
    now,
  });
}

/** A person is no longer responsible for any key. They have still held those whose secret they received. */
export function withdrawFromKeys(person_id: string): Statement {
  return new Statement("delete from key_person where person_id = @person_id and part = 'responsible'", { person_id });
}

/** Removes every way in which a person could prove who they are, and the addresses where they are notified. */
export function endProofsOf(person_id: string): Statement[] {
  const of = (table: string) => new Statement(`delete from ${table} where person_id = @person_id`, { person_id });
  return [of("passkey"), of("auth_identity"), of("channel"), of("draft")];
}

/** Holds only while a person is active and has this role. */
export function requireUnchanged({ id, role }: Pick<PersonRow, "id" | "role">): Statement {
  return new Statement(
    `update team_state set version = version where exists (
       select 1 from person where id = @id and status = 'active' and role = @role)`,
    { id, role },
    1,
  );
}

/** Links for the first account stop working. */
export function spendSetupTokens(now: number): Statement {
  return new Statement("update one_time_token set used_at = @now where kind = 'setup' and used_at is null", { now });
}

/** Holds only while nobody has an account. */
export function requireNobody(): Statement {
  const sql = "update team_state set version = version where not exists (select 1 from person where status = 'active')";
  return new Statement(sql, {}, 1);
}

/** Holds only if there is another admin: two who demote each other at once must not both succeed. */
export function requireAnotherAdmin(id: string): Statement {
  return new Statement(
    `update team_state set version = version where exists (
       select 1 from person where role = 'admin' and status = 'active' and id <> @id)`,
    { id },
    1,
  );
}

export function endSession(id: string): Statement {
  return new Statement("delete from auth_session where id = @id", { id });
}

/** Fails if there is no such session, so that nothing is recorded. */
export function endSessionOf(hash: string): Statement {
  return new Statement("delete from auth_session where hash = @hash", { hash }, 1);
}

/** Ends what a person is signed in with, except perhaps one session. */
export function endSessionsOf(person_id: string, exceptHash = ""): Statement {
  const sql = "delete from auth_session where person_id = @person_id and hash <> @exceptHash";
  return new Statement(sql, { person_id, exceptHash });
}

export function removeMembers(space_id: string): Statement {
  return new Statement("delete from space_member where space_id = @space_id", { space_id });
}

export const updateChannel = (id: string, set: Partial<ChannelRow>) => update(CHANNEL, set, { id });

/** Must remove one row: a channel that no longer exists cannot be removed. */
export function removeChannel(id: string): Statement {
  return new Statement("delete from channel where id = @id", { id }, 1);
}

/** The same device or address replaces its older channel, no matter who had it. */
export function replaceChannel(kind: string, fingerprint: string): Statement {
  return new Statement("delete from channel where kind = @kind and fingerprint = @fingerprint", { kind, fingerprint });
}

/** Moves a channel to another person; changes nothing if it is gone. */
export function giveChannel(id: string, person_id: string, fingerprint: string): Statement {
  return new Statement("update channel set person_id = @person_id, fingerprint = @fingerprint where id = @id", {
    id,
    person_id,
    fingerprint,
  });
}

/** Moves everything that was sent to one person to another. */
export function giveNotifications(from: string, to: string): Statement {
  return new Statement("update notification set person_id = @to where person_id = @from", { from, to });
}

export function setWish(space_id: string, person_id: string, notify: string): Statement {
  return new Statement(
    `insert into space_wish (space_id, person_id, notify) values (@space_id, @person_id, @notify)
     on conflict (space_id, person_id) do update set notify = @notify`,
    { space_id, person_id, notify },
  );
}

export function removePasskey(id: string, person_id: string): Statement {
  return new Statement("delete from passkey where id = @id and person_id = @person_id", { id, person_id }, 1);
}

/** Disables everyone and ends all that they hold, so that nobody has an active account. */
export function disableEverybody(now: number): Statement[] {
  return [
    new Statement("update person set status = 'disabled', updated_at = @now where status = 'active'", { now }),
    new Statement("delete from auth_session where 1 = 1", {}),
    new Statement("update api_key set revoked_at = @now where revoked_at is null", { now }),
    new Statement("delete from key_person where part = 'responsible'", {}),
    new Statement("update one_time_token set used_at = @now where used_at is null", { now }),
  ];
}

export type SeenSession = { id: string; person_id: string; at: number; expires_at: number };

export function seenSession({ id, person_id, at, expires_at }: SeenSession): Statement[] {
  return [
    new Statement("update auth_session set seen_at = @at, expires_at = @expires_at where id = @id", {
      id,
      at,
      expires_at,
    }),
    new Statement("update person set active_at = @at where id = @person_id", { person_id, at }),
  ];
}

export function seenKey(id: string, at: number): Statement {
  return new Statement("update api_key set used_at = @at where id = @id", { id, at });
}

/** What can no longer be used, a while ago. */
export function removeOld(before: number, now: number): Statement[] {
  return [
    new Statement("delete from one_time_token where expires_at < @before", { before }),
    // Strangers begin these, as often as they like.
    new Statement("delete from one_time_token where kind in ('oidc', 'passkey') and expires_at < @now", { now }),
    new Statement("delete from auth_session where expires_at < @before", { before }),
    new Statement("delete from draft where updated_at < @before", { before }),
    // Ids begin with the time.
    new Statement("delete from notification where id < @first and state not in ('due', 'sending')", {
      first: newId("notification", before),
    }),
    new Statement("delete from seen_item where seen_at < @before", { before }),
  ];
}

function insert<Row extends object>({ name, columns, types }: Table<Row>): (row: Row) => Statement {
  const marks = columns.map((column) => `@${column}`).join(", ");
  const sql = `insert into ${name} (${columns.join(", ")}) values (${marks})`;
  return (row) => new Statement(sql, bound(types, row), 1);
}

function update<Row extends object>({ name, types }: Table<Row>, set: Partial<Row>, { id }: { id: string }): Statement {
  const assignments = Object.keys(set).map((column) => `${column} = @${column}`);
  const sql = `update ${name} set ${assignments.join(", ")} where id = @row_id`;
  return new Statement(sql, { ...bound(types, set), row_id: id }, 1);
}

/** SQLite has no booleans; PostgreSQL takes these for one. */
function bound<Row extends object>(types: Table<Row>["types"], row: Partial<Row>): Record<string, unknown> {
  const values = Object.entries(row).map(([column, value]) => {
    const isBoolean = types[column as keyof Row] === "boolean";
    return [column, isBoolean && value !== null ? (value ? "1" : "0") : value];
  });
  return Object.fromEntries(values);
}
