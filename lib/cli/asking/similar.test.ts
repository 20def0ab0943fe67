import { expect, test } from "vitest";
import type { Client } from "../../client.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { similar } from "./similar.ts";

const item = (id: string, more: object = {}) =>
  ({ inbox_item_id: id, similar_key: "k", irreversible: false, claim: null, ...more }) as InboxItem;
const claimedBy = (id: string) => ({ claim: { by: { id, name: id }, at: "", expires_at: "" } });
const hub = { call: async () => ({ person: { id: "per_me" } }) } as unknown as Client;

test("groups what one answer can settle: neither what is irreversible nor what someone else has claimed", async () => {
  const items = [
    item("one"),
    item("final", { irreversible: true }),
    item("theirs", claimedBy("per_mei")),
    item("mine", claimedBy("per_me")),
    item("another", { similar_key: "other" }),
  ];
  const groups = await similar(hub, items);
  expect(groups.map((group) => group.items.map(({ inbox_item_id }) => inbox_item_id))).toEqual([
    ["one", "mine"],
    ["final"],
    ["theirs"],
    ["another"],
  ]);
});
