import { expect, test } from "vitest";
import { type OpenItem, tallyOf } from "./inbox-tally.ts";

const NOW = 1_000;
let made = 0;
const item = (space_id: string, more: Partial<OpenItem> = {}): OpenItem => ({
  conversation_id: "ses_1",
  tool_use_id: `t${made++}`,
  deadline_at: null,
  space_id,
  assignee_id: null,
  claimed_by: null,
  claim_expires_at: null,
  ...more,
});

test("readers get the counts of the spaces that they see, with what is theirs", () => {
  const claimed = { claimed_by: "mei", claim_expires_at: NOW + 1 };
  const items = [
    item("open"),
    item("open", { assignee_id: "mei", ...claimed }),
    item("open", { assignee_id: "ada", ...claimed }),
    item("open", { claimed_by: "mei", claim_expires_at: NOW }),
    item("secret", claimed),
    item("secret"),
  ];
  const { countsFor } = tallyOf(items, NOW);
  expect(countsFor({ id: "mei" }, { spaces: ["open", "empty"] })).toEqual({
    open: 4,
    snoozed: 0,
    mine: 2,
    unassigned: 2,
  });
  expect(countsFor({ id: "mei" }, "all")).toEqual({ open: 6, snoozed: 0, mine: 3, unassigned: 3 });
  expect(countsFor({ id: "ada" }, { spaces: ["open"] })).toEqual({ open: 4, snoozed: 0, mine: 1, unassigned: 2 });
  expect(countsFor({ id: "kenji" }, { spaces: [] })).toEqual({ open: 0, snoozed: 0, mine: 0, unassigned: 0 });
  expect(countsFor({}, "all")).toEqual({ open: 6, snoozed: 0, mine: 0, unassigned: 3 });
});
