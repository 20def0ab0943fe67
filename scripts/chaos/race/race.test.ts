import { describe, expect, test } from "vitest";
import type { Database } from "../../../lib/db/database.ts";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import { readRows } from "../../../lib/db/test-sql.ts";
import { attempt } from "../kit/attempt.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { agent, by, type Node, person, START, withNodes } from "../kit/node.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { race, raceQuestions } from "./race.ts";

const CHOICE = {
  question_text: "Which way?",
  type: "multiple_choice",
  options: [
    { id: "a", label: "A" },
    { id: "b", label: "B" },
  ],
};

describe.each(DATABASES)("races on %s", (kind) => {
  const onTwoNodes = async (work: (nodes: [Node, Node]) => Promise<void>) => {
    const { databaseUrl } = await testOptions(kind, 1);
    await withNodes(databaseUrl, [{}, {}], (nodes) => work(nodes as [Node, Node]));
    expect(await rowViolations(databaseUrl)).toEqual([]);
  };
  const many = <Result>(times: number, run: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_, index) => attempt(() => run(index))));

  test("50 racers per question: one outcome, and every reply is true", async () => {
    const { violations, figures } = await runSmall(race, kind);
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ questions: race.size.small, racers: 50 * race.size.small });
  });

  test("64 answers at once: one wins, and 63 learn who won", async () => {
    await onTwoNodes(async (nodes) => {
      const { conversation_id } = await nodes[0].hub.ask(by(agent("asker")), {
        ...CHOICE,
        tool_use_id: "t",
      });
      const outcomes = await many(64, (index) =>
        nodes[index % 2 === 0 ? 0 : 1].hub.answer(by(person(`person ${index}`)), {
          conversation_id,
          question_id: "t",
          answer: index % 3 === 0 ? "a" : "b",
        }),
      );
      const winners = outcomes.flatMap(({ value }) => (value ? [value] : []));
      expect(winners).toHaveLength(1);
      const name = winners[0]?.result?.decided_by.name;
      expect(name).toBe(`person ${outcomes.findIndex(({ value }) => value)}`);
      for (const { code, details } of outcomes.filter(({ value }) => !value)) {
        expect(code).toBe("duplicate_answer");
        expect(details).toMatchObject({ answered_by: { kind: "person", name, surface: "rest" } });
      }
    });
  });

  test("the same tool_use_id asked 32 times at once: one ask", async () => {
    await onTwoNodes(async (nodes) => {
      const conversation_id = await nodes[0].hub.createConversation(by(agent("asker")), {});
      const request = { ...CHOICE, conversation_id, tool_use_id: "same" };
      const outcomes = await many(32, (index) => nodes[index % 2 === 0 ? 0 : 1].hub.ask(by(agent("asker")), request));
      expect(outcomes.map(({ code }) => code)).toEqual(Array(32).fill(undefined));
      expect(new Set(outcomes.map(({ value }) => value?.inbox_item_id)).size).toBe(1);
      const { dialog_history, last_sequence } = await nodes[1].hub.readConversation(by(person("ann")), conversation_id);
      expect([dialog_history.length, last_sequence]).toEqual([1, 1]);
    });
  });

  test("answer against cancel against deadline: one outcome", async () => {
    await onTwoNodes(async ([first, second]) => {
      const outcomes = new Set<string>();
      for (let round = 0; round < 30; round++) {
        const ask = await first.hub.ask(by(agent("asker")), { ...CHOICE, tool_use_id: `t${round}`, timeout_s: 1 });
        const { conversation_id, tool_use_id } = ask;
        const racers = [
          () => second.hub.answer(by(person("ann")), { conversation_id, question_id: tool_use_id, answer: "a" }),
          () => first.hub.cancel(by(person("bob")), { conversation_id, tool_use_id }, "too late"),
          () => second.hub.expire(START + 1_000),
        ];
        const [head, ...others] = [...racers.slice(round % 3), ...racers.slice(0, round % 3)].map(
          (run) => () => attempt<unknown>(run),
        );
        // In the last ten rounds the first racer wins before the others start, so that each kind wins some.
        const started = head?.();
        if (round >= 20) await started;
        const replies = await Promise.all([started, ...others.map((run) => run())]);
        for (const reply of replies) expect([undefined, "duplicate_answer", "question_closed"]).toContain(reply?.code);
        const { status, result } = await first.hub.readAsk(by(agent("asker")), {
          conversation_id,
          tool_use_id,
        });
        expect(result?.outcome).toBe(status);
        outcomes.add(status);
      }
      expect([...outcomes].sort()).toEqual(["answered", "cancelled", "timeout"]);
    });
  });

  const named = (name: string, now = START) => by({ ...person(name), id: name }, now);
  const asked = async ({ hub }: Node, tool_use_id: string) => hub.ask(by(agent("asker")), { ...CHOICE, tool_use_id });
  const claims = async ({ hub }: Node, call: ReturnType<typeof named>, id: string, takeOver = false) => {
    const [outcome] = await hub.claim(call, [id], takeOver);
    if (outcome?.error) throw outcome.error;
    return outcome?.ask;
  };
  /** Who claimed and answered it, in order, by the audit. */
  const audit = async ({ db }: Node, conversation_id: string) => {
    const sql = "select action, actor from audit_event where conversation_id = ? and action <> ? order by number";
    const rows = await readRows<{ action: string; actor: string }>(db, sql, [conversation_id, "ask.created"]);
    return rows.map(({ action, actor }) => `${action} ${JSON.parse(actor).name}`);
  };

  test("50 claims at once: one has it, and 49 learn who", async () => {
    await onTwoNodes(async (nodes) => {
      const { conversation_id, inbox_item_id } = await asked(nodes[0], "t");
      const outcomes = await many(50, (index) =>
        claims(nodes[index % 2 === 0 ? 0 : 1], named(`person ${index}`), inbox_item_id),
      );
      const winner = `person ${outcomes.findIndex(({ value }) => value)}`;
      expect(outcomes.filter(({ value }) => value)).toHaveLength(1);
      for (const { code, details } of outcomes.filter(({ value }) => !value))
        expect([code, details?.claimed_by]).toEqual(["claimed", winner]);
      expect(await audit(nodes[1], conversation_id)).toEqual([`question.claimed ${winner}`]);
    });
  });

  test("claim against answer: one of both, as the audit shows", async () => {
    await onTwoNodes(async ([first, second]) => {
      const seen = new Set<string>();
      for (let round = 0; round < 30; round++) {
        const { conversation_id, inbox_item_id, tool_use_id } = await asked(first, `t${round}`);
        const claim = () => attempt(() => claims(first, named("ann"), inbox_item_id));
        const answer = () =>
          attempt(() => second.hub.answer(named("bob"), { conversation_id, question_id: tool_use_id, answer: "a" }));
        // The first rounds are decided before they begin, so that each side wins some.
        const head = round % 2 === 0 ? claim() : answer();
        if (round < 10) await head;
        const other = round % 2 === 0 ? answer() : claim();
        const [claimed, answered] = round % 2 === 0 ? [await head, await other] : [await other, await head];
        const outcome = `${claimed.code ?? "claimed"}, ${answered.code ?? "answered"}`;
        seen.add(outcome);
        const isClaimed = outcome === "claimed, claimed";
        expect(["claimed, claimed", "duplicate_answer, answered"]).toContain(outcome);
        expect(await audit(second, conversation_id)).toEqual([
          isClaimed ? "question.claimed ann" : "question.answered bob",
        ]);
      }
      expect(seen.size).toBe(2);
    });
  });

  test("the end of a claim against an answer: renewed in time or answered, never both", async () => {
    await onTwoNodes(async ([first, second]) => {
      const seen = new Set<string>();
      for (let round = 0; round < 30; round++) {
        const { conversation_id, inbox_item_id, tool_use_id } = await asked(first, `t${round}`);
        const { claim } = (await claims(first, named("ann"), inbox_item_id)) ?? {};
        const end = claim?.expires_at ?? 0;
        const answer = (now: number) =>
          attempt(() =>
            second.hub.answer(named("bob", now), { conversation_id, question_id: tool_use_id, answer: "a" }),
          );
        expect((await answer(end - 1)).code).toBe("claimed");
        const renew = () => attempt(() => claims(first, named("ann", end - 1), inbox_item_id));
        const head = round % 2 === 0 ? renew() : answer(end);
        if (round < 10) await head;
        const other = round % 2 === 0 ? answer(end) : renew();
        const [renewed, answered] = round % 2 === 0 ? [await head, await other] : [await other, await head];
        const outcome = `${renewed.code ?? "renewed"}, ${answered.code ?? "answered"}`;
        seen.add(outcome);
        expect(["renewed, claimed", "duplicate_answer, answered"]).toContain(outcome);
        expect(await audit(second, conversation_id)).toEqual([
          "question.claimed ann",
          outcome === "renewed, claimed" ? "question.claimed ann" : "question.answered bob",
        ]);
      }
      expect(seen.size).toBe(2);
    });
  });

  test("20 take it over at once, and answers take it over too: the last one in the audit has it", async () => {
    await onTwoNodes(async (nodes) => {
      const node = (index: number) => nodes[index % 2 === 0 ? 0 : 1];
      const { conversation_id, inbox_item_id, tool_use_id } = await asked(nodes[0], "t");
      await claims(nodes[0], named("ann"), inbox_item_id);
      const taken = await many(20, (index) => claims(node(index), named(`person ${index}`), inbox_item_id, true));
      expect(taken.map(({ code }) => code)).toEqual(Array(20).fill(undefined));
      const trail = await audit(nodes[1], conversation_id);
      expect(trail).toHaveLength(21);
      expect(new Set(trail).size).toBe(21);
      const target = { conversation_id, tool_use_id };
      const { claim } = await nodes[1].hub.readAsk(named("ann"), target);
      expect(`question.claimed ${claim?.by.name}`).toBe(trail.at(-1));
      const answers = await many(10, (index) =>
        node(index).hub.answer(named(`other ${index}`), {
          conversation_id,
          question_id: tool_use_id,
          answer: "a",
          take_over: true,
        }),
      );
      expect(answers.filter(({ value }) => value)).toHaveLength(1);
      expect((await nodes[0].hub.readAsk(named("ann"), target)).claim).toBeNull();
      expect((await audit(nodes[0], conversation_id)).at(-1)).toMatch(/^question\.answered other/);
    });
  });
});

test("detects a second winner", async () => {
  const { violations } = await raceQuestions(await testOptions("sqlite", 5), withoutCompareAndSet);
  expect(violations.join("\n")).toMatch(/has the event question\.\w+ while it was (answered|cancelled)/);
});

/** The planted bug: a step overwrites whatever the ask has become since the step was decided. */
function withoutCompareAndSet(db: Database): Database {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ...db,
    write: (change) => {
      const { conversation_id, guard } = change;
      const written = before.then(async () => {
        if (guard.kind !== "change") return db.write(change);
        const sql = "select version from ask where conversation_id = ? and tool_use_id = ?";
        const [ask] = await readRows<{ version: number }>(db, sql, [conversation_id, guard.tool_use_id]);
        return db.write({ ...change, guard: { ...guard, version: ask?.version ?? 0 } });
      });
      before = written.catch(() => {});
      return written;
    },
  };
}
