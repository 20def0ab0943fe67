import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASES, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import type { Hub } from "../hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

describe.each(DATABASES)("the inbox on %s", (kind) => {
  let database: TestDatabase;
  let hub: Hub;
  beforeAll(async () => {
    database = await testDatabase(kind);
    hub = testHub(await database.open(), { clock: () => 0, limits: { maxDepth: 1_000 } });
    await hub.begin(byAgent(0));
    const asks = [
      { tool_use_id: "late", timeout_s: 900 },
      { tool_use_id: "never" },
      { tool_use_id: "soon", timeout_s: 60, header: "Fruit" },
      { tool_use_id: "also_never", question_text: "50% or _all_ of Map<string>?" },
      { tool_use_id: "settled" },
      { tool_use_id: "dropped" },
    ];
    const conversation_id = await hub.createConversation(byAgent(1), { agent: "builder" });
    for (const [index, ask] of asks.entries())
      await hub.ask(byAgent(1_000 + index), { conversation_id, ...CHOICE, ...ask });
    await hub.answer(byPerson(5_000), { conversation_id, question_id: "settled", answer: "a" });
    await hub.cancel(byPerson(6_000), { conversation_id, question_id: "dropped" }, "no");
    await hub.ask(byAgent(9_000), { agent: "reviewer", tool_use_id: "elsewhere", ...CHOICE });
  });
  afterAll(async () => {
    await hub.stop();
    await database.drop();
  });

  const list = async (query: Parameters<Hub["inbox"]>[1]) => {
    const { items } = await hub.inbox(byPerson(10_000), query);
    return items.map((item) => item.tool_use_id);
  };

  test("lists open items by earliest deadline, then age; settled ones newest first", async () => {
    expect(await list({})).toEqual(["soon", "late", "never", "also_never", "elsewhere"]);
    expect(await list({ status: "closed" })).toEqual(["dropped", "settled"]);
    expect(await list({ status: "all" })).toEqual([
      "soon",
      "late",
      "never",
      "also_never",
      "elsewhere",
      "dropped",
      "settled",
    ]);
  });

  test("finds one item by its id, open or settled", async () => {
    const { items } = await hub.inbox(byPerson(10_000), { status: "all" });
    for (const item of items) expect(await hub.inboxItem(byPerson(10_000), item.inbox_item_id)).toEqual(item);
    expect(await hub.inboxItem(byPerson(10_000), "nothing")).toBeUndefined();
  });

  test("has the header of the first question", async () => {
    const { items } = await hub.inbox(byPerson(10_000), {});
    expect(items.map((item) => item.header)).toEqual(["Fruit", null, null, null, null]);
  });

  test("names the source of an item by its first question", async () => {
    const { items } = await hub.inbox(byPerson(10_000), { status: "all" });
    for (const { type, source_id, session_id, tool_use_id } of items) {
      expect(type).toBe("await_user_input");
      expect(source_id).toBe(`conversation:${session_id}:question:${tool_use_id}`);
    }
  });

  test("counts all open items, and says how the others were settled", async () => {
    const { items, counts } = await hub.inbox(byPerson(10_000), { status: "closed" });
    expect(counts).toEqual({ open: 5, snoozed: 0, matching: 2, at_least: false });
    expect(items.map((item) => item.settled?.outcome)).toEqual(["cancelled", "answered"]);
  });

  test("returns every item once, page by page", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await hub.inbox(byPerson(), { status: "all", limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.items.map((item) => item.tool_use_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(["soon", "late", "never", "also_never", "elsewhere", "dropped", "settled"]);
  });

  test("filters by agent and by text, in which % and _ are plain characters", async () => {
    expect(await list({ agent: "reviewer" })).toEqual(["elsewhere"]);
    expect(await list({ q: "map<STRING>" })).toEqual(["also_never"]);
    expect(await list({ q: "50%" })).toEqual(["also_never"]);
    expect(await list({ q: "_w_" })).toEqual([]);
  });

  test("gives similar questions of one agent the same key", async () => {
    const { items } = await hub.inbox(byPerson(), {});
    const key = (id: string) => items.find((item) => item.tool_use_id === id)?.similar_key;
    expect(key("soon")).toBe(key("never"));
    expect(key("also_never")).not.toBe(key("never"));
    expect(key("elsewhere")).not.toBe(key("never"));
  });

  test("starts at the first page if the cursor is unknown", async () => {
    expect(await list({ cursor: "nonsense", limit: 1 })).toEqual(["soon"]);
  });
});
