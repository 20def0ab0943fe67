import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { toJson } from "../../db/json.ts";
import type { PersonRow } from "../../db/tables.ts";
import { changeTeam } from "../../db/team/change.ts";
import {
  endSession,
  endSessionsOf,
  insertChannel,
  insertIdentity,
  insertKey,
  insertMember,
  insertPasskey,
  insertPerson,
  insertSession,
  insertSpace,
  insertToken,
  removeMembers,
  type TeamStatement,
  updateKey,
  updatePerson,
} from "../../db/team/statements.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute } from "../../db/test-sql.ts";
import { decidedBy } from "../../domain/rights.ts";
import { SYSTEM } from "../../protocol/actor.ts";
import { AUDIT_KEY, byAgent, testHub } from "../test-hub.ts";
import { beginNewChain } from "./open-chain.ts";
import { intrude, problemsIn } from "./test-record.ts";

const NOW = Date.UTC(2026, 0, 1);

describe.each(DATABASES)("the rows of a team on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
    // The rows of a release that recorded none, and what happened before its record began.
    await db.runAll([insertPerson(person("per_old")), insertMember(member("spc_everyone", "per_old"))]);
    const hub = testHub(db);
    await hub.begin(byAgent());
    await act(hub, insertPerson(person("per_ada", "admin")), insertPerson(person("per_bob")));
    await act(hub, insertSpace(space("spc_a")), insertMember(member("spc_a", "per_ada")));
    await act(hub, removeMembers("spc_a"), insertMember(member("spc_a", "per_bob")));
    await act(hub, insertKey(key("key_a")), insertKey(key("key_b")));
    await act(hub, updateKey("key_b", { revoked_at: NOW + 1, used_at: NOW }));
    await act(hub, insertSession(session("ses_1", "per_bob")), insertSession(session("ses_2", "per_ada")));
    await act(hub, endSessionsOf("per_bob", "another"), insertSession(session("ses_3", "per_bob")));
    await act(hub, updatePerson("per_bob", { name: "Bobby", updated_at: NOW + 2 }));
    await act(hub, insertToken(token("ott_1")), insertPasskey(passkey("pk_1")), insertChannel(channel("chn_1")));
    await act(hub, insertIdentity({ issuer: "https://id", subject: "7", person_id: "per_ada", created_at: NOW }));
    // Signing out, and what expires, leaves no event.
    await changeTeam(db, [endSession("ses_3")], null);
    await hub.stop();
  });
  afterAll(() => database.drop());

  const act = async ({ teamRecord }: ReturnType<typeof testHub>, ...statements: TeamStatement[]) => {
    await teamRecord.begin(NOW);
    const event = { action: "person.changed" as const, actor: decidedBy(SYSTEM), at: NOW, after: { told: "no rows" } };
    expect(await changeTeam(db, statements, event)).toBe(true);
    teamRecord.changed();
  };
  const problems = () => db.snapshot((snapshot) => problemsIn(snapshot));

  test("are what the events of the team made them", async () => {
    expect(await problems()).toEqual([]);
    const hub = testHub(db);
    const { chain, events } = await hub.audit({ actor: SYSTEM, now: NOW }, { conversation_id: "parley", whole: true });
    expect(chain).toMatchObject({ intact: true, whole: true });
    // People read what happened; the rows are for verification alone.
    expect(events.at(-1)?.after).toEqual({ told: "no rows" });
    await hub.stop();
  });

  const attacks: Record<string, [sql: string, found: string]> = {
    "a channel that someone else confirmed": [
      "update channel set unconfirmed_since = 1 where id = 'chn_1'",
      "channel chn_1 was changed: unconfirmed_since",
    ],
    "a member who became an admin": [
      "update person set role = 'admin' where id = 'per_bob'",
      "person per_bob was changed: role",
    ],
    "a person of an older release who became an admin": [
      "update person set role = 'admin' where id = 'per_old'",
      "person per_old was changed: role",
    ],
    "another name": ["update person set name = 'Ada' where id = 'per_bob'", "person per_bob was changed: name"],
    "another password": [
      "update person set password_hash = 'x' where id = 'per_bob'",
      "person per_bob was changed: password_hash",
    ],
    "a disabled person who came back": [
      "update person set status = 'disabled' where id = 'per_bob'",
      "person per_bob was changed: status",
    ],
    "a delegate": [
      "update person set delegate_id = 'per_ada' where id = 'per_bob'",
      "person per_bob was changed: delegate_id",
    ],
    "a removed person": ["delete from person where id = 'per_bob'", "person per_bob was removed"],
    "a key of another owner": [
      "update api_key set owner_id = 'per_bob' where id = 'key_a'",
      "api_key key_a was changed: owner_id",
    ],
    "a key that reports": [
      "update api_key set can_report = true where id = 'key_a'",
      "api_key key_a was changed: can_report",
    ],
    "a key of another space": [
      "update api_key set space_id = 'spc_a' where id = 'key_a'",
      "api_key key_a was changed: space_id",
    ],
    "a revoked key that works again": [
      "update api_key set revoked_at = null where id = 'key_b'",
      "api_key key_b was changed: revoked_at",
    ],
    "a key that expires later": [
      "update api_key set expires_at = null where id = 'key_a'",
      "api_key key_a was changed: expires_at",
    ],
    "another secret of a key": ["update api_key set hash = 'x' where id = 'key_a'", "api_key key_a was changed: hash"],
    "a space without a second person": [
      "update space set requires_second_person = false where id = 'spc_a'",
      "space spc_a was changed: requires_second_person",
    ],
    "a space that was opened": ["update space set open = true where id = 'spc_a'", "space spc_a was changed: open"],
    "other steps": ["update space set steps = '[]' where id = 'spc_a'", "space spc_a was changed: steps"],
    "an added member": [
      "insert into space_member (space_id, person_id, created_at) values ('spc_a', 'per_ada', 1)",
      "space_member spc_a per_ada is not in the record of the team",
    ],
    "a removed member": ["delete from space_member where space_id = 'spc_a'", "space_member spc_a per_bob was removed"],
    "an identity of another person": [
      "update auth_identity set person_id = 'per_bob'",
      "auth_identity https://id 7 was changed: person_id",
    ],
    "a session of another person": [
      "update auth_session set person_id = 'per_bob' where id = 'ses_2'",
      "auth_session ses_2 was changed: person_id",
    ],
    "a planted session": [
      `insert into auth_session (id, hash, person_id, kind, method, user_agent, address, created_at, seen_at, expires_at)
        values ('ses_9', 'h', 'per_ada', 'browser', 'password', '', '', 1, 1, 9)`,
      "auth_session ses_9 is not in the record of the team",
    ],
    "an invitation with another role": [
      'update one_time_token set data = \'{"role":"admin"}\'',
      "one_time_token ott_1 was changed: data",
    ],
    "a used invitation that works again": [
      "update one_time_token set used_at = 7",
      "one_time_token ott_1 was changed: used_at",
    ],
    "another device in a passkey": ["update passkey set public_key = 'x'", "passkey pk_1 was changed: public_key"],
    "a Slack account given to another person": [
      "update channel set person_id = 'per_ada'",
      "channel chn_1 was changed: person_id",
    ],
  };

  test.each(Object.entries(attacks))("reveal %s", async (_name, [sql, found]) => {
    await intrude(database.url, async (intruder) => {
      await intruder.run(sql);
      expect(await problemsIn(intruder)).toEqual([`parley: ${found}`]);
      expect(await problemsIn(intruder, { conversations: ["parley"] })).toEqual([`parley: ${found}`]);
    });
  });

  test("may lose what only takes something away: sessions and links", async () => {
    await intrude(database.url, async (intruder) => {
      await intruder.run("delete from auth_session");
      await intruder.run("delete from one_time_token");
      expect(await problemsIn(intruder)).toEqual([]);
    });
  });

  test("cannot change without an event", async () => {
    await expect(changeTeam(db, [updatePerson("per_bob", { role: "admin" })], null)).rejects.toThrow(
      "a change of person needs an event that records it",
    );
    expect(await problems()).toEqual([]);
  });

  test("are recorded again in a new chain, and an event of an older release is noticed", async () => {
    await execute(db, "update person set role = 'viewer' where id = 'per_bob'");
    expect(await problems()).toEqual(["parley: person per_bob was changed: role"]);
    await beginNewChain(db, AUDIT_KEY, NOW + 5);
    const hub = testHub(db);
    await hub.begin(byAgent());
    await hub.stop();
    expect(await problems()).toEqual([]);
    await intrude(database.url, async (intruder) => {
      await intruder.run(
        `insert into audit_event (conversation_id, number, action, actor, at, after, command_id, first_sequence, messages)
          select id, last_audit + 1, 'person.changed', '{}', 1, '{}', 'cmd_x', 1, 0 from conversation where id = 'parley'`,
      );
      await intruder.run("update conversation set last_audit = last_audit + 1 where id = 'parley'");
      expect((await problemsIn(intruder)).join("\n")).toMatch(/event \d+ does not say which rows it changed/);
    });
  });

  test("exist only with a record", async () => {
    const empty = await testDatabase(kind);
    const other = await empty.open();
    const found = () => other.snapshot((snapshot) => problemsIn(snapshot));
    const hub = testHub(other);
    await hub.begin(byAgent());
    expect(await found()).toEqual([]);
    await other.runAll([insertPerson(person("per_eve", "admin"))]);
    expect(await found()).toEqual(["person per_eve is there, and there is no record of the team"]);
    await hub.stop();
    await empty.drop();
  });
});

