import { describe, expect, test } from "vitest";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { type Entry, entriesOf, nextOpen, stopAt, stopsOf } from "./inbox-entries.ts";
import { item } from "./test-items.ts";

const folded = { group: "none", isUnfolded: () => false, now: 0 } as const;
const lines = (entries: Entry[]) =>
  entries.map((entry) => {
    if (entry.kind === "section") return `# ${entry.value} ${entry.count}`;
    return entry.kind === "similar" ? `${entry.items.length} alike` : entry.item.inbox_item_id;
  });
const ids = (items: readonly InboxItem[]) => items.map(({ inbox_item_id }) => inbox_item_id);

const alike = { similar_key: "k" };
const ROWS = [item("a", 1, alike), item("b", 2), item("c", 3, alike), item("d", 4, { ...alike, irreversible: true })];

describe("the lines of the inbox", () => {
  test("similar questions are one line until they are unfolded; what cannot be undone always has its own", () => {
    expect(lines(entriesOf(ROWS, folded))).toEqual(["2 alike", "b", "d"]);
    expect(lines(entriesOf(ROWS, { ...folded, isUnfolded: () => true }))).toEqual(["2 alike", "a", "c", "b", "d"]);
  });

  test("sections are by agent, title or deadline, in the order of the list", () => {
    const rows = [
      item("a", 1, { agent: "x", deadline_at: new Date(5 * 60_000).toISOString() }),
      item("b", 2, { agent: "y", title: "Release" }),
      item("c", 3, { agent: "x" }),
    ];
    expect(lines(entriesOf(rows, { ...folded, group: "agent" }))).toEqual(["# x 2", "a", "c", "# y 1", "b"]);
    expect(lines(entriesOf(rows, { ...folded, group: "title" }))).toEqual(["#  2", "a", "c", "# Release 1", "b"]);
    expect(lines(entriesOf(rows, { ...folded, group: "deadline" }))).toEqual(["# soon 1", "a", "# none 2", "b", "c"]);
  });

  test("moving stops once at a folded group, and at each question of an unfolded one", () => {
    const stops = stopsOf(entriesOf(ROWS, folded));
    expect(stops.map(({ items }) => ids(items))).toEqual([["a", "c"], ["b"], ["d"]]);
    expect(stopAt(stops, "c")).toBe(0);
    expect(stopAt(stops, "elsewhere")).toBe(-1);
    expect(stopsOf(entriesOf(ROWS, { ...folded, isUnfolded: () => true }))).toHaveLength(4);
  });

  test("after an answer comes the rest of its group, then what is below, then what is above, then nothing", () => {
    const stops = stopsOf(entriesOf(ROWS, folded));
    expect(nextOpen(stops, "a")?.item.inbox_item_id).toBe("c");
    expect(nextOpen(stops, "c")?.item.inbox_item_id).toBe("b");
    expect(nextOpen(stops, "a", new Map([["c", "waiting"]]))?.item.inbox_item_id).not.toBe("c");
    expect(nextOpen(stops, "d")?.item.inbox_item_id).toBe("b");
    const rest = [item("a", 1, { status: "closed" }), item("b", 2)];
    expect(nextOpen(stopsOf(entriesOf(rest, folded)), "b")).toBeUndefined();
  });
});
