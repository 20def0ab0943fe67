import { hash as digest } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { recordedConversation } from "../../db/record/conversations.ts";
import { countKeyedSeals } from "../../db/record/seals.ts";
import type { Reader } from "../../db/snapshot.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import { AUDIT_KEY, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";
import { checkEvents } from "./check.ts";
import { auditKeyFile, ensureAuditKey } from "./key.ts";
import { openChain } from "./open-chain.ts";
import { makeRecord, problemsIn } from "./test-record.ts";

describe.each(DATABASES)("sealing on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    database = await testDatabase(kind);
    db = await database.open();
  });
  afterEach(() => database.drop());

  const problems = () => db.snapshot((snapshot) => problemsIn(snapshot));

  /** A node that lives as long as the work takes, and seals before it goes. */
  async function whileServing<Result>(
    work: (hub: ReturnType<typeof testHub>) => Promise<Result>,
    errors: unknown[] = [],
    own = db,
  ) {
    const hub = testHub(own, { sealMs: 5, limits: { maxDepth: 100 }, onError: (error) => errors.push(error) });
    await hub.begin(byAgent());
    return work(hub).finally(() => hub.stop());
  }

  test("two nodes share one chain, with no gap or duplicate", async () => {
    const errors: unknown[] = [];
    await Promise.all(
      ["a", "b"].map(async (node) =>
        whileServing(
          async (hub) => {
            for (let n = 0; n < 20; n++) {
              const tool_use_id = `${node}${n}`;
              const { conversation_id } = await hub.ask(byAgent(), {
                session_key: "shared",
                tool_use_id,
                ...CHOICE,
              });
              await hub.answer(byPerson(), { conversation_id, question_id: tool_use_id, answer: "a" });
            }
          },
          errors,
          await database.open(),
        ),
      ),
    );
    expect(errors).toEqual([]);
    expect(await problems()).toEqual([]);
    expect(
      await readRows(db, "select last_audit, (select max(number) from audit_seal) as sealed from conversation", []),
    ).toEqual([{ last_audit: 80, sealed: 80 }]);
  });

  test("events that a dead node did not seal are sealed by the next one to start", async () => {
    await openChain(db, AUDIT_KEY, Date.now());
    const dying = testHub(db);
    await makeRecord(dying);
    await dying.stop();
    expect(await countKeyedSeals(db)).toBe(0);
    await whileServing(async () => {});
    expect(await countKeyedSeals(db)).toBeGreaterThan(0);
    expect(await problems()).toEqual([]);
  });

  test.runIf(kind === "postgresql")("events that a dead node did not seal are sealed by a running one", async () => {
    await whileServing(async () => {
      const dying = testHub(await database.open());
      const { conversation_id } = await dying.ask(byAgent(), { tool_use_id: "left", ...CHOICE });
      await dying.stop();
      const sealed = () => readRows(db, "select 1 from audit_seal where conversation_id = ?", [conversation_id]);
      while ((await sealed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    });
    expect(await problems()).toEqual([]);
  });

  test("removed seals are reported, and not created again for changed rows", async () => {
    const { long } = await whileServing(makeRecord);
    await execute(db, "update audit_event set actor = '{}' where conversation_id = ? and number = 3", [long]);
    await execute(db, "delete from audit_seal where conversation_id = ?", [long]);
    const left = await countKeyedSeals(db);
    const errors: unknown[] = [];
    await whileServing(async () => {}, errors);
    expect(errors.map(String)).toEqual([expect.stringMatching(/some were removed\. They are not made again/)]);
    expect(await countKeyedSeals(db)).toBe(left);
    // Even with new events in it, which are sealed, the gap stays.
    await whileServing((hub) => hub.ask(byAgent(), { conversation_id: long, tool_use_id: "later", ...CHOICE }), errors);
    expect((await problems()).join("\n")).toMatch(/seals? \d+.* missing/);
  });

  test("a restart does not begin a new chain if the end of the old one is missing", async () => {
    await whileServing(makeRecord);
    await execute(db, "delete from audit_head", []);
    await execute(db, "delete from audit_seal", []);
    const hub = testHub(db);
    await expect(hub.begin(byAgent())).rejects.toThrow(/The end of the audit chain \(audit_head\) is missing/);
    await hub.stop();
  });

  test("the record of an older version joins the chain and is verified unchanged", async () => {
    await makeOlderRecord(db, 3, [1, 3]);
    await whileServing(async (hub) => {
      const conversation_id = "ses_old";
      await hub.ask(byAgent(), { conversation_id, tool_use_id: "new", ...CHOICE });
      await hub.answer(byPerson(), { conversation_id, question_id: "new", answer: "a" });
    });
    await makeOlderRecord(db, 2, [2], "ses_older");
    await whileServing(async () => {});
    expect(await problems()).toEqual([]);
    expect(
      await readRows(
        db,
        "select number from audit_seal where conversation_id = 'ses_older' and position is not null",
        [],
      ),
    ).toEqual([{ number: 2 }]);
    await execute(db, "update audit_event set actor = 'x' where conversation_id = 'ses_old' and number = 2", []);
    expect(await problems()).toEqual(["ses_old: events 2 to 3 are not as sealed"]);
  });

  test("verification and audit pages take time in proportion to what they verify", async () => {
    const work: Array<{ queries: number; rows: number; page: number }> = [];
    for (const [id, events] of [
      ["ses_a", 1_500],
      ["ses_b", 6_000],
    ] as const) {
      await makeOlderRecord(db, events, [], id);
      await whileServing(async () => {});
      await db.snapshot(async (snapshot) => {
        const all = counting(snapshot);
        expect(await problemsIn(all, { conversations: [id] })).toEqual([]);
        const some = counting(snapshot);
        const recorded = await recordedConversation(some, id);
        if (!recorded) throw new Error(`${id} is missing`);
        const reader = { ...db, read: some.read };
        const report = await checkEvents({ db: reader, auditKey: AUDIT_KEY }, recorded.conversation, [700, 701, 702]);
        expect(report).toMatchObject({ intact: true, checked: 500, events, sealed: events });
        work.push({ ...all.count, page: some.count.rows });
      });
    }
    const [small, large] = work;
    if (!small || !large) throw new Error("nothing was measured");
    expect(large.rows / small.rows).toBeLessThan(4.5);
    expect(large.queries / small.queries).toBeLessThan(4.5);
    expect(large.page).toBe(small.page);
  });
});

