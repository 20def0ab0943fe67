import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Team } from "../../domain/team.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import type { Hub } from "../hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

/** An agent with a key that asks in one space. */
const inSpace = (space_id: string): Call => {
  const key = { id: `key_${space_id}`, agent: "builder", space_id, owner_id: null };
  return { actor: { ...AGENT, id: key.id, scope: { key: key.id }, key }, now: Date.now() };
};
const person = (id: string, more: Partial<Actor> = {}): Call => ({
  actor: { ...byPerson().actor, id, name: id, ...more },
  now: Date.now(),
});
const space = { open: true, archived: false, requires_second_person: false, members: new Set<string>(), steps: null };
const TEAM: Team = {
  people: new Map(),
  spaces: new Map(["spc_a", "spc_b"].map((id) => [id, { ...space, id, name: id, detail: "full" }])),
  keys: new Map(),
};
const [ann, mei] = [person("per_ann"), person("per_mei")];

describe.each(DATABASES)("similar questions on %s", (kind) => {
  let database: TestDatabase;
  let hub: Hub;
  beforeEach(async () => {
    database = await testDatabase(kind);
    hub = testHub(await database.open(), { team: () => TEAM });
    await hub.begin(byAgent());
  });
  afterEach(async () => {
    await hub.stop();
    await database.drop();
  });

  /** Options and questions get other ids each time. */
  let asked = 0;
  const ask = (more: object = {}, call = byAgent()) => {
    asked += 1;
    const options = [
      { id: `x${asked}`, label: "A" },
      { id: `y${asked}`, label: "B" },
    ];
    return hub.ask(call, { ...CHOICE, tool_use_id: `t${asked}`, options, ...more });
  };
  const groups = async (query: Parameters<Hub["inbox"]>[1] = {}, call = ann) =>
    ((await hub.inbox(call, { limit: 1, groups: "true", ...query })).groups ?? []).map(({ count }) => count);
  const members = async (query: Parameters<Hub["inbox"]>[1] = {}, call = ann) => {
    const [first] = (await hub.inbox(call, { limit: 1, ...query })).items;
    return (await hub.inbox(call, { limit: 200, ...query, similar: first?.similar_key ?? "" })).items;
  };
  const codes = (outcomes: Awaited<ReturnType<Hub["answerSimilar"]>>) =>
    outcomes.map((outcome) => outcome.ask?.status ?? outcome.error?.code);

  test("are counted on all pages, with the filters of the list, and listed by their key", async () => {
    for (let n = 0; n < 7; n++) await ask({ title: n < 3 ? "Nightly run" : "Daily run" });
    await ask({ question_text: "Another question?" });
    expect(await groups()).toEqual([7]);
    expect(await groups({ title: "Nightly run" })).toEqual([3]);
    expect(await groups({ q: "nightly" })).toEqual([3]);
    expect(await groups({ q: '"another question"' })).toEqual([]);
    expect(await members()).toHaveLength(7);
    expect(await members({ q: "daily" })).toHaveLength(4);
    expect((await hub.inbox(ann, { limit: 3 })).groups).toBeUndefined();
  });

  test("count without those that are irreversible, settled or claimed by someone else", async () => {
    const [first, second, third] = [await ask(), await ask(), await ask(), await ask(), await ask()];
    await ask({ irreversible: true });
    await hub.claim(mei, [first.inbox_item_id]);
    await hub.claim(ann, [second.inbox_item_id]);
    expect([await groups(), await groups({}, mei)]).toEqual([[4], [4]]);
    await hub.cancel(ann, { conversation_id: third.conversation_id, tool_use_id: third.tool_use_id }, "no");
    expect(await groups()).toEqual([3]);
    expect(await groups({}, { ...ann, now: Date.now() + 86_400_000 })).toEqual([4]);
  });

  test("count, and get answers, only where the caller sees them", async () => {
    for (let n = 0; n < 3; n++) await ask({}, inSpace("spc_a"));
    const hidden = await ask({}, inSpace("spc_b"));
    const member = person("per_bo", { scope: { spaces: ["spc_a"] } });
    expect([await groups({}, member), await groups()]).toEqual([[3], [4]]);
    const seen = await members({}, member);
    expect(seen).toHaveLength(3);
    const [shown] = seen;
    const request = {
      conversation_id: shown?.session_id ?? "",
      tool_use_id: shown?.tool_use_id ?? "",
      inbox_item_ids: [...seen.map(({ inbox_item_id }) => inbox_item_id), hidden.inbox_item_id, "inb_unknown"],
    };
    const missing = ["question_not_found", "question_not_found"];
    expect(codes(await hub.answerSimilar(member, request))).toEqual(["pending", "pending", "pending", ...missing]);
    const { questions } = await hub.readAsk(member, request);
    const answers = { [questions[0]?.question_id ?? ""]: questions[0]?.options[0]?.id ?? "" };
    expect(codes(await hub.answerSimilar(member, { ...request, answers }))).toEqual([
      ...Array(3).fill("answered"),
      ...missing,
    ]);
    expect(await groups()).toEqual([]);
  });

  test("get one answer under their own ids; each that cannot have it says why, before and when it is sent", async () => {
    const shown = await ask();
    const plain = await ask();
    const claimed = await ask();
    const irreversible = await ask({ irreversible: true });
    const other = await ask({ allow_other: true });
    const settled = await ask();
    await hub.claim(mei, [claimed.inbox_item_id]);
    await hub.answer(mei, { ...settled, question_id: settled.tool_use_id, answer: `x${asked}` });
    const request = {
      conversation_id: shown.conversation_id,
      tool_use_id: shown.tool_use_id,
      content_hash: shown.content_hash,
      inbox_item_ids: [shown, plain, claimed, irreversible, other, settled].map((each) => each.inbox_item_id),
    };
    const refusals = ["claimed", "invalid_request", "invalid_answer", "duplicate_answer"];
    expect(codes(await hub.answerSimilar(ann, request))).toEqual(["pending", "pending", ...refusals]);
    const [question] = shown.questions;
    const answers = { [question?.question_id ?? ""]: { answer: question?.options[1]?.id, notes: "for all" } };
    const outcomes = await hub.answerSimilar(ann, { ...request, answers }, "key");
    expect(codes(outcomes)).toEqual(["answered", "answered", ...refusals]);
    expect(outcomes.flatMap(({ ask }) => ask?.result?.answers ?? [])).toMatchObject(
      [shown, plain].map(({ questions }) => ({ option_ids: [questions[0]?.options[1]?.id], notes: "for all" })),
    );
    // A retry that lost the reply gets it again.
    expect(codes(await hub.answerSimilar(ann, { ...request, answers }, "key"))).toEqual([
      "answered",
      "answered",
      ...refusals,
    ]);
    const changed = hub.answerSimilar(ann, { ...request, content_hash: "another" });
    await expect(changed).rejects.toMatchObject({ code: "idempotency_conflict" });
  });
});
