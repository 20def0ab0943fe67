import { expect, test } from "vitest";
import { eachItem } from "./each-item.ts";
import { item } from "./test-items.ts";

test("every item is tried once, and those that fail are reported with their error", async () => {
  const items = Array.from({ length: 10 }, (_, index) => item(`${index}`, index));
  const tried: string[] = [];
  const { done, failed } = await eachItem(items, async ({ inbox_item_id }) => {
    tried.push(inbox_item_id);
    if (inbox_item_id === "3") throw new Error("settled");
  });
  expect(tried.toSorted()).toEqual(items.map(({ inbox_item_id }) => inbox_item_id));
  expect(done).toHaveLength(9);
  expect(failed).toEqual([{ item: items[3], error: new Error("settled") }]);
});

test("a few are under way at once, never all of them", async () => {
  let [running, most] = [0, 0];
  await eachItem(
    Array.from({ length: 20 }, (_, index) => item(`${index}`, index)),
    async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    },
  );
  expect(most).toBe(4);
});
