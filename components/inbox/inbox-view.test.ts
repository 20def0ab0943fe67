import { describe, expect, test } from "vitest";
import { belongs, isFiltered, otherTab, queryOf, readView, withoutFilters, writeView } from "./inbox-view.ts";
import { item } from "./test-items.ts";

const view = (search: string) => readView(new URLSearchParams(search));

describe("the view in the address", () => {
  test("what is written is read again, and what is the default is not written", () => {
    const search = "q=deploy&agent=a&agent=b&title=Release&deadline=hour&sort=newest&group=agent";
    expect(String(writeView(view(search)))).toBe(search);
    expect(String(writeView(view("sort=deadline&group=none")))).toBe("");
    expect(String(writeView(view("view=settled&outcome=timeout&by=Mei&period=week")))).toBe(
      "view=settled&outcome=timeout&by=Mei&period=week",
    );
  });

  test("whatever someone types, the inbox is shown", () => {
    const odd = view(`view=x&deadline=soon&sort=slowest&group=day&outcome=answered&q=${"q".repeat(300)}`);
    expect(odd).toMatchObject({ status: "open", deadline: undefined, sort: "deadline", group: "none", outcome: [] });
    expect(odd.q).toHaveLength(200);
  });

  test("clearing the filters keeps the tab, the order and the sections", () => {
    const cleared = withoutFilters(view("view=settled&q=x&agent=a&by=Mei&sort=slowest&group=agent"));
    expect(isFiltered(cleared)).toBe(false);
    expect(String(writeView(cleared))).toBe("view=settled&sort=slowest&group=agent");
  });

  test("the other tab keeps the search, agents and titles, and drops what it cannot filter by", () => {
    expect(String(writeView(otherTab(view("q=x&agent=a&deadline=hour&sort=newest"), "closed")))).toBe(
      "view=settled&q=x&agent=a",
    );
  });

  test("the query has the period as a time, and no empty filters", () => {
    const query = queryOf(view("view=settled&period=day"), Date.parse("2026-01-02T00:00:00Z"));
    expect(query).toMatchObject({ status: "closed", since: "2026-01-01T00:00:00.000Z", agent: undefined });
    expect("group" in query).toBe(false);
  });

  test("an item belongs to the view by every filter", () => {
    const now = 60_000 * 60;
    const due = item("a", 1, { agent: "x", title: "Release", deadline_at: new Date(now + 60_000).toISOString() });
    expect(belongs(due, view("agent=x&agent=y&title=Release&deadline=hour"), now)).toBe(true);
    for (const other of ["agent=y", "title=Other", "deadline=overdue", "deadline=none", "view=settled"])
      expect(belongs(due, view(other), now), other).toBe(false);
    const settled = item("b", 1, {
      status: "closed",
      closed_at: new Date(now).toISOString(),
      settled: { outcome: "answered", decided_by: { kind: "person", name: "Mei", surface: "browser" } },
    });
    expect(belongs(settled, view("view=settled&by=Mei&outcome=answered&period=day"), now)).toBe(true);
    for (const other of ["by=Kenji", "outcome=timeout"])
      expect(belongs(settled, view(`view=settled&${other}`), now), other).toBe(false);
    expect(belongs(settled, view("view=settled&period=day"), now + 2 * 86_400_000)).toBe(false);
  });
});
