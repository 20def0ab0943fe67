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
  TEAM_STATE,
} from "../tables.ts";
import { RECORDED, type RowChange, recordedValues } from "./recorded.ts";

// The statements that change people, keys, spaces and sessions. Each states how many rows it must write: a different number
// means that someone else was faster, and the whole change is rolled back. Each also says what it does to the rows that the
// record of the team covers.

/** `change` is null if the statement changes nothing that the record covers. */
export class TeamStatement extends Statement {
  readonly change: RowChange | null;

  constructor(sql: string, params: Statement["params"], change: RowChange | null, rows?: number) {
    super(sql, params, rows);
    this.change = change;
  }
}

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
export function insertKeyPerson(row: RowOf<typeof KEY_PERSON>): TeamStatement {
  return new TeamStatement(
    `insert into ${KEY_PERSON.name} (key_id, person_id, part) values (@key_id, @person_id, @part)
     on conflict (key_id, person_id, part) do nothing`,
    row,
    { table: "key_person", put: recordedValues("key_person", row) },
  );
}

/** Nobody is responsible for the key any more, until someone else is named. */
export const removeResponsible = (key_id: string) => remove(KEY_PERSON, { key_id, part: "responsible" });

/** Uses a token up. Of two that use it at once, one fails. */
export function spendToken({ id }: Pick<OneTimeTokenRow, "id">, now: number): TeamStatement {
  return new TeamStatement(
    "update one_time_token set used_at = @now where id = @id and used_at is null and expires_at > @now",
    { id, now },
    { table: "one_time_token", where: { id }, set: { used_at: now } },
    1,
  );
}

/** Records what a person decided about a token, unless someone else already has. The token ends with that person. */
export function decideToken(
  { id, data: before }: OneTimeTokenRow,
  set: Pick<OneTimeTokenRow, "data" | "person_id">,
): TeamStatement {
  return new TeamStatement(
    "update one_time_token set data = @data, person_id = @person_id where id = @id and used_at is null and data = @before",
    { id, ...set, before },
    { table: "one_time_token", where: { id }, set: recordedValues("one_time_token", set) },
    1,
  );
}

/** Links, codes and challenges that a person made, or that let them in, stop working. */
export const endTokensOf = (person_id: string, now: number): TeamStatement[] => [
  setWhere(ONE_TIME_TOKEN, { used_at: now }, { person_id, used_at: null }),
  setWhere(ONE_TIME_TOKEN, { used_at: now }, { created_by: person_id, used_at: null }),
];

/** Earlier links that set a person's password stop working. */
export const endResetLinksOf = (person_id: string, now: number) =>
  setWhere(ONE_TIME_TOKEN, { used_at: now }, { kind: "reset", person_id, used_at: null });

/** Revokes the keys that a person owns. */
export const endKeysOf = (owner_id: string, now: number) =>
  setWhere(API_KEY, { revoked_at: now }, { owner_id, revoked_at: null });

/** A person is no longer responsible for any key. They have still held those whose secret they received. */
export const withdrawFromKeys = (person_id: string) => remove(KEY_PERSON, { person_id, part: "responsible" });

/** Removes every way in which a person could prove who they are, and the addresses where they are notified. */
export const endProofsOf = (person_id: string): TeamStatement[] => [
  remove(PASSKEY, { person_id }),
  remove(AUTH_IDENTITY, { person_id }),
  remove(CHANNEL, { person_id }),
  new TeamStatement("delete from draft where person_id = @person_id", { person_id }, null),
];

/** Holds only while a person is active and has this role. */
export function requireUnchanged({ id, role }: Pick<PersonRow, "id" | "role">): TeamStatement {
  return new TeamStatement(
    `update team_state set version = version where exists (
       select 1 from person where id = @id and status = 'active' and role = @role)`,
    { id, role },
    null,
    1,
  );
}

export const updateTeamState = (set: Partial<RowOf<typeof TEAM_STATE>>) => update(TEAM_STATE, set, { id: "state" });

/** Links for the first account stop working. */
export function spendSetupTokens(now: number): Statement {
  return new Statement("update one_time_token set used_at = @now where kind = 'setup' and used_at is null", { now });
}

