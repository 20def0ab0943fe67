import type { InboxItem } from "../../lib/protocol/inbox.ts";

export type EachResult = { done: InboxItem[]; failed: Array<{ item: InboxItem; error: unknown }> };

/** The server takes one question per request, so up to this many requests run at once. */
const AT_ONCE = 4;

/** Does something with every item. One that fails does not stop the others. */
export async function eachItem(
  items: readonly InboxItem[],
  work: (item: InboxItem) => Promise<unknown>,
): Promise<EachResult> {
  const left = [...items];
  const result: EachResult = { done: [], failed: [] };
  const next = async () => {
    for (let item = left.shift(); item; item = left.shift()) {
      try {
        await work(item);
        result.done.push(item);
      } catch (error) {
        result.failed.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return result;
}
