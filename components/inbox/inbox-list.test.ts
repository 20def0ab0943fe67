import { describe, expect, test } from "vitest";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { firstList, folded, withChange, withFresh, withMembers, withPage } from "./inbox-list.ts";
import { type InboxView, readView } from "./inbox-view.ts";
import { item } from "./test-items.ts";

const OPEN = readView(new URLSearchParams());
const due = (minute: number) => ({ deadline_at: new Date(minute * 60_000).toISOString() });
const ids = (rows: readonly InboxItem[]) => rows.map((row) => row.inbox_item_id);

describe("the list of the inbox", () => {
  const list = firstList([item("a", 1, due(50)), item("b", 2), item("c", 4)], null);

  test("adds a new item below the selected row at once, and holds one above back until the person asks for it", () => {
    const below = withChange(list, item("d", 3), OPEN, "b", 0);
    expect(ids(below.rows)).toEqual(["a", "b", "d", "c"]);
    const above = withChange(list, item("e", 9, due(10)), OPEN, "b", 0);
    expect(ids(above.rows)).toEqual(["a", "b", "c"]);
    expect(ids(above.fresh)).toEqual(["e"]);
    expect(ids(withFresh(above, OPEN).rows)).toEqual(["e", "a", "b", "c"]);
  });

  test("inserts the rest of a group in its order, and a page that has it too adds nothing", () => {
    const paged = { ...list, cursor: "next" };
    const whole = withMembers(paged, [item("b", 2), item("z", 9), item("d", 3)], OPEN);
    expect(ids(whole.rows)).toEqual(["a", "b", "d", "c", "z"]);
    expect(ids(withPage(whole, [item("d", 3), item("y", 8)], null).rows)).toEqual(["a", "b", "d", "c", "z", "y"]);
  });

  test("leaves items beyond the last loaded page to the next page", () => {
    const paged = { ...list, cursor: "next" };
    expect(ids(withChange(paged, item("z", 9), OPEN, "a", 0).rows)).toEqual(["a", "b", "c"]);
    expect(ids(withPage(paged, [item("c", 4), item("z", 9)], null).rows)).toEqual(["a", "b", "c", "z"]);
  });

  test("drops a row that the person put away, or brought back, but never the selected one", () => {
    const away = { ...item("b", 2), snoozed_until: new Date(9_000_000).toISOString() };
    expect(ids(withChange(list, away, OPEN, "a", 0).rows)).toEqual(["a", "c"]);
    const selected = withChange(list, away, OPEN, "b", 0);
    expect(ids(selected.rows)).toEqual(["a", "b", "c"]);
    expect(ids(folded(selected, "a", 0).rows)).toEqual(["a", "c"]);
    expect(ids(withChange(firstList([item("a", 1)], null), away, OPEN, "a", 0).rows)).toEqual(["a"]);
    const snoozed = { ...OPEN, snoozed: true };
    const kept = firstList([away], null);
    expect(ids(withChange(kept, item("b", 2), snoozed, undefined, 0).rows)).toEqual([]);
    expect(ids(withChange(kept, { ...away, inbox_item_id: "d" }, snoozed, "b", 0).rows)).toEqual(["b", "d"]);
  });

  test("marks a settled row and removes it later, but never the selected one", () => {
    const settled = withChange(list, { ...item("b", 2), status: "closed" }, OPEN, "b", 1_000);
    expect(settled.rows[1]?.status).toBe("closed");
    expect(ids(folded(settled, "b", 5_000).rows)).toEqual(["a", "b", "c"]);
    expect(ids(folded(settled, "a", 500).rows)).toEqual(["a", "b", "c"]);
    expect(ids(folded(settled, "a", 5_000).rows)).toEqual(["a", "c"]);
  });

  test("accepts only items that match the filter, and forgets a new one that was settled before it was shown", () => {
    const only = (filter: Partial<InboxView>) =>
      ids(
        withChange(list, item("f", 9), { ...OPEN, ...filter }, undefined, 0, " licence \n question f ? \n mit ").rows,
      );
    expect(only({ agent: ["other"] })).not.toContain("f");
    expect(only({ q: "nothing" })).not.toContain("f");
    // What a search looks through: a header, a question, an option.
    for (const q of ["LICENCE", "question F", " mit "]) expect(only({ q })).toContain("f");
    const kept = withChange(list, item("e", 9, due(10)), OPEN, "c", 0);
    expect(withChange(kept, { ...item("e", 9), status: "closed" }, OPEN, "c", 0).fresh).toEqual([]);
  });
});