function person(id: string, role: PersonRow["role"] = "member"): PersonRow {
  const none = { locale: null, time_zone: null, quiet_hours: null, out_of_office_until: null, delegate_id: null };
  const at = { active_at: NOW, created_at: NOW, updated_at: NOW };
  return {
    id,
    login: id,
    name: id,
    role,
    status: "active",
    password_hash: `hash of ${id}`,
    login_proven: true,
    ...none,
    ...at,
  };
}

const member = (space_id: string, person_id: string) => ({ space_id, person_id, created_at: NOW });

function space(id: string) {
  const policy = { open: false, requires_second_person: true, steps: null, detail: "full" as const };
  return { id, name: id, ...policy, created_at: NOW, archived_at: null };
}

function key(id: string) {
  const about = { kind: "agent" as const, name: id, hint: "", space_id: "spc_everyone", agent: "x", can_report: false };
  const times = { created_at: NOW, expires_at: NOW + 9, used_at: null, revoked_at: null };
  return { id, hash: `hash of ${id}`, owner_id: "per_ada", ...about, ...times };
}

function session(id: string, person_id: string) {
  const about = { kind: "browser" as const, method: "password" as const, user_agent: "", address: "", seen_from: null };
  const times = { created_at: NOW, seen_at: NOW, expires_at: NOW + 9, confirmed_at: NOW, proof: null, sid: null };
  return { id, hash: `hash of ${id}`, person_id, ...about, ...times };
}

function token(id: string) {
  const data = toJson<Record<string, unknown>>({ role: "member" });
  const times = { created_at: NOW, expires_at: NOW + 9, used_at: null };
  return {
    id,
    hash: `hash of ${id}`,
    kind: "invite" as const,
    code: null,
    data,
    person_id: null,
    created_by: "per_ada",
    ...times,
  };
}

function passkey(id: string) {
  const about = { public_key: "k", counter: 0, transports: null, name: "laptop" };
  return { id, person_id: "per_ada", ...about, created_at: NOW, used_at: null };
}

function channel(id: string) {
  const health = {
    unconfirmed_since: null,
    verified_at: null,
    failures: 0,
    failing_since: null,
    last_error: null,
    disabled_at: null,
  };
  const target = { kind: "slack" as const, target: "encrypted", fingerprint: "f", label: "" };
  return { id, person_id: "per_bob", space_id: null, ...target, created_at: NOW, ...health };
}
