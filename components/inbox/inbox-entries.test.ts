import { describe, expect, test } from "vitest";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { type Entry, entriesOf, nextOpen, stopAt, stopsOf } from "./inbox-entries.ts";
import { item } from "./test-items.ts";

const folded = {
  group: "none",
  isUnfolded: () => false,
  sizeOf: (_key: string, loaded: number) => loaded,
  now: 0,
  me: "per_me",
} as const;
const lines = (entries: Entry[]) =>
  entries.map((entry) => {
    if (entry.kind === "section") return `# ${entry.value} ${entry.count}`;
    return entry.kind === "similar" ? `${entry.size} alike` : entry.item.inbox_item_id;
  });
const ids = (items: readonly InboxItem[]) => items.map(({ inbox_item_id }) => inbox_item_id);

const alike = { similar_key: "k" };
const ROWS = [item("a", 1, alike), item("b", 2), item("c", 3, alike), item("d", 4, { ...alike, irreversible: true })];

describe("the lines of the inbox", () => {
  test("similar questions are one line until they are unfolded; what cannot be undone always has its own", () => {
    expect(lines(entriesOf(ROWS, folded))).toEqual(["2 alike", "b", "d"]);
    expect(lines(entriesOf(ROWS, { ...folded, isUnfolded: () => true }))).toEqual(["2 alike", "a", "c", "b", "d"]);
  });

  test("a group has the size that the server counted, also if one of its questions is loaded", () => {
    const sizeOf = (key: string, loaded: number) => (key === "k" ? 71 : loaded);
    expect(lines(entriesOf(ROWS, { ...folded, sizeOf }))).toEqual(["71 alike", "b", "d"]);
    const one = entriesOf(ROWS.slice(0, 2), { ...folded, sizeOf, isUnfolded: () => true });
    expect(lines(one)).toEqual(["71 alike", "a", "b"]);
    const final = [item("d", 4, { ...alike, irreversible: true }), item("e", 5, { ...alike, status: "closed" })];
    expect(lines(entriesOf(final, { ...folded, sizeOf }))).toEqual(["d", "e"]);
  });

  test("a question that someone else has claimed is no part of a group", () => {
    const claimedBy = (id: string) => ({
      claim: { by: { id, name: id }, at: "", expires_at: new Date(1).toISOString() },
    });
    const rows = [
      item("a", 1, alike),
      item("b", 2, { ...alike, ...claimedBy("per_mei") }),
      item("c", 3, { ...alike, ...claimedBy("per_me") }),
    ];
    expect(lines(entriesOf(rows, folded))).toEqual(["2 alike", "b"]);
    expect(lines(entriesOf(rows, { ...folded, now: 2 }))).toEqual(["3 alike"]);
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