/** Holds only while nobody has an account. */
export function requireNobody(): TeamStatement {
  const sql = "update team_state set version = version where not exists (select 1 from person where status = 'active')";
  return new TeamStatement(sql, {}, null, 1);
}

/** Holds only if there is another admin: two who demote each other at once must not both succeed. */
export function requireAnotherAdmin(id: string): TeamStatement {
  return new TeamStatement(
    `update team_state set version = version where exists (
       select 1 from person where role = 'admin' and status = 'active' and id <> @id)`,
    { id },
    null,
    1,
  );
}

/** Fails if the session has ended. */
export const updateSession = (id: string, set: Partial<RowOf<typeof AUTH_SESSION>>) =>
  update(AUTH_SESSION, set, { id });

export const endSession = (id: string) => remove(AUTH_SESSION, { id });

/** Fails if there is no such session, so that nothing is recorded. */
export const endSessionOf = (hash: string) => remove(AUTH_SESSION, { hash }, { rows: 1 });

/** Ends what a person is signed in with, except perhaps one session. */
export const endSessionsOf = (person_id: string, exceptHash = "") =>
  remove(AUTH_SESSION, { person_id }, { except: { hash: exceptHash } });

export const removeMembers = (space_id: string) => remove(SPACE_MEMBER, { space_id });

export const updateChannel = (id: string, set: Partial<ChannelRow>) => update(CHANNEL, set, { id });

/** Must remove one row: a channel that no longer exists cannot be removed. */
export const removeChannel = (id: string) => remove(CHANNEL, { id }, { rows: 1 });

/** The same device or address replaces its older channel, no matter who had it. */
export const replaceChannel = (kind: ChannelRow["kind"], fingerprint: string) => remove(CHANNEL, { kind, fingerprint });

/** Moves a channel to another person; changes nothing if it is gone. */
export const giveChannel = (id: string, person_id: string, fingerprint: string) =>
  setWhere(CHANNEL, { person_id, fingerprint }, { id });

/** Moves everything that was sent to one person to another. */
export function giveNotifications(from: string, to: string): TeamStatement {
  return new TeamStatement("update notification set person_id = @to where person_id = @from", { from, to }, null);
}

export function setWish(space_id: string, person_id: string, notify: string): TeamStatement {
  return new TeamStatement(
    `insert into space_wish (space_id, person_id, notify) values (@space_id, @person_id, @notify)
     on conflict (space_id, person_id) do update set notify = @notify`,
    { space_id, person_id, notify },
    null,
  );
}

export const removePasskey = (id: string, person_id: string) => remove(PASSKEY, { id, person_id }, { rows: 1 });

/** Disables everyone and ends all that they hold, so that nobody has an active account. */
export function disableEverybody(now: number): TeamStatement[] {
  return [
    setWhere(PERSON, { status: "disabled", updated_at: now }, { status: "active" }),
    remove(AUTH_SESSION, {}),
    setWhere(API_KEY, { revoked_at: now }, { revoked_at: null }),
    remove(KEY_PERSON, { part: "responsible" }),
    setWhere(ONE_TIME_TOKEN, { used_at: now }, { used_at: null }),
  ];
}

export type SeenSession = { id: string; person_id: string; at: number; expires_at: number; address: string | null };

/** Without an address, the last one stays. */
export function seenSession({ id, person_id, at, expires_at, address }: SeenSession): Statement[] {
  return [
    new Statement(
      `update auth_session set seen_at = @at, expires_at = @expires_at, seen_from = coalesce(@address, seen_from)
       where id = @id`,
      { id, at, expires_at, address },
    ),
    new Statement("update person set active_at = @at where id = @person_id", { person_id, at }),
  ];
}

export function seenKey(id: string, at: number): Statement {
  return new Statement("update api_key set used_at = @at where id = @id", { id, at });
}

/** Only ever grows, whichever node was first. */
export function noteUpgrades(told: number): Statement {
  return new Statement(
    "update team_state set upgrades_told = @told where id = 'state' and coalesce(upgrades_told, 0) < @told",
    { told },
  );
}