test("the audit key is created once, for its owner only, and refused if it is too short", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-key-"));
  try {
    const file = auditKeyFile(undefined, { url: `file:${folder}/data/parley.db`, root: "/nowhere" });
    const key = ensureAuditKey({ key: undefined, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ensureAuditKey({ key: undefined, file })).toEqual(key);
    expect(key.secret).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(file, "short");
    expect(() => ensureAuditKey({ key: undefined, file })).toThrow(/shorter than 32 characters/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Events as a version without keys wrote and sealed them. */
async function makeOlderRecord(db: Database, events: number, sealed: number[], id = "ses_old"): Promise<void> {
  await execute(
    db,
    `insert into conversation (id, agent, ask_limit, created_at, updated_at, last_audit) values (?, 'external', 10, 1, 1, ?)`,
    [id, events],
  );
  let hash = "parley";
  const rows: unknown[][] = [];
  for (let number = 1; number <= events; number++) {
    const row = [id, number, "agent.said", null, null, '{"kind":"agent","name":"old","surface":"rest"}', 7, null, "{}"];
    hash = digest("sha256", JSON.stringify([hash, ...row]), "hex");
    rows.push(row);
    if (sealed.includes(number))
      await execute(db, "insert into audit_seal (conversation_id, number, hash, sealed_at) values (?, ?, ?, 8)", [
        id,
        number,
        hash,
      ]);
  }
  for (let from = 0; from < rows.length; from += 500) {
    const page = rows.slice(from, from + 500);
    await execute(
      db,
      `insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after)
       values ${page.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ")}`,
      page.flat(),
    );
  }
}

function counting(reader: Reader) {
  const count = { queries: 0, rows: 0 };
  const read: Reader["read"] = async (query, params) => {
    const rows = await reader.read(query, params);
    count.queries += 1;
    count.rows += rows.length;
    return rows;
  };
  return { read, count };
}
