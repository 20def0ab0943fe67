import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import type { InboxQuery } from "../../protocol/inbox.ts";
import type { Hub } from "../hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const MINUTE = 60_000;
const TEXT = { type: "text" } as const;

describe.each(DATABASES)("searching and filtering on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  let hub: Hub;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
    hub = testHub(db, { clock: () => 0, limits: { maxDepth: 1_000 } });
    await hub.begin(byAgent(0));

    const shop = await hub.createConversation(byAgent(0), { agent: "builder", title: "Shop API" });
    const docs = await hub.createConversation(byAgent(0), { agent: "writer", title: "文書の整理" });
    const ask = (conversation_id: string, tool_use_id: string, at: number, question: object) =>
      hub.ask(byAgent(at), { conversation_id, tool_use_id, ...question });
    const answer = (conversation_id: string, question_id: string, at: number, answer: unknown, name = "Ann") =>
      hub.answer(byPerson(at, name), { conversation_id, question_id, answer: answer as string });

    await ask(shop, "deploy", 1 * MINUTE, { ...CHOICE, question_text: "Deploy shop-api 2.42 to production?" });
    await ask(shop, "rollback", 2 * MINUTE, { ...TEXT, question_text: "Why roll back?" });
    await ask(shop, "percent", 3 * MINUTE, { ...TEXT, question_text: `100% of "quoted" a_b \\ O'Brien 🚀 <b>` });
    await ask(docs, "tokyo", 4 * MINUTE, { ...TEXT, question_text: "東京の本番環境にデプロイしますか" });
    await ask(docs, "width", 5 * MINUTE, { ...TEXT, question_text: "ＦＵＬＬ width ｶﾅ" });
    await ask(docs, "open_soon", 6 * MINUTE, {
      ...CHOICE,
      timeout_s: 600,
      question_text: "Which colour is the banner?",
    });
    await ask(docs, "open_never", 7 * MINUTE, { ...CHOICE, question_text: "Which font?" });
    await ask(shop, "open_day", 8 * MINUTE, { ...CHOICE, timeout_s: 7_200, question_text: "Rotate the keys?" });

    await answer(shop, "deploy", 11 * MINUTE, { answer: "b", notes: "after the freeze" });
    await answer(shop, "rollback", 12 * MINUTE, "Because Größe was misspelt", "Bo");
    await hub.cancel(byPerson(13 * MINUTE, "Bo"), { conversation_id: shop, question_id: "percent" }, "obsolete");
    await answer(docs, "tokyo", 14 * MINUTE, "部署する");
    await answer(docs, "width", 15 * MINUTE, "ok");
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });

  const read = (query: InboxQuery) => hub.inbox(byPerson(10 * MINUTE), query);
  const ids = async (query: InboxQuery) => (await read(query)).items.map((item) => item.tool_use_id);
  const settled = (q: string) => ids({ status: "closed", q });

  test("finds words of questions, options, answers, notes, reasons, titles, agents and people", async () => {
    expect(await settled("shop-api")).toEqual(["deploy"]);
    expect(await settled("DEPLOY production")).toEqual(["deploy"]);
    expect(await settled("production deploy missing")).toEqual([]);
    expect(await settled("GRÖSSE")).toEqual([]);
    expect(await settled("größe")).toEqual(["rollback"]);
    expect(await settled("after the freeze")).toEqual(["deploy"]);
    expect(await settled("obsolete")).toEqual(["percent"]);
    expect(await settled("shop api")).toEqual(["percent", "rollback", "deploy"]);
    expect(await settled("writer")).toEqual(["width", "tokyo"]);
    expect(await settled("Ann")).toEqual(["width", "tokyo", "deploy"]);
    expect(await ids({ q: "banner" })).toEqual(["open_soon"]);
    expect(await ids({ status: "all", q: "which" })).toEqual(["open_soon", "open_never"]);
  });

  test("finds whole words, phrases in quotes, and the beginning of the last word", async () => {
    expect(await settled("prod")).toEqual(["deploy"]);
    expect(await settled("prod deploy")).toEqual([]);
    expect(await settled("roduction")).toEqual([]);
    expect(await settled("2.42")).toEqual(["deploy"]);
    expect(await settled("2.4")).toEqual([]);
    expect(await settled('"shop-api 2.42" deploy')).toEqual(["deploy"]);
    expect(await settled('"deploy production"')).toEqual([]);
    expect(await ids({ status: "all", q: '"the keys"' })).toEqual(["open_day"]);
    expect(await ids({ q: "otate" })).toEqual([]);
  });

  test("finds Chinese and Japanese words of any length, and text of any width", async () => {
    for (const q of ["東京", "本", "本番環境", "部署", "デプロイ", "東京 部署"])
      expect(await settled(q)).toEqual(["tokyo"]);
    expect(await settled("文書")).toEqual(["width", "tokyo"]);
    expect(await settled("京都")).toEqual([]);
    expect(await settled("full")).toEqual(["width"]);
    expect(await settled("カナ")).toEqual(["width"]);
  });

  test("finds words too short for the index", async () => {
    expect(await settled("ok")).toEqual(["width"]);
    expect(await settled("bo")).toEqual(["percent", "rollback"]);
    expect(await settled("🚀")).toEqual(["percent"]);
    expect(await settled("zq")).toEqual([]);
  });

  test("takes every character as it is", async () => {
    for (const q of ["100%", '"quoted"', "a_b", "\\", "O'Brien", "% OF", "<b>", '"', "'"])
      expect([q, await settled(q)]).toEqual([q, ["percent"]]);
    for (const q of [
      "100_",
      "a%b",
      "quoted* OR 1",
      "NEAR(a b)",
      "text:deploy",
      "-deploy",
      "'; drop table ask; --",
      "\u0000zqx",
      "\ud800zqx",
    ])
      expect([q, await settled(q)]).toEqual([q, []]);
    expect(await settled("x".repeat(200))).toEqual([]);
    expect(await settled("a b c d e f g h i j k l m n o p")).toEqual([]);
    expect((await settled("   ")).length).toBe(5);
  });

  test("filters by agent, title, outcome, person and time, alone and together", async () => {
    const closed = (query: InboxQuery) => ids({ status: "closed", ...query });
    expect(await closed({ agent: "writer" })).toEqual(["width", "tokyo"]);
    expect(await closed({ agent: ["writer", "builder"] })).toHaveLength(5);
    expect(await closed({ title: "Shop API" })).toEqual(["percent", "rollback", "deploy"]);
    expect(await closed({ outcome: "cancelled" })).toEqual(["percent"]);
    expect(await closed({ outcome: ["cancelled", "answered"], by: "Bo" })).toEqual(["percent", "rollback"]);
    expect(await closed({ by: "Bo", q: "größe" })).toEqual(["rollback"]);
    const at = (minute: number) => new Date(minute * MINUTE).toISOString();
    expect(await closed({ since: at(12), until: at(14) })).toEqual(["percent", "rollback"]);
    expect(await closed({ deadline: "none" })).toEqual([]);
    expect(await ids({ agent: "builder" })).toEqual(["open_day"]);
    expect(await ids({ title: "文書の整理", since: at(7) })).toEqual(["open_never"]);
    expect(await ids({ by: "Bo" })).toEqual([]);
    expect(await ids({ deadline: "none" })).toEqual(["open_never"]);
    expect(await ids({ deadline: "hour" })).toEqual(["open_soon"]);
    expect(await ids({ deadline: "day" })).toEqual(["open_soon", "open_day"]);
    expect(await ids({ deadline: "overdue" })).toEqual([]);
  });

  test("sorts, and pages through every order without gaps", async () => {
    const orders = {
      open: {
        deadline: "soon day never",
        newest: "day never soon",
        oldest: "soon never day",
        slowest: "soon never day",
      },
      closed: {
        newest: "width tokyo percent rollback deploy",
        deadline: "width tokyo percent rollback deploy",
        oldest: "deploy rollback percent tokyo width",
        slowest: "width tokyo rollback percent deploy",
      },
    } as const;
    for (const status of ["open", "closed"] as const) {
      for (const [sort, expected] of Object.entries(orders[status])) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await read({ status, sort: sort as "newest", limit: 2, ...(cursor && { cursor }) });
          expect(page.counts.matching).toBe(cursor ? null : expected.split(" ").length);
          seen.push(...page.items.map((item) => item.tool_use_id.replace("open_", "")));
          cursor = page.next_cursor ?? undefined;
        } while (cursor);
        if (sort === "slowest" && status === "closed") expect(seen.toSorted()).toEqual(expected.split(" ").toSorted());
        else expect([sort, seen.join(" ")]).toEqual([sort, expected]);
      }
    }
  });

  test("counts what matches, and what there is to filter by", async () => {
    const { counts, facets } = await read({ status: "closed", agent: "writer", facets: "true" });
    expect(counts).toEqual({ open: 3, snoozed: 0, matching: 2, at_least: false });
    expect(facets).toEqual({
      agents: [
        { value: "builder", count: 3 },
        { value: "writer", count: 2 },
      ],
      titles: [
        { value: "Shop API", count: 3 },
        { value: "文書の整理", count: 2 },
      ],
      people: [
        { value: "Ann", count: 3 },
        { value: "Bo", count: 2 },
      ],
      outcomes: [
        { value: "answered", count: 4 },
        { value: "cancelled", count: 1 },
      ],
      spaces: [{ value: "spc_everyone", count: 5 }],
    });
    expect((await read({ facets: "true" })).facets).toMatchObject({
      agents: [
        { value: "writer", count: 2 },
        { value: "builder", count: 1 },
      ],
      people: [],
    });
  });

  test("shows the answer, who gave it and how long it took", async () => {
    const { items } = await read({ status: "closed", q: "größe" });
    expect(items).toMatchObject([
      {
        answer: "Because Größe was misspelt",
        questions: 1,
        took_ms: 10 * MINUTE,
        settled: { outcome: "answered", decided_by: { name: "Bo" } },
      },
    ]);
    expect((await read({ status: "closed", q: "obsolete" })).items[0]?.answer).toBeNull();
  });

  test("needs the right to read", async () => {
    const call = { actor: { ...AGENT, rights: ["ask" as const] }, now: 0 };
    await expect(hub.inbox(call, { q: "deploy" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(hub.exportInbox(call, {})).rejects.toMatchObject({ code: "forbidden" });
  });

  test("exports what the filters match", async () => {
    const exported = async (query: Parameters<Hub["exportInbox"]>[1]) => {
      const { content, file } = await hub.exportInbox(byPerson(10 * MINUTE), query);
      let text = "";
      for await (const piece of content) text += piece;
      return { text, file };
    };
    const csv = await exported({ status: "closed", q: "100%" });
    expect(csv.file).toBe("parley-inbox-1970-01-01.csv");
    const [header, line, end] = csv.text.split("\r\n");
    expect(header).toMatch(/^\ufeffasked_at,settled_at,status,agent,title,/);
    expect(line).toContain(`"100% of ""quoted"" a_b \\ O'Brien 🚀 <b>"`);
    expect(end).toBe("");
    const jsonl = await exported({ status: "all", format: "jsonl" });
    expect(
      jsonl.text
        .trim()
        .split("\n")
        .map((each) => JSON.parse(each).tool_use_id),
    ).toEqual(await ids({ status: "all" }));
  });

  test("forgets what a reopened question was, and indexes it again when it is settled", async () => {
    const { conversation_id } = await hub.ask(byAgent(20 * MINUTE), {
      ...TEXT,
      tool_use_id: "late",
      question_text: "A zebra crossing?",
      timeout_s: 60,
    });
    await hub.expire(22 * MINUTE);
    expect(await settled("zebra")).toEqual(["late"]);
    await hub.reopen(byPerson(23 * MINUTE), { conversation_id, question_id: "late" });
    expect([await settled("zebra"), await ids({ q: "zebra" })]).toEqual([[], ["late"]]);
    await hub.answer(byPerson(24 * MINUTE, "Cy"), { conversation_id, question_id: "late", answer: "giraffe" });
    expect([await settled("zebra giraffe"), await ids({ q: "zebra" })]).toEqual([["late"], []]);
  });

  test("continues where a process died, and indexes a new chain of seals from its beginning", async () => {
    const entries = () => readRows<{ n: number }>(db, "select count(*) as n from search_entry");
    const restarted = async () => {
      const next = testHub(db, { clock: () => 0 });
      await next.begin(byAgent(0));
      await next.inbox(byPerson(), { q: "again" });
      await next.stop();
    };
    const before = await entries();
    await execute(db, "update search_state set position = 3");
    await restarted();
    expect(await entries()).toEqual(before);
    expect(await settled("shop-api")).toEqual(["deploy"]);
    await execute(db, "update search_state set began_at = 1");
    await restarted();
    expect(await entries()).toEqual(before);
    expect(await settled("東京")).toEqual(["tokyo"]);
    // The other hub may be the one that indexes.
    const position = (table: string) => readRows<{ position: number }>(db, `select position from ${table}`);
    await expect.poll(() => position("search_state")).toEqual(await position("audit_head"));
  });
});

describe.each(DATABASES)("listing conversations on %s", (kind) => {
  let database: TestDatabase;
  let hub: Hub;
  beforeAll(async () => {
    database = await testDatabase(kind);
    hub = testHub(await database.open(), { clock: () => 0 });
    await hub.begin(byAgent(0));
    await hub.createConversation(byAgent(1), { agent: "builder", title: "Quiet 100%" });
    const waiting = await hub.createConversation(byAgent(2), { agent: "builder", title: "Ship it" });
    await hub.ask(byAgent(3), { conversation_id: waiting, ...TEXT, question_text: "Which zebra?" });
    const closed = await hub.createConversation(byAgent(4), { agent: "writer", title: "東京" });
    const { tool_use_id } = await hub.ask(byAgent(5), {
      conversation_id: closed,
      ...TEXT,
      question_text: "A giraffe?",
    });
    await hub.answer(byPerson(6), { conversation_id: closed, question_id: tool_use_id, answer: "部署" });
    await hub.close(byPerson(7), closed);
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });

  const titles = async (query: Parameters<Hub["listConversations"]>[1]) =>
    (await hub.listConversations(byPerson(), query)).sessions.map((session) => session.title);

  test("finds them by title, agent, question and answer", async () => {
    expect(await titles({})).toEqual(["東京", "Ship it", "Quiet 100%"]);
    expect(await titles({ q: "quiet" })).toEqual(["Quiet 100%"]);
    expect(await titles({ q: "100% BUILDER" })).toEqual(["Quiet 100%"]);
    expect(await titles({ q: "zebra" })).toEqual(["Ship it"]);
    for (const q of ["giraffe", "部署", "東京", "京"]) expect(await titles({ q })).toEqual(["東京"]);
    expect(await titles({ q: "'%_" })).toEqual([]);
  });

  test("filters by state and agent, and counts", async () => {
    expect(await titles({ state: "waiting_input" })).toEqual(["Ship it"]);
    expect(await titles({ state: ["closed", "active"] })).toEqual(["東京", "Quiet 100%"]);
    expect(await titles({ agent: "writer", state: "active" })).toEqual([]);
    const page = await hub.listConversations(byPerson(), { agent: "builder", limit: 1, facets: "true" });
    expect(page.counts).toEqual({ matching: 2, at_least: false });
    expect(page.facets).toEqual({
      states: [
        { value: "active", count: 1 },
        { value: "closed", count: 1 },
        { value: "waiting_input", count: 1 },
      ],
      agents: [
        { value: "builder", count: 2 },
        { value: "writer", count: 1 },
      ],
    });
    const next = await hub.listConversations(byPerson(), {
      agent: "builder",
      limit: 1,
      cursor: page.next_cursor ?? "",
    });
    expect([next.sessions.map(({ title }) => title), next.counts.matching]).toEqual([["Quiet 100%"], null]);
  });

  test("finds conversations and agents for a palette", async () => {
    const found = await hub.find(byPerson(), { q: "writ" });
    expect(found.conversations.map(({ title }) => title)).toEqual(["東京"]);
    expect(found.agents).toEqual([{ value: "writer", count: 1 }]);
    expect((await hub.find(byPerson(), {})).conversations).toHaveLength(3);
  });
});

describe.each(DATABASES)("indexing on %s", (kind) => {
  test("two nodes at once index every question once, whichever was asked where", async () => {
    const database = await testDatabase(kind);
    const nodes = await Promise.all(
      [0, 1].map(async () => testHub(await database.open(), { sealMs: 20, limits: { maxDepth: 1_000 } })),
    );
    for (const node of nodes) await node.begin(byAgent());
    const asked = Array.from({ length: 120 }, async (_, nth) => {
      const node = nodes[nth % 2];
      const ask = await node?.ask(byAgent(), { ...TEXT, tool_use_id: `t${nth}`, question_text: `Lantern ${nth}?` });
      const question = { conversation_id: ask?.conversation_id ?? "", question_id: `t${nth}` };
      if (nth % 3 === 0) await node?.answer(byPerson(), { ...question, answer: "yes" });
    });
    await Promise.all(asked);
    const db = await database.open();
    const entries = () =>
      readRows<{ closed: number; n: number }>(
        db,
        `select case when e.closed_at is null then 0 else 1 end as closed, count(distinct inbox_item_id) as n
         from search_entry e join search_text t on t.seq = e.seq group by 1 order by 1`,
      );
    await expect.poll(entries).toEqual([
      { closed: 0, n: 80 },
      { closed: 1, n: 40 },
    ]);
    for (const node of nodes) {
      const { counts } = await node.inbox(byPerson(), { status: "all", q: "lantern", limit: 10 });
      expect(counts.matching).toBe(120);
    }
    await Promise.all(nodes.map((node) => node.stop()));
    await database.drop();
  });
});