/** What can no longer be used, a while ago. */
export function removeOld(before: number, now: number): Statement[] {
  return [
    new Statement("delete from one_time_token where expires_at < @before", { before }),
    // Strangers begin these, as often as they like.
    new Statement("delete from one_time_token where kind in ('oidc', 'passkey', 'logout') and expires_at < @now", {
      now,
    }),
    new Statement("delete from auth_session where expires_at < @before", { before }),
    new Statement("delete from draft where updated_at < @before", { before }),
    // Ids begin with the time.
    new Statement("delete from notification where id < @first and state not in ('due', 'sending')", {
      first: newId("notification", before),
    }),
    new Statement("delete from seen_item where seen_at < @before", { before }),
    new Statement("delete from snooze where until < @before", { before }),
  ];
}

function insert<Row extends object>({ name, columns, types }: Table<Row>): (row: Row) => TeamStatement {
  const marks = columns.map((column) => `@${column}`).join(", ");
  const sql = `insert into ${name} (${columns.join(", ")}) values (${marks})`;
  return (row) => new TeamStatement(sql, bound(types, row), { table: name, put: recordedValues(name, row) }, 1);
}

function update<Row extends { id: string }>(table: Table<Row>, set: Partial<Row>, { id }: { id: string }) {
  return setWhere(table, set, { id } as Partial<Row>, 1);
}

/** Changes all rows with these values. */
function setWhere<Row extends object>(table: Table<Row>, set: Partial<Row>, where: Partial<Row>, rows?: number) {
  const { name, types } = table;
  const assignments = Object.keys(set).map((column) => `${column} = @${column}`);
  const sql = `update ${name} set ${assignments.join(", ")} where ${matching(where, "=", "row_")}`;
  const values = recordedValues(name, set);
  const change =
    Object.keys(values).length > 0 ? { table: name, where: recordedWhere(name, where), set: values } : null;
  return new TeamStatement(sql, { ...bound(types, set), ...prefixed("row_", bound(types, where)) }, change, rows);
}

type Removal<Row> = { except?: Partial<Row>; rows?: number };

/** Removes all rows with these values, except those with others. */
function remove<Row extends object>(
  { name, types }: Table<Row>,
  where: Partial<Row>,
  { except, rows }: Removal<Row> = {},
): TeamStatement {
  const conditions = [matching(where, "=", "row_"), ...(except ? [matching(except, "<>", "not_")] : [])];
  const params = { ...prefixed("row_", bound(types, where)), ...prefixed("not_", bound(types, except ?? {})) };
  const change: RowChange = {
    table: name,
    where: recordedWhere(name, where),
    ...(except && { except: recordedWhere(name, except) }),
    remove: true,
  };
  return new TeamStatement(`delete from ${name} where ${conditions.join(" and ")}`, params, change, rows);
}

/** A condition that the record cannot repeat would make it wrong. */
function recordedWhere(name: string, where: object) {
  const unknown = Object.keys(where).find((column) => RECORDED[name]?.columns[column] === undefined);
  if (unknown !== undefined) throw new Error(`${name}.${unknown} is not recorded, so no rows can be chosen by it`);
  return recordedValues(name, where);
}

function matching(values: object, operator: "=" | "<>", prefix: string): string {
  const conditions = Object.entries(values).map(([column, value]) =>
    value === null
      ? `${column} is ${operator === "=" ? "null" : "not null"}`
      : `${column} ${operator} @${prefix}${column}`,
  );
  return conditions.length > 0 ? conditions.join(" and ") : "1 = 1";
}

function prefixed(prefix: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
}

/** SQLite has no booleans; PostgreSQL takes these for one. */
function bound<Row extends object>(types: Table<Row>["types"], row: Partial<Row>): Record<string, unknown> {
  const values = Object.entries(row).map(([column, value]) => {
    const isBoolean = types[column as keyof Row] === "boolean";
    return [column, isBoolean && value !== null ? (value ? "1" : "0") : value];
  });
  return Object.fromEntries(values);
}
