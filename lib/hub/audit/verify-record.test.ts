import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { recordedConversation } from "../../db/record/conversations.ts";
import type { Head, KeyedSeal, SealedEvent } from "../../db/record/seals.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import { removeUnfinished } from "../background/remove-unfinished.ts";
import { AUDIT_KEY, byAgent, byPerson, testHub } from "../test-hub.ts";
import { firstAskHash } from "./ask-hash.ts";
import { chainMac, headMac, link, START, sealMac } from "./chain.ts";
import { parseCheckpoint, takeCheckpoint } from "./checkpoint.ts";
import { auditKeyOf } from "./key.ts";
import { BUILT_IN, type Intruder, intrude, makeRecord, problemsIn } from "./test-record.ts";

describe.each(DATABASES)("the record on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  let made: Awaited<ReturnType<typeof makeRecord>>;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
    const hub = testHub(db, { sealMs: 5, agents: [BUILT_IN] });
    await hub.begin(byAgent());
    made = await makeRecord(hub);
    await hub.stop();
  });
  afterAll(() => database.drop());

  const attacked = (attack: (intruder: Intruder) => Promise<void>) =>
    intrude(database.url, async (intruder) => {
      await attack(intruder);
      return problemsIn(intruder);
    });

  test("is intact, and everything is sealed", async () => {
    expect(await db.snapshot((snapshot) => problemsIn(snapshot))).toEqual([]);
    expect(
      await db.snapshot((snapshot) => problemsIn(snapshot, { conversations: [made.long, made.continued] })),
    ).toEqual([]);
    const hub = testHub(db);
    for (const conversation_id of [made.long, made.short, made.doomed, made.continued, made.imported, made.turns]) {
      const { chain } = await hub.audit(byPerson(), { conversation_id, limit: 3 });
      expect(chain).toMatchObject({ intact: true, whole: false, problem: null });
      expect(chain.sealed).toBe(chain.events);
      const { chain: all } = await hub.audit(byPerson(), { conversation_id, whole: true });
      expect(all).toMatchObject({ intact: true, whole: true, checked: chain.events, problem: null });
    }
    await hub.stop();
  });

  const addAnswer = (intruder: Intruder, question_id: string) =>
    intruder.run(
      `insert into answer (conversation_id, question_id, value, answered_by, answered_at, idempotency_key)
       select conversation_id, '${question_id}', value, answered_by, answered_at, idempotency_key from answer where question_id = ?`,
      [made.p],
    );
  const ofTurns = (sql: string) => async (intruder: Intruder) => intruder.run(sql, [made.turns]);
  const ofLong = (sql: string) => async (intruder: Intruder) => intruder.run(sql, [made.long]);
  const TABLES = ["ask", "message", "question", "answer", "inbox_item", "audit_event", "audit_seal"];
  const attacks: Record<string, [(intruder: Intruder) => Promise<void>, RegExp]> = {
    "a changed actor": [
      ofLong("update audit_event set actor = '{}' where number = 3 and conversation_id = ?"),
      /event.* not as sealed/,
    ],
    "a changed time": [
      ofLong("update audit_event set at = at + 1 where number = 1 and conversation_id = ?"),
      /not as sealed/,
    ],
    "an event made to look like one of an older version": [
      ofLong("update audit_event set command_id = null where number = 5 and conversation_id = ?"),
      /not as sealed/,
    ],
    "a removed event": [
      ofLong("delete from audit_event where number = 2 and conversation_id = ?"),
      /event 2 is missing/,
    ],
    "a removed last event": [
      async (intruder) => {
        const last = "(select max(number) from audit_event where conversation_id = ?)";
        await intruder.run(`delete from audit_event where conversation_id = ? and number = ${last}`, [
          made.long,
          made.long,
        ]);
      },
      /was sealed on/,
    ],
    "the tail of a conversation removed with its seals": [
      async (intruder) => {
        for (const table of ["audit_event", "audit_seal"])
          await intruder.run(`delete from ${table} where conversation_id = ? and number > 4`, [made.long]);
      },
      /counts \d+ events, and there are 4/,
    ],
    "the same, with the counters set back": [
      async (intruder) => {
        for (const table of ["audit_event", "audit_seal"])
          await intruder.run(`delete from ${table} where conversation_id = ? and number > 4`, [made.long]);
        await intruder.run("update conversation set last_audit = 4 where id = ?", [made.long]);
      },
      /seals? \d+.* missing/,
    ],
    "all events and seals removed": [
      async (intruder) => {
        await intruder.run("delete from audit_event");
        await intruder.run("delete from audit_seal");
      },
      /seals 1 to \d+ are missing/,
    ],
    "all seals removed": [(intruder) => intruder.run("delete from audit_seal"), /seals 1 to \d+ are missing/],
    "the newest seals removed": [
      (intruder) => intruder.run("delete from audit_seal where position > 3"),
      /seals 4 to \d+ are missing/,
    ],
    "the newest seals removed, and the end of the chain set back": [
      async (intruder) => {
        await intruder.run("delete from audit_seal where position > 3");
        await intruder.run("update audit_head set position = 3");
      },
      /the end of the chain, at seal 3, was not made with the audit key/,
    ],
    "the end of the chain removed": [(intruder) => intruder.run("delete from audit_head"), /audit_head.* missing/],
    "a whole conversation removed": [
      async (intruder) => {
        await intruder.run("delete from conversation where id = ?", [made.doomed]);
        for (const table of TABLES) await intruder.run(`delete from ${table} where conversation_id = ?`, [made.doomed]);
      },
      /seals? \d+.* missing/,
    ],
    "a conversation removed, and its seals forgotten": [
      async (intruder) => {
        await intruder.run("delete from conversation where id = ?", [made.doomed]);
        for (const table of TABLES.filter((name) => name !== "audit_seal"))
          await intruder.run(`delete from ${table} where conversation_id = ?`, [made.doomed]);
      },
      /has rows in audit_seal/,
    ],
    "an event changed and its chain computed again": [
      async (intruder) => {
        await intruder.run("update audit_event set actor = '{}' where conversation_id = ? and number = 3", [made.long]);
        await sealAgain(intruder, made.long);
      },
      /was not made with the audit key/,
    ],
    "a seal of an older version put in place of ours": [
      async (intruder) => {
        await intruder.run("update audit_event set actor = '{}' where conversation_id = ? and number = 3", [made.long]);
        await sealAgain(intruder, made.long);
        await intruder.run("update audit_seal set position = null, mac = null where conversation_id = ?", [made.long]);
      },
      /seals? \d+.* missing/,
    ],
    "a changed answer": [
      ofLong(
        "update answer set value = replace(value, '\"a\"', '\"b\"') where question_id = 'one' and conversation_id = ?",
      ),
      /ask one, one of its questions or an answer was changed/,
    ],
    "an answer in another name": [
      (intruder) =>
        intruder.run("update answer set answered_by = replace(answered_by, 'ann', 'bob') where question_id = ?", [
          made.p,
        ]),
      /ask three, .*was changed/,
    ],
    "a removed answer": [
      ofLong("delete from answer where question_id = 'two' and conversation_id = ?"),
      /ask two, .*was changed/,
    ],
    "an added answer": [(intruder) => addAnswer(intruder, made.q), /ask three, .*was changed/],
    "an answer to no question": [(intruder) => addAnswer(intruder, "nowhere"), /nowhere: has rows in answer/],
    "an ask that was made irreversible later": [
      ofLong("update ask set irreversible = true where tool_use_id = 'one' and conversation_id = ?"),
      /ask one, one of its questions or an answer was changed/,
    ],
    "a key put in place of a reply": [
      ofLong("update ask set reply_key = 'k' where tool_use_id = 'one' and conversation_id = ?"),
      /ask one, one of its questions or an answer was changed/,
    ],
    "a changed result": [
      ofLong("update ask set result = replace(result, 'A', 'B') where tool_use_id = 'one' and conversation_id = ?"),
      /ask one, .*was changed/,
    ],
    "a changed result, as if by another command": [
      ofLong("update ask set result = '{}', command_id = 'cmd_x' where tool_use_id = 'one' and conversation_id = ?"),
      /ask one is not as event \d+ or a later one left it/,
    ],
    "a changed question": [
      (intruder) =>
        intruder.run("update question set definition = replace(definition, 'Which', 'What') where question_id = ?", [
          made.q,
        ]),
      /ask three, .*was changed/,
    ],
    "a changed ask of a conversation that was continued": [
      (intruder) =>
        intruder.run("update ask set asked_by = '{}' where tool_use_id = 'one' and conversation_id = ?", [
          made.continued,
        ]),
      /ask one, .*was changed/,
    ],
    "an imported ask moved to another round": [
      (intruder) => intruder.run("update ask set round = 3 - round where conversation_id = ?", [made.imported]),
      /ask toolu_1 was round 1, and is 2/,
    ],
    "a removed ask": [
      async (intruder) => {
        for (const table of ["ask", "question", "answer", "inbox_item"])
          await intruder.run(
            `delete from ${table} where conversation_id = ? and ${table === "answer" ? "question_id" : "tool_use_id"} = 'two'`,
            [made.long],
          );
      },
      /ask two, its questions or its message are missing/,
    ],
    "two asks with their rounds swapped": [
      ofLong("update ask set round = 3 - round where round < 3 and conversation_id = ?"),
      /ask one was round 1, and is 2/,
    ],
    "a changed message": [
      ofLong("update message set content = '{}' where sequence_num = 2 and conversation_id = ?"),
      /message 2 was changed/,
    ],
    "a removed message": [
      ofLong("delete from message where sequence_num = 4 and conversation_id = ?"),
      /1 messages were written with event \d+, and there are 0/,
    ],
    "an added message": [
      async (intruder) => {
        await intruder.run(
          `insert into message select conversation_id, last_sequence + 1, 'x', parent_uuid, m.turn_id, type, role, content,
             m.metadata, m.created_at from message m join conversation c on c.id = m.conversation_id
           where sequence_num = 1 and conversation_id = ?`,
          [made.long],
        );
        await intruder.run("update conversation set last_sequence = last_sequence + 1 where id = ?", [made.long]);
      },
      /message \d+ belongs to no event/,
    ],
    "an assignee": [
      ofLong(
        "update ask set assignee_id = 'per_x', assignee_name = 'x' where tool_use_id = 'one' and conversation_id = ?",
      ),
      /ask one, one of its questions or an answer was changed/,
    ],
    "a claim": [
      ofLong(
        `update ask set claimed_by = 'per_x', claimed_by_name = 'x', claimed_at = 1, claim_expires_at = 9000000000000000
          where tool_use_id = 'one' and conversation_id = ?`,
      ),
      /ask one, one of its questions or an answer was changed/,
    ],
    "an assignee in the inbox alone": [
      ofLong("update inbox_item set assignee_id = 'per_x' where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four was changed: assignee_id/,
    ],
    "a claim in the inbox alone": [
      ofLong("update inbox_item set claimed_by = 'per_x' where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four was changed: claimed_by/,
    ],
    "an open question closed in the inbox": [
      ofLong("update inbox_item set status = 'closed' where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four was changed: status/,
    ],
    "an open question moved to another space of the inbox": [
      ofLong("update inbox_item set space_id = 'spc_other' where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four was changed: space_id/,
    ],
    "a question that is answered together with others that are not alike": [
      ofLong("update inbox_item set similar_key = 'x' where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four was changed: similar_key/,
    ],
    "an open question removed from the inbox": [
      ofLong("delete from inbox_item where tool_use_id = 'four' and conversation_id = ?"),
      /the inbox item of ask four is missing/,
    ],
    "an inbox item of no question": [
      ofLong("update inbox_item set tool_use_id = 'five' where tool_use_id = 'four' and conversation_id = ?"),
      /has rows in inbox_item/,
    ],
    "a conversation hidden after it was sealed": [
      ofLong("update conversation set run_state = 'hidden' where id = ?"),
      /the conversation was hidden after it had been sealed/,
    ],
    "the end of the chain set back while its seals stay": [
      (intruder) => intruder.run("update audit_head set position = 3"),
      /audit_head\) was set back to seal 3, and there are \d+ seals/,
    ],
    "a turn that somebody else is said to have started": [
      ofTurns("update turn set started_by = 'per_bob' where number = 1 and conversation_id = ?"),
      /turn turn_\S+ was changed: started_by/,
    ],
    "a turn of a continued conversation that nobody is said to have started": [
      (intruder) => intruder.run("update turn set started_by = null where conversation_id = ?", [made.continuedTurn]),
      /turn turn_\S+ was changed: started_by/,
    ],
    "a turn that runs for another message": [
      ofTurns("update turn set message_sequence = 2 where number = 1 and conversation_id = ?"),
      /turn turn_\S+ was changed: message_sequence/,
    ],
    "a removed turn": [
      ofTurns("delete from turn where number = 1 and conversation_id = ?"),
      /turn turn_\S+ is missing/,
    ],
    "an added turn": [
      ofTurns(
        `insert into turn (id, conversation_id, number, status, message_sequence, started_by, created_at)
          select 'turn_x', conversation_id, 3, 'queued', message_sequence, 'per_admin', created_at from turn
          where number = 1 and conversation_id = ?`,
      ),
      /turn turn_x belongs to no event/,
    ],
    "a changed title": [
      ofLong("update conversation set title = 'short' where id = ?"),
      /the conversation's own row.* changed/,
    ],
  };

  test.each(Object.keys(attacks))("reveals %s", async (name) => {
    const [attack, expected] = attacks[name] ?? [];
    if (!attack || !expected) throw new Error(name);
    expect((await attacked(attack)).join("\n")).toMatch(expected);
  });

  test("is intact where asks have the hash of an older release, which still reveals what it covers", async () => {
    await intrude(database.url, async (intruder) => {
      const recorded = await recordedConversation(intruder, made.long);
      const asks = (await recorded?.asks(["one", "two", "three", "four"])) ?? [];
      expect(asks).toHaveLength(4);
      for (const ask of asks)
        await intruder.run("update audit_event set ask_hash = ? where tool_use_id = ? and command_id = ?", [
          firstAskHash(ask),
          ask.tool_use_id,
          ask.command_id,
        ]);
      await sealAgain(intruder, made.long);
      await signAgain(intruder);
      expect(await problemsIn(intruder)).toEqual([]);
      await intruder.run("update ask set result = '{}' where tool_use_id = 'one' and conversation_id = ?", [made.long]);
      expect((await problemsIn(intruder)).join("\n")).toMatch(/ask one, .*was changed/);
    });
  });

  test("keeps a sealed conversation that someone hid in the database", async () => {
    await execute(db, "update conversation set run_state = 'hidden' where id = ?", [made.short]);
    await removeUnfinished({ db }, Date.now() + 2 * 3_600_000);
    await execute(db, "update conversation set run_state = 'active' where id = ?", [made.short]);
    expect(await db.snapshot((snapshot) => problemsIn(snapshot))).toEqual([]);
  });

  test("with a wrong or missing key is not mistaken for a changed one", async () => {
    const wrong = auditKeyOf("another key that nobody has ever used here");
    const verify = (key: typeof wrong | undefined) => db.snapshot((snapshot) => problemsIn(snapshot, { key }));
    expect(await verify(wrong)).toEqual([
      `the seals were made with the key ${AUDIT_KEY.fingerprint}, and the key here is ${wrong.fingerprint}`,
    ]);
    const hub = testHub(db, { auditKey: wrong });
    await expect(hub.begin(byAgent())).rejects.toThrow(
      `sealed with the key ${AUDIT_KEY.fingerprint}; the key here is ${wrong.fingerprint}`,
    );
    await hub.stop();
  });

  test("is compared with a checkpoint, which reveals what even the key can hide", async () => {
    const line = await db.snapshot((snapshot) => takeCheckpoint(snapshot, Date.now()));
    const checkpoint = parseCheckpoint(line ?? "");
    if (!checkpoint) throw new Error(`${line} is not a checkpoint`);
    expect(await db.snapshot((snapshot) => problemsIn(snapshot, { since: [checkpoint] }))).toEqual([]);

    await intrude(database.url, async (intruder) => {
      await intruder.run("update audit_event set actor = '{}' where conversation_id = ? and number = 3", [made.long]);
      await sealAgain(intruder, made.long);
      await signAgain(intruder);
      expect(await problemsIn(intruder)).toEqual([]);
      expect(await problemsIn(intruder, { since: [checkpoint] })).toEqual([
        expect.stringMatching(/the record before it was written again/),
      ]);
    });
    await intrude(database.url, async (intruder) => {
      await intruder.run("delete from conversation where id = ?", [made.doomed]);
      for (const table of TABLES) await intruder.run(`delete from ${table} where conversation_id = ?`, [made.doomed]);
      await signAgain(intruder);
      expect(await problemsIn(intruder)).toEqual([]);
      expect(await problemsIn(intruder, { since: [checkpoint] })).toEqual([
        expect.stringMatching(/what came later was removed/),
      ]);
    });
  });
});

/** Recomputes the seals of a conversation, as anyone could. */
async function sealAgain(intruder: Intruder, id: string): Promise<void> {
  const events = await readRows<SealedEvent>(
    intruder,
    "select * from audit_event where conversation_id = ? order by number",
    [id],
  );
  let chained = START;
  for (const event of events) {
    chained = link(chained, event);
    await intruder.run("update audit_seal set hash = ? where conversation_id = ? and number = ?", [
      chained,
      id,
      event.number,
    ]);
  }
}

/** Computes the chain of seals again, as only the key allows. */
async function signAgain(intruder: Intruder): Promise<void> {
  const [head] = await readRows<Head>(intruder, "select * from audit_head", []);
  const seals = await readRows<KeyedSeal>(intruder, "select * from audit_seal order by position", []);
  const began_at = Number(head?.began_at);
  let mac = chainMac(AUDIT_KEY, began_at);
  await intruder.run("update audit_seal set position = null");
  for (const [index, seal] of seals.entries()) {
    const { conversation_id, number } = seal;
    mac = sealMac(AUDIT_KEY, mac, index + 1, { ...seal, sealed_at: Number(seal.sealed_at) });
    await intruder.run("update audit_seal set position = ?, mac = ? where conversation_id = ? and number = ?", [
      index + 1,
      mac,
      conversation_id,
      number,
    ]);
  }
  const end = { position: seals.length, began_at };
  await intruder.run("update audit_head set position = ?, mac = ?", [end.position, headMac(AUDIT_KEY, mac, end)]);
}
